"""Runs the benchmarks one after the other; each prints target beside figure. `./cutaway bench` builds them first."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WINDOW = ROOT / "tools" / "window_benchmark.py"


def commands(build: Path, folder: str) -> list[tuple[str, list[str]]]:
    """Returns: what is run, each under the title that selects it."""
    programs = build / "benchmarks"
    return [
        ("files", [str(programs / "io_bench")]),
        ("traces", [str(programs / "trace_bench")]),
        ("the inspector", [str(programs / "inspector_bench"), folder]),
        ("its window", [sys.executable, str(WINDOW), "--build", str(build)]),
    ]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./cutaway bench", description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("only", nargs="*", help="only these: files, traces, inspector, window")
    options = parser.parse_args(argv)
    failed = ran = 0
    print(f"{os.cpu_count()} processors; figures are of this machine, now")
    with tempfile.TemporaryDirectory() as folder:
        for title, command in commands(options.build.resolve(), folder):
            if options.only and not any(word in title for word in options.only):
                continue
            print(f"\n{title}", flush=True)
            ran += 1
            failed += subprocess.run(command, cwd=folder, check=False).returncode != 0
    if not ran:
        print(f"no benchmark is called {' or '.join(options.only)}: there are files, traces, inspector, window",
              file=sys.stderr)
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
