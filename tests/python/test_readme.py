"""What the README tells a reader to paste, pasted."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CUTAWAY_BUILD", ROOT / "build/release"))
README = (ROOT / "README.md").read_text()


def block_after(text: str, fence: str) -> str:
    """Returns: the first fenced block of that kind after the place where `text` stands."""
    assert text in README, text
    rest = README[README.index(text):]
    found = re.search(rf"^```{fence}\n(.*?)^```", rest, re.MULTILINE | re.DOTALL)
    assert found, f"no ```{fence} block after '{text}'"
    return found.group(1)


def test_the_recording_example_builds_runs_and_opens(tmp_path):
    """The program and the lines below it, in a folder that looks like the checkout."""
    (tmp_path / "my.cpp").write_text(block_after("## Record your own program", "cpp"))
    for name in ("src", "cutaway"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "build").mkdir()
    (tmp_path / "build/release").symlink_to(BUILD)
    build, run, show = block_after("Then, after `./cutaway` has built once:", "").splitlines()
    subprocess.run(build, shell=True, executable="/bin/bash", cwd=tmp_path, check=True)
    subprocess.run(run, shell=True, cwd=tmp_path, check=True)
    assert show == "./cutaway show my.trace"
    inspector = BUILD / "inspector/app/cutaway-inspector"
    text = subprocess.run([inspector, "show", "my.trace", "--text"], cwd=tmp_path, check=True, text=True,
                          capture_output=True).stdout
    assert "y" in text and "transpose(0, 1)" in text, text
    assert "no storage" not in text, text


def test_the_readme_counts_the_view_operations():
    """The number it gives is the length of the list that an unknown operation is answered with."""
    inspector = BUILD / "inspector/app/cutaway-inspector"
    answer = subprocess.run([inspector, "open", ROOT / "samples/digits.npz", "--view", "images.nothing()", "--text"],
                            text=True, capture_output=True, check=False).stderr
    listed = answer[answer.index("there are") + len("there are"):answer.index(" at column")]
    told = re.search(r"and (\d+) view operations", README)
    assert told and int(told.group(1)) == len(re.findall(r"\w+", listed)), listed
    assert shutil.which("g++"), "the README's build line is for g++"
