"""The C++ tests: builds them with ninja, runs them with CTest."""

from __future__ import annotations

import os
import platform
import re
import shlex
from pathlib import Path

from runner.progress import ROOT, Progress, captured, watched
from runner.result import Result, of_junit

STEP = re.compile(r"^(\[\d+/\d+\]) (.*)")
DONE = re.compile(r"^\s*(\d+/\d+) Test\s+#\d+: (.*?) \.+(.*)")
LISTED = re.compile(r"Test +#(\d+): (.*)")


def build(folder: Path) -> list[Result]:
    """Builds everything the tests need. Returns: a failure, or nothing."""
    where = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
    progress = Progress(f"Building the tests in {where}")
    command = ["ninja", "-C", str(folder)]
    environment = {**os.environ, "NINJA_STATUS": "[%f/%t] "}
    code, output = watched(command, progress, lambda line: " ".join(STEP.match(line).groups()) if STEP.match(line) else None,
                           environment)
    progress.end("done" if code == 0 else "failed")
    if code == 0:
        return []
    said = "".join(line for line in output.splitlines(keepends=True) if not STEP.match(line))
    return [Result("build", "failed", said, f"ninja -C {where}")]


def sanitizer_environment() -> dict[str, str]:
    return {**os.environ, "UBSAN_OPTIONS": "print_stacktrace=1", "ASAN_OPTIONS": "strict_string_checks=1"}


def fixed_addresses() -> list[str]:
    """ThreadSanitizer of these compilers cannot place itself where addresses are spread very widely (many random bits).

    Returns: the words before a command that turn this off, where the machine lets us."""
    words = ["setarch", platform.machine(), "-R"]
    try:
        return words if captured([*words, "true"]).returncode == 0 else []
    except FileNotFoundError:
        return []


def run(folder: Path, quick: bool, pattern: str | None, sanitizer: str | None) -> list[Result]:
    report = folder / "ctest.xml"
    report.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", str(folder), "-j2", "--output-junit", str(report), "--output-on-failure"]
    if quick:
        command += ["-LE", "slow"]
    numbers = _matching(command, pattern)
    if not numbers:
        return []
    if pattern:
        command += ["-I", "0,0,0," + ",".join(map(str, numbers))]
    before = fixed_addresses() if sanitizer == "tsan" else []
    progress = Progress(f"Running {len(numbers)} C++ tests")
    _, output = watched([*before, *command], progress, _where, sanitizer_environment())
    if not report.exists():
        progress.end("failed")
        return [Result("ctest", "failed", output, shlex.join(command))]
    flag = f" --{sanitizer}" if sanitizer else ""
    results = of_junit(report, lambda _, name: name,
                       lambda name: f"./cutaway test{flag} -k {shlex.quote('^' + re.escape(name) + '$')}")
    progress.end(f"{sum(result.outcome == 'failed' for result in results)} failed")
    return results


def _where(line: str) -> str | None:
    match = DONE.match(line)
    if not match:
        return None
    if "Passed" not in match.group(3):
        print(f"\n  not passed: {match.group(2)}", flush=True)
    return f"{match.group(1)} {match.group(2)}"


def _matching(command: list[str], pattern: str | None) -> list[int]:
    """Returns: the CTest numbers of the tests whose name matches."""
    found = LISTED.findall(captured([*command, "-N"]).stdout)
    return [int(number) for number, name in found if not pattern or re.search(pattern, name.strip(), re.IGNORECASE)]
