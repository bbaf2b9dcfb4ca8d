"""The launcher's command line; what it sets up is tried on a bare machine, not here."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def launch(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([str(ROOT / "cutaway"), *arguments], capture_output=True, text=True, check=False, timeout=60,
                          stdin=subprocess.DEVNULL, cwd=ROOT, env={**os.environ, "PATH": os.environ["PATH"]})


def test_help_names_the_commands():
    """--help is enough to begin."""
    done = launch("--help")
    assert done.returncode == 0
    for command in ("open FILE", "show TRACE", "test", "doctor", "bench"):
        assert command in done.stdout


@pytest.mark.parametrize("command", ["learn", "explain", "op", "why", "journey", "run", "attach"])
def test_what_is_not_there_yet_says_so(command):
    """A missing part is an error that says so, never a silent no-op."""
    done = launch(command, "abs")
    assert done.returncode == 2
    assert "not in this version" in done.stderr


def test_an_unknown_command_is_refused():
    """The message names it."""
    done = launch("frobnicate")
    assert done.returncode == 2
    assert "there is no command 'frobnicate'" in done.stderr


@pytest.mark.parametrize(("arguments", "message"), [
    (("bench", "nothing"), "there is no benchmark 'nothing'; there are files, traces, inspector and window"),
    (("doctor", "now"), "'now' is not expected"),
    (("samples/digits.npz",), "but a file of that name: ./cutaway open samples/digits.npz"),
    (("test", "--fast"), "'--fast' is not expected"),
])
def test_a_wrong_word_is_told_before_anything_is_built(arguments, message):
    """Exit code 2, and what there is instead."""
    done = launch(*arguments)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.parametrize("arguments", [("--help",), ("test", "--help"), ("bench", "--help"), ("doctor", "--help"), ("--version",)])
def test_help_is_on_stdout(arguments):
    """So that it can be piped."""
    done = launch(*arguments)
    assert done.returncode == 0
    assert done.stdout and not done.stderr


def test_a_bad_test_pattern_is_refused():
    """-k takes a regular expression; a broken one is told before anything is built."""
    done = subprocess.run(["python3", str(ROOT / "tools/run_tests.py"), "-k", "("], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "is not a regular expression" in done.stderr
