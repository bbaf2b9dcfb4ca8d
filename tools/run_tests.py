"""Runs every test of the house: cheap checks, C++ tests (CTest), Python tests (pytest).

`./cutaway test` calls this after it has set up and configured. Each failure is printed with its output and the
command that runs only it again; the last line is always `N passed, N failed, N skipped`. Exit 1 when anything
failed. A test that skipped itself although all it needs is installed counts as failed: see ALLOWED_SKIPS.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The only reasons for which a test may skip itself: what no package can bring.
ALLOWED_SKIPS = ("no GPU", "no PyTorch oracle")

CHECKS = [
    ("check/house", [sys.executable, "tools/check_house.py"]),
    ("check/spec", [sys.executable, "tools/check_spec.py", "--require", "tools/spec_required.txt"]),
    ("check/launcher", ["shellcheck", "cutaway", ".ci/run"]),
]


@dataclass
class Result:
    """One test: its name, how it ended, what it printed, how to run it again."""

    name: str
    outcome: str  # passed, failed, skipped
    output: str = ""
    again: str = ""


def arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./cutaway test", description="Build and run every test.")
    parser.add_argument("--quick", action="store_true", help="leave out the slow tests")
    parser.add_argument("-k", metavar="PATTERN", help="only tests whose name matches this regular expression")
    parser.add_argument("--asan", action="store_true", help="C++ tests under AddressSanitizer and UBSan")
    parser.add_argument("--tsan", action="store_true", help="C++ tests under ThreadSanitizer")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.k:
        try:
            re.compile(options.k)
        except re.error as error:
            parser.error(f"-k: '{options.k}' is not a regular expression: {error}")
    return options


def run(command: list[str], **more) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, text=True, errors="replace", **more)


def captured(command: list[str], **more) -> subprocess.CompletedProcess:
    return run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)


def cheap_checks(pattern: str | None) -> list[Result]:
    results = []
    for name, command in CHECKS:
        if pattern and not re.search(pattern, name, re.IGNORECASE):
            continue
        done = captured(command)
        outcome = "passed" if done.returncode == 0 else "failed"
        results.append(Result(name, outcome, done.stdout, shlex.join(["python3" if c == sys.executable else c for c in command])))
    return results


def build(options: argparse.Namespace) -> Result | None:
    """Builds everything the tests need. Returns: a failure, or None."""
    terminal = sys.stderr.isatty()
    environment = {**os.environ, "NINJA_STATUS": "  [%f/%t] "}
    start = time.monotonic()
    print(f"Building the tests in {options.build.relative_to(ROOT)} ...", flush=True)
    command = ["ninja", "-C", str(options.build)]
    done = run(command, env=environment) if terminal else captured(command, env=environment)
    print(f"  built in {time.monotonic() - start:.0f} s", flush=True)
    if done.returncode == 0:
        return None
    return Result("build", "failed", (done.stdout or "")[-6000:], f"ninja -C {options.build.relative_to(ROOT)}")


def junit_results(path: Path, again) -> list[Result]:
    """Reads a JUnit file. `again` makes the rerun command from (suite, name)."""
    results = []
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name, suite = case.get("name", ""), case.get("classname", "")
        output = "\n".join(filter(None, (node.text for node in case.iter() if node is not case)))
        skipped = case.find("skipped")
        failed = case.find("failure") is not None or case.find("error") is not None
        outcome = "failed" if failed else "skipped" if skipped is not None else "passed"
        if skipped is not None and not (skipped.get("message") or "").startswith(ALLOWED_SKIPS):
            outcome = "failed"
            output = f"skipped itself though all it needs should be here: {skipped.get('message')}\n{output}"
        if failed:
            broken = case.find("failure") if case.find("failure") is not None else case.find("error")
            output = "\n".join(filter(None, (broken.get("message"), output)))
        results.append(Result(f"{suite}::{name}" if suite != name else name, outcome, output, again(suite, name)))
    return results


def ctest(options: argparse.Namespace) -> list[Result]:
    report = options.build / "ctest.xml"
    report.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", str(options.build), "-j2", "--output-junit", str(report), "--output-on-failure"]
    if options.quick:
        command += ["-LE", "slow"]
    flag = " --asan" if options.asan else " --tsan" if options.tsan else ""
    names = listed_ctests(command, options.k)
    if not names:
        return []
    if options.k:
        numbers = ",".join(str(number) for number in names)
        command += ["-I", f"0,0,0,{numbers}"]
    print(f"Running {len(names)} C++ tests ...", flush=True)
    done = captured(command)
    if not report.exists():
        return [Result("ctest", "failed", done.stdout, shlex.join(command))]
    return junit_results(report, lambda _, name: f"./cutaway test{flag} -k {shlex.quote('^' + re.escape(name) + '$')}")


def listed_ctests(command: list[str], pattern: str | None) -> list[int]:
    """Returns: the CTest numbers of the tests whose name matches."""
    listing = captured([*command, "-N"]).stdout
    found = re.findall(r"Test +#(\d+): (.*)", listing)
    return [int(number) for number, name in found if not pattern or re.search(pattern, name.strip(), re.IGNORECASE)]


def pytest(options: argparse.Namespace) -> list[Result]:
    report = options.build / "pytest.xml"
    report.unlink(missing_ok=True)
    python = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    where = ["tests/python", "tests/inspector"]
    if options.quick:
        python += ["-m", "not slow"]
    environment = {**os.environ, "CUTAWAY_BUILD": str(options.build), "PYTHONDONTWRITEBYTECODE": "1",
                   "CUTAWAY_INSPECTOR": str(options.build / "inspector/app/cutaway-inspector")}
    if options.k:
        listing = captured([*python, "--collect-only", *where], env=environment).stdout.splitlines()
        where = [line for line in listing if "::" in line and re.search(options.k, line, re.IGNORECASE)]
        if not where:
            return []
    print("Running the Python tests ...", flush=True)
    done = captured([*python, f"--junitxml={report}", *where], env=environment)
    if not report.exists():
        return [Result("pytest", "failed", done.stdout, "./cutaway test -k tests/python")]
    return junit_results(report, lambda suite, name: f"./cutaway test -k {shlex.quote(re.escape(name) + '$')}")


def show(results: list[Result]) -> None:
    for result in results:
        if result.outcome == "failed":
            print(f"\nFAILED {result.name}\n{result.output.strip()[-4000:]}\n  again: {result.again}")
        elif result.outcome == "skipped":
            print(f"\nskipped {result.name}: {result.output.strip()[:300]}")


def main(argv: list[str]) -> int:
    options = arguments(argv)
    sanitized = options.asan or options.tsan
    results = [] if sanitized else cheap_checks(options.k)
    failure = build(options)
    if failure:
        results.append(failure)
    else:
        results += ctest(options)
        if not sanitized:
            results += pytest(options)
    show(results)
    counts = {outcome: sum(r.outcome == outcome for r in results) for outcome in ("passed", "failed", "skipped")}
    if not results:
        print(f"no test matches '{options.k}'")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] or not results else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
