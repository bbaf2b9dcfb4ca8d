"""The Python tests: of the tools, of the command line, and of a real window."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

from runner.progress import Progress, captured, watched
from runner.result import Result, of_junit

FOLDERS = ["tests/python", "tests/inspector"]
LINE = re.compile(r"^(\S+::.*?) (PASSED|FAILED|ERROR|SKIPPED)\b.*\[ *(\d+%)\]")


def environment(folder: Path) -> dict[str, str]:
    """The tests find the programs under test in these variables (tests/python/conftest.py)."""
    return {**os.environ, "CUTAWAY_BUILD": str(folder), "PYTHONDONTWRITEBYTECODE": "1",
            "CUTAWAY_INSPECTOR": str(folder / "inspector/app/cutaway-inspector")}


def run(folder: Path, quick: bool, pattern: str | None) -> list[Result]:
    report = folder / "pytest.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    if quick:
        command += ["-m", "not slow"]
    where = FOLDERS
    if pattern:
        listing = captured([*command, "-q", "--collect-only", *FOLDERS], environment(folder)).stdout.splitlines()
        where = [line for line in listing if "::" in line and re.search(pattern, line, re.IGNORECASE)]
        if not where:
            return []
    progress = Progress("Running the Python tests")
    command += ["-v", "--tb=short", "-o", "junit_family=xunit1", f"--junitxml={report}", *where]
    _, output = watched(command, progress, _where, environment(folder))
    if not report.exists():
        progress.end("failed")
        return [Result("pytest", "failed", output, "./cutaway test -k tests/")]
    results = of_junit(report, lambda suite, name: f"{suite.replace('.', '/')}.py::{name}",
                       lambda name: f"./cutaway test -k {shlex.quote('^' + re.escape(name) + '$')}")
    progress.end(f"{sum(result.outcome == 'failed' for result in results)} failed")
    return results


def _where(line: str) -> str | None:
    match = LINE.match(line)
    if not match:
        return None
    if match.group(2) in ("FAILED", "ERROR"):
        print(f"\n  not passed: {match.group(1)}", flush=True)
    return f"{match.group(3)} {match.group(1)}"
