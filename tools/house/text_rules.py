"""Banners, notes, names, and what no file may say."""

from __future__ import annotations

import re
from pathlib import Path

from house.tree import Finding, Source, Tree

NOTE_AT = re.compile(r"^\s*(?://|#)\s*Note \[([^\]]+)\]\s*$")
NOTE_CITED = re.compile(r"see Note \[([^\]]+)\]", re.IGNORECASE)
FORBIDDEN_NAMES = re.compile(r"(^|[/_])(utils?|helpers?|common|misc)([._/]|$)")
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b(?!\()")
MACHINE_PATH = re.compile(r"(?<![\w.])/(work|farm|root|home/\w+|tmp/\w+)/")


def check(tree: Tree) -> list[Finding]:
    found = []
    for path in tree.paths:
        if FORBIDDEN_NAMES.search(path.lower()) and not path.startswith("tests/fuzz/corpus"):
            found.append(Finding(path, 1, "the name says nothing; name the file after what it holds"))
    for source in tree.sources:
        if source.suffix in {".h", ".cuh"} and source.path.startswith(("src/", "inspector/")):
            found += _banner(source)
    found += _notes(tree)
    found += _words(tree)
    return found


def _banner(source: Source) -> list[Finding]:
    top = []
    for line in source.lines:
        if not line.startswith("//"):
            break
        top.append(line[2:].strip())
    if len(top) < 3 or not top[0]:
        return [Finding(source.path, 1, "open the header with prose: what it is, its invariants, its thread safety")]
    if not any(line.startswith("PyTorch:") for line in top):
        return [Finding(source.path, 1, "the banner names no counterpart; end it with `// PyTorch: path` or `none`")]
    return []


def _notes(tree: Tree) -> list[Finding]:
    found, defined = [], {}
    for source in tree.sources:
        for number, line in enumerate(source.lines, 1):
            match = NOTE_AT.match(line)
            if not match:
                continue
            if match.group(1) in defined:
                found.append(Finding(source.path, number, f"Note [{match.group(1)}] stands already in {defined[match.group(1)]}"))
            defined[match.group(1)] = source.path
    for source in tree.texts:
        if source.path.startswith("tests/python/"):
            continue
        for number, line in enumerate(source.lines, 1):
            for cited in NOTE_CITED.findall(line):
                if cited not in defined and cited != "Title":
                    found.append(Finding(source.path, number, f"Note [{cited}] is cited and stands nowhere"))
    return found


def _words(tree: Tree) -> list[Finding]:
    found = []
    for source in tree.texts:
        if source.path.startswith("tests/python/test_check_house"):
            continue
        for number, line in enumerate(source.lines, 1):
            if Path(source.path).suffix in {".h", ".cpp", ".py", ".c"} and UNFINISHED.search(line):
                found.append(Finding(source.path, number, "unfinished work needs its reason: write it out, or do it"))
            if MACHINE_PATH.search(line):
                found.append(Finding(source.path, number, "a path of one machine; write it relative to the tree"))
    return found
