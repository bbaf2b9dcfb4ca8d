"""Holds the tree to its own rules (CONTRIBUTING.md): who may include whom, sizes, banners, notes, names.

Prints `file:line: what is wrong; what to do` for each finding and a summary last. Needs only the standard library.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from house import include_rules, shape_rules, text_rules  # noqa: E402
from house.tree import Finding, Tree  # noqa: E402


def findings(tree: Tree) -> list[Finding]:
    found: list[Finding] = []
    for rule in (include_rules.check, shape_rules.check, text_rules.check):
        found += rule(tree)
    return sorted(found)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    tree = Tree(parser.parse_args(argv).root)
    found = findings(tree)
    for finding in found:
        print(f"{finding.path}:{finding.line}: {finding.text}")
    lengths = [len(source.lines) for source in tree.sources]
    median = int(statistics.median(lengths)) if lengths else 0
    print(f"house: {len(found)} findings in {len(lengths)} files, median {median} lines, longest {max(lengths, default=0)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
