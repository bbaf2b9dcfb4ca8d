"""Runs a program and tells how far it is: one line that changes on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS_BETWEEN_LINES = 30.0


class Progress:
    """`what` names the work; each step says how far it is."""

    def __init__(self, what: str):
        self.what = what
        self.begin = self.told = time.monotonic()
        self.terminal = sys.stderr.isatty()
        if not self.terminal:
            print(f"{what} ...", flush=True)

    def step(self, where: str) -> None:
        now = time.monotonic()
        if self.terminal:
            sys.stderr.write(f"\r\033[K  {self.what} {where[:90]}")
            sys.stderr.flush()
        elif now - self.told > SECONDS_BETWEEN_LINES:
            self.told = now
            print(f"  {where}", flush=True)

    def end(self, how: str) -> None:
        if self.terminal:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
        print(f"  {self.what}: {how} in {time.monotonic() - self.begin:.0f} s", flush=True)


def captured(command: list[str], environment: dict[str, str] | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False, env=environment)


def watched(command: list[str], progress: Progress, where: Callable[[str], str | None],
            environment: dict[str, str] | None = None) -> tuple[int, str]:
    """Runs `command`; `where` makes from a line of its output how far it is, or None. Returns: exit code, output."""
    lines = []
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", env=environment) as process:
        for line in process.stdout:
            lines.append(line)
            told = where(line)
            if told:
                progress.step(told)
    return process.returncode, "".join(lines)
