"""Holds every source and every header to the second compiler: clang, warnings as errors, headers on their own.

clang only reads them (-fsyntax-only): what g++ has built is not built twice. A header that needs another one to be included
before it is found here. Usage: check_clang.py --build FOLDER [PATTERN]; the folder is a configured build.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ("src", "inspector", "lessons", "tests", "benchmarks")
CLANG = ["clang++-14", "clang++"]
KEPT = ("-D", "-I", "-isystem", "-std=")
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wno-missing-field-initializers", "-Werror"]


def kept_flags(command: str) -> list[str]:
    """Returns: those words of a g++ command line that say what is read, and as what."""
    words, kept = shlex.split(command), []
    for i, word in enumerate(words):
        if word in ("-I", "-isystem"):
            kept += [word, words[i + 1]]
        elif word.startswith(KEPT):
            kept.append(word)
    return kept


def jobs(build: Path) -> list[tuple[Path, list[str]]]:
    """Returns: each of our files with the flags it is read with. A header takes those of a source beside it."""
    flags: dict[Path, list[str]] = {}
    beside: dict[Path, list[str]] = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["file"]).resolve()
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in OURS:
            flags[path] = kept_flags(entry["command"])
            beside.setdefault(path.parent, flags[path])
    for folder in OURS:
        for header in (ROOT / folder).rglob("*.h"):
            home = next((parent for parent in header.parents if parent in beside), None)
            if home:
                flags[header] = beside[home]
    return sorted(flags.items())


def read(clang: str, path: Path, flags: list[str]) -> str:
    """Returns: what clang has to say, or nothing."""
    what = ["-x", "c++", "/dev/null", "-include", str(path)] if path.suffix == ".h" else [str(path)]
    command = [clang, "-fsyntax-only", *flags, *WARNINGS, *what]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr.replace(f"{ROOT}/", "") if done.returncode else ""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help="a configured build")
    parser.add_argument("pattern", nargs="?", default="", help="only files whose path holds this")
    options = parser.parse_args(argv)
    clang = next((name for name in CLANG if shutil.which(name)), None)
    if not clang:
        print(f"there is no clang here ({' or '.join(CLANG)}); tools/packages.txt names its package")
        return 2
    chosen = [(path, flags) for path, flags in jobs(options.build) if options.pattern in str(path.relative_to(ROOT))]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        said = list(filter(None, pool.map(lambda job: read(clang, *job), chosen)))
    for text in said:
        print(text)
    print(f"clang: {len(said)} of {len(chosen)} files have something wrong")
    return 1 if said or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
