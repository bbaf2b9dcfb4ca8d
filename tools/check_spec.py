"""Lists the requirements of tools/spec_ids.txt with the tests that carry their ids.

A C++ test carries an id in its name, TEST_CASE("VIEW-4a t().view(12) ..."); a Python test in its docstring. Several ids
may stand together. The last line is `N of M covered`. With --require FILE, ids of that file without a test are an error.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ID = re.compile(r"\b(?:[A-Z]+-\d+[a-z]?|M\d+)\b")


def requirements() -> dict[str, str]:
    lines = (ROOT / "tools/spec_ids.txt").read_text().splitlines()
    pairs = (line.split(None, 1) for line in lines if line and not line.startswith("#"))
    return {name: text for name, text in pairs}


def test_titles() -> list[tuple[str, str]]:
    """Returns: (title, file) of every test."""
    found = []
    for path in sorted((ROOT / "tests").rglob("*_test.cpp")):
        for title in re.findall(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', path.read_text()):
            found.append((title, str(path.relative_to(ROOT))))
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name, doc in re.findall(r'def (test_\w+)\([^)]*\)[^:]*:\s*"""(.*?)"""', path.read_text(), re.S):
            found.append((f"{name}: {doc}", str(path.relative_to(ROOT))))
    return found


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--require", type=Path, help="a file of ids that must have a test")
    options = parser.parse_args(argv)
    known = requirements()
    carriers: dict[str, list[str]] = {}
    for title, path in test_titles():
        for name in ID.findall(title):
            carriers.setdefault(name, []).append(f"{path}: {title.splitlines()[0]}")
    for name, text in known.items():
        print(f"{name:8} {text}")
        for carrier in carriers.get(name, []):
            print(f"         - {carrier}")
    missing = []
    if options.require:
        lines = options.require.read_text().splitlines()
        wanted = [word for line in lines if not line.startswith("#") for word in line.split()]
        missing = [name for name in wanted if name not in carriers]
        for name in missing:
            print(f"{name} has no test, and {options.require} says it must have one")
    print(f"{sum(name in carriers for name in known)} of {len(known)} covered")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
