"""What a real window costs: until it is on the screen, and while nothing happens. Target beside figure.

Opens the inspector under Xvfb. Usage: window_benchmark.py --build FOLDER
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SETTLE_SECONDS, IDLE_SECONDS, STARTS = 3, 5, 5
TARGETS = {"window, visible after its start": (400, "ms"), "idle, of one processor": (5, "%")}


def show(what: str, figure: float) -> None:
    target, unit = TARGETS[what]
    verdict = "held" if figure <= target else "MISSED"
    print(f"{what:<46} {target:>8} {unit:<2} {figure:>9.2f} {unit:<2}  {verdict}", flush=True)


def processor_seconds(pid: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_visible(environment: dict[str, str]) -> bool:
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "cutaway"], env=environment,
                           capture_output=True, check=False)
    return bool(found.stdout.strip())


def start(inspector: Path, environment: dict[str, str], folder: str) -> tuple[subprocess.Popen, float]:
    """Returns: the process and after how many milliseconds its window was there."""
    begin = time.monotonic()
    process = subprocess.Popen([str(inspector), "tour"], env=environment, cwd=folder, stdout=subprocess.DEVNULL)
    while not is_visible(environment):
        if process.poll() is not None or time.monotonic() - begin > 30:
            process.kill()
            raise RuntimeError("the inspector opened no window")
    return process, (time.monotonic() - begin) * 1e3


def measure(inspector: Path, environment: dict[str, str], folder: str) -> None:
    times = []
    for turn in range(STARTS):
        process, milliseconds = start(inspector, environment, folder)
        times.append(milliseconds)
        if turn == STARTS - 1:
            time.sleep(SETTLE_SECONDS)
            before = processor_seconds(process.pid)
            time.sleep(IDLE_SECONDS)
            used = processor_seconds(process.pid) - before
        process.terminate()
        process.wait(10)
    show("window, visible after its start", statistics.median(times))
    show("idle, of one processor", used / IDLE_SECONDS * 100)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    options = parser.parse_args(argv)
    for program in ("Xvfb", "xdotool"):
        if not shutil.which(program):
            print(f"{program} is missing; ./cutaway test installs it", file=sys.stderr)
            return 1
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x900x24", "-nolisten", "tcp",
                               "-noreset"], pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    number = os.fdopen(read).readline().strip()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DISPLAY": f":{number}", "XDG_CONFIG_HOME": folder}
        environment.pop("WAYLAND_DISPLAY", None)
        try:
            measure((options.build / "inspector/app/cutaway-inspector").resolve(), environment, folder)
        finally:
            server.terminate()
            server.wait(10)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
