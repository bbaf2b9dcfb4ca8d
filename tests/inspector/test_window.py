"""A real window under Xvfb, driven from outside by xdotool as a person's hands would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CUTAWAY_BUILD", ROOT / "build/release"))
INSPECTOR = Path(os.environ.get("CUTAWAY_INSPECTOR", BUILD / "inspector/app/cutaway-inspector"))


class Window:
    """The inspector on a screen of its own. Its title names the current event."""

    def __init__(self, display: str, folder: Path, arguments: list[str]):
        self.environment = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(folder), "LIBGL_ALWAYS_SOFTWARE": "1"}
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.process = subprocess.Popen([str(INSPECTOR), *arguments], env=self.environment, cwd=folder)
        self.window = self._find()

    def _find(self) -> str:
        for _ in range(300):
            found = self.tool("search", "--onlyvisible", "--class", "cutaway", check=False)
            if found:
                self.tool("windowfocus", found.splitlines()[0])
                time.sleep(0.5)
                return found.splitlines()[0]
            assert self.process.poll() is None, "the inspector ended before its window came"
            time.sleep(0.1)
        raise AssertionError("no window after thirty seconds")

    def tool(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(["xdotool", *arguments], env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout.strip()

    def press(self, *keys: str) -> None:
        self.tool("key", "--delay", "1", *keys)

    def title(self) -> str:
        return self.tool("getwindowname", self.window)

    def event(self) -> int:
        """The event in the window's title, once it has stayed the same for a while."""
        last, since = None, time.monotonic()
        while time.monotonic() - since < 1.0:
            now = int(re.search(r"event (\d+)", self.title()).group(1))
            if now != last:
                last, since = now, time.monotonic()
            time.sleep(0.05)
        return last

    def wait_for(self, event: int) -> bool:
        """Whether the title comes to name that event within ten seconds: the machine may be busy."""
        for _ in range(200):
            if int(re.search(r"event (\d+)", self.title()).group(1)) == event:
                return True
            time.sleep(0.05)
        return False

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)


@pytest.fixture(scope="module")
def display():
    for program in ("Xvfb", "xdotool"):
        assert shutil.which(program), f"{program} is missing; tools/packages.txt lists it"
    read, write = os.pipe()
    # -noreset: else it starts over when one inspector ends, just as the next one comes.
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x900x24", "-nolisten", "tcp",
                               "-noreset"], pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    number = os.fdopen(read).readline().strip()
    assert number, "Xvfb did not start"
    for _ in range(50):
        asked = subprocess.run(["xdotool", "getdisplaygeometry"], env={**os.environ, "DISPLAY": f":{number}"}, check=False,
                               capture_output=True)
        if asked.returncode == 0:
            break
        time.sleep(0.1)
    yield f":{number}"
    server.terminate()
    server.wait(10)


@pytest.fixture
def window(display, tmp_path):
    opened = Window(display, tmp_path, ["tour", "--size", "1200x760"])
    yield opened
    opened.close()


def test_twenty_fast_keys_are_twenty_operators(window):
    """Twenty F10 at once advance exactly twenty operators; none is lost between frames."""
    window.press("Home")
    assert window.wait_for(0), window.title()
    window.press(*["F10"] * 20)
    fast = window.event()
    window.press("Home")
    assert window.wait_for(0), window.title()
    for _ in range(20):
        window.press("F10")
        time.sleep(0.15)
    assert window.wait_for(fast) and fast > 20, window.title()


def test_typing_in_a_field_triggers_no_shortcut(window):
    """The letters of a filter are letters: the event stays, the theme stays, nothing quits."""
    window.press("Home")
    assert window.wait_for(0), window.title()
    window.press("slash")
    time.sleep(0.5)
    window.tool("type", "--delay", "20", "wasd f c 0 1 2")
    assert window.event() == 0
    window.press("Escape", "Right")
    assert window.wait_for(1), window.title()


def test_a_resized_window_goes_on(window):
    """Other sizes, small ones too, and it still answers."""
    for width, height in ((800, 500), (500, 400), (1300, 850)):
        window.tool("windowsize", window.window, str(width), str(height))
        time.sleep(0.3)
    window.press("Home")
    assert window.wait_for(0), window.title()
    window.press("Right", "Right", "Right")
    assert window.wait_for(3), window.title()


def test_ctrl_g_goes_to_an_event(window):
    """Ctrl+G, a number, Enter."""
    window.press("ctrl+g")
    time.sleep(2)
    window.tool("type", "--delay", "100", "42")
    window.press("Return")
    assert window.wait_for(42), window.title()


def test_ctrl_q_quits(window):
    """It ends by itself with exit code 0."""
    window.press("ctrl+q")
    assert window.process.wait(30) == 0
