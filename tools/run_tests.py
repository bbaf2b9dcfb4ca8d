"""Runs every test of the house: cheap checks, C++ tests (CTest), Python tests (pytest).

`./cutaway test` calls this after it has set up and configured. Each failure is printed with its output and the command
that runs only it again; the last line is always `N passed, N failed, N skipped`. Exit 1 when anything failed or nothing
matched. A test that skipped itself although all it needs is installed counts as failed (ALLOWED_SKIPS).
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from runner import checks, cpp, python  # noqa: E402
from runner.progress import ROOT  # noqa: E402
from runner.result import Result, tell  # noqa: E402


def arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./cutaway test", description="Build and run every test.")
    parser.add_argument("--quick", action="store_true", help="leave out the slow tests")
    parser.add_argument("-k", metavar="PATTERN", help="only tests whose name matches this regular expression")
    sanitizer = parser.add_mutually_exclusive_group()
    sanitizer.add_argument("--asan", dest="sanitizer", action="store_const", const="asan",
                           help="the C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer")
    sanitizer.add_argument("--tsan", dest="sanitizer", action="store_const", const="tsan",
                           help="the C++ tests under ThreadSanitizer")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.k:
        try:
            re.compile(options.k)
        except re.error as error:
            parser.error(f"-k: '{options.k}' is not a regular expression: {error}")
    return options


def all_results(options: argparse.Namespace) -> list[Result]:
    whole = options.sanitizer is None
    results = checks.cheap(options.k) if whole else []
    for result in results:
        print(f"  {result.name}: {result.outcome}", flush=True)
    failures = cpp.build(options.build)
    if failures:
        return results + failures
    results += cpp.run(options.build, options.quick, options.k, options.sanitizer)
    if whole:
        results += python.run(options.build, options.quick, options.k)
    return results


def main(argv: list[str]) -> int:
    options = arguments(argv)
    results = all_results(options)
    if not results:
        print(f"no test matches '{options.k}'")
    return tell(results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
