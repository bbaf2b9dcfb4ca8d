"""Checks that need no build."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

from runner.progress import ROOT, captured
from runner.result import Result

BASH = re.compile(r"^#!.*\b(?:ba)?sh\b")

CHEAP = [
    ("check/house", ["python3", "tools/check_house.py"]),
    ("check/spec", ["python3", "tools/check_spec.py", "--require", "tools/spec_required.txt"]),
]


def tracked(*patterns: str) -> list[str]:
    """Returns: the files of this tree that match; none when it is no checkout."""
    listed = subprocess.run(["git", "ls-files", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=False)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def shell_scripts() -> list[str]:
    """Returns: the tracked files whose first line names a shell."""
    found = []
    for name in tracked() or ["cutaway", ".ci/run", "tools/oracle"]:
        path = ROOT / name
        if path.suffix in ("", ".sh"):
            with path.open("rb") as file:
                if BASH.match(file.readline(80).decode(errors="replace")):
                    found.append(name)
    return found


def _run(name: str, command: list[str]) -> Result:
    done = captured([sys.executable if word == "python3" else word for word in command])
    return Result(name, "passed" if done.returncode == 0 else "failed", done.stdout, shlex.join(command))


def _chosen(pattern: str | None, checks: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    return [(name, command) for name, command in checks if not pattern or re.search(pattern, name, re.IGNORECASE)]


def cheap(pattern: str | None) -> list[Result]:
    """The rules of the house, the list of requirements, the style of sources and shell scripts: a few seconds."""
    sources = tracked("*.h", "*.cpp")
    checks = [*CHEAP, ("check/format", ["clang-format", "--dry-run", "-Werror", *sources]),
              ("check/shell", ["shellcheck", *shell_scripts()])]
    return [_run(name, command) for name, command in _chosen(pattern, checks)]
