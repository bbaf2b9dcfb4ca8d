"""Runs the benchmarks one after the other; each prints target beside figure. `./cutaway bench` builds them first."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = [("files", "io_bench", False), ("traces", "trace_bench", False), ("the inspector", "inspector_bench", True)]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./cutaway bench", description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("only", nargs="*", help="only these: files, traces, inspector")
    options = parser.parse_args(argv)
    failed = 0
    print(f"{os.cpu_count()} processors; figures are of this machine, now")
    for title, program, wants_folder in PROGRAMS:
        if options.only and not any(word in title for word in options.only):
            continue
        print(f"\n{title}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            command = [str(options.build / "benchmarks" / program), *([folder] if wants_folder else [])]
            failed += subprocess.run(command, check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
