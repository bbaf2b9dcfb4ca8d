"""What the Python tests share: the programs under test and a scratch home."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CUTAWAY_BUILD", ROOT / "build/release"))


class Inspector:
    """Runs the built inspector without a display."""

    def __init__(self, program: Path, cwd: Path):
        self.program, self.cwd = program, cwd

    def run(self, *arguments: object, **environment: str) -> subprocess.CompletedProcess:
        keep = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        return subprocess.run([str(self.program), *map(str, arguments)], cwd=self.cwd, capture_output=True, text=True,
                              timeout=120, stdin=subprocess.DEVNULL, check=False,
                              env={**keep, "XDG_CONFIG_HOME": str(self.cwd), **environment})

    def json(self, *arguments: object) -> dict:
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def inspector(tmp_path: Path) -> Inspector:
    program = Path(os.environ.get("CUTAWAY_INSPECTOR", BUILD / "inspector/app/cutaway-inspector"))
    assert program.exists(), f"{program} is not built; ./cutaway test builds it"
    return Inspector(program, tmp_path)


@pytest.fixture
def samples() -> Path:
    return ROOT / "samples"
