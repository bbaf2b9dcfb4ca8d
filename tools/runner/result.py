"""What one test came to, and how the sum is told."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# The only reasons for which a test may skip itself: what no package of tools/packages.txt can bring.
ALLOWED_SKIPS = ("no GPU", "no PyTorch oracle")
OUTCOMES = ("passed", "failed", "skipped")
MOST_OUTPUT = 6000


@dataclass
class Result:
    """One test: its name, how it ended, what it printed, and the command that runs only it again."""

    name: str
    outcome: str
    output: str = ""
    again: str = ""


def of_junit(path: Path, name_of: Callable[[str, str], str], again: Callable[[str], str]) -> list[Result]:
    """Reads a JUnit file. `name_of` makes a test's name from (suite, name), `again` its command from that."""
    results = []
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name = name_of(case.get("classname", ""), case.get("name", ""))
        outcome, output = _outcome(case)
        results.append(Result(name, outcome, output, again(name)))
    return results


def _outcome(case: ElementTree.Element) -> tuple[str, str]:
    output = "\n".join(filter(None, (node.text for node in case.iter() if node is not case)))
    broken = next((node for node in case if node.tag in ("failure", "error")), None)
    if broken is not None:
        return "failed", "\n".join(filter(None, (broken.get("message"), output)))
    skipped = case.find("skipped")
    if skipped is None:
        return "passed", output
    reason = skipped.get("message") or ""
    if reason.startswith(ALLOWED_SKIPS):
        return "skipped", reason
    return "failed", f"it did not run though all it needs should be here: {reason}\n{output}"


def tell(results: list[Result]) -> int:
    """Prints every failure and skip, and the count as the last line. Returns: the exit code."""
    for result in results:
        if result.outcome == "failed":
            print(f"\nFAILED {result.name}\n{result.output.strip()[-MOST_OUTPUT:]}\n  again: {result.again}")
        elif result.outcome == "skipped":
            print(f"\nskipped {result.name}: {result.output.strip()[:300]}")
    counts = {outcome: sum(result.outcome == outcome for result in results) for outcome in OUTCOMES}
    print(", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES), flush=True)
    return 1 if counts["failed"] or not results else 0
