"""Golden pictures: every panel, and the README's, drawn anew and held against the ones kept in the tree.

Equal bytes pass at once; else at most 50 pixels may differ by more than 2 %, because processors round differently. A
failure leaves actual, expected and difference in the folder it names. CUTAWAY_UPDATE_GOLDENS=1 rewrites them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CUTAWAY_BUILD", ROOT / "build/release"))
INSPECTOR = Path(os.environ.get("CUTAWAY_INSPECTOR", BUILD / "inspector/app/cutaway-inspector"))
GOLDEN = Path(__file__).parent / "golden"
MOST_PIXELS, MOST_DIFFERENCE = 50, 0.02

CASES = {
    **{f"tour-{panel}": ["tour", "--at", "56", "--panel", panel, "--size", "900x560"]
       for panel in ("explorer", "storage", "lab", "card", "timeline", "details")},
    "storage-light": ["tour", "--at", "56", "--panel", "storage", "--theme", "light", "--size", "900x560"],
    "storage-large-text": ["tour", "--at", "56", "--panel", "storage", "--scale", "2", "--size", "1800x1120"],
    "nan-and-infinity": ["open", "samples/dtypes.safetensors", "--select", "float32", "--size", "1100x700"],
    "refused": ["open", "samples/digits.npz", "--view", "images.transpose(1,2).view(-1)", "--size", "1100x700"],
    "no-elements": ["open", "samples/dtypes.safetensors", "--select", "empty", "--size", "1100x700"],
    "scalar": ["open", "samples/dtypes.safetensors", "--select", "scalar", "--size", "1100x700"],
}


def pixels(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB")).astype(np.float32) / 255


def compare(actual: Path, expected: Path, folder: Path) -> None:
    if actual.read_bytes() == expected.read_bytes():
        return
    ours, kept = pixels(actual), pixels(expected)
    assert ours.shape == kept.shape, f"{actual} is {ours.shape}, {expected} is {kept.shape}"
    difference = np.abs(ours - kept).max(axis=2)
    beyond = int((difference > MOST_DIFFERENCE).sum())
    if beyond > MOST_PIXELS:
        shutil.copy(actual, folder / "actual.png")
        shutil.copy(expected, folder / "expected.png")
        Image.fromarray((np.minimum(difference * 4, 1) * 255).astype(np.uint8)).save(folder / "difference.png")
    assert beyond <= MOST_PIXELS, f"{beyond} pixels differ; see {folder}"


@pytest.mark.parametrize("case", CASES)
def test_a_panel_looks_as_it_did(case, tmp_path):
    """One picture a panel, and the cases that are easily got wrong."""
    actual, expected = tmp_path / f"{case}.png", GOLDEN / f"{case}.png"
    subprocess.run([str(INSPECTOR), *CASES[case], "--png", str(actual)], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    if os.environ.get("CUTAWAY_UPDATE_GOLDENS"):
        GOLDEN.mkdir(exist_ok=True)
        shutil.copy(actual, expected)
    compare(actual, expected, tmp_path)


def test_the_pictures_of_the_readme_are_the_program_s(tmp_path):
    """tools/make_pictures gives what the README shows."""
    subprocess.run([str(ROOT / "tools/make_pictures"), str(BUILD), str(tmp_path)], check=True, stdout=subprocess.DEVNULL)
    for name in ("tour.png", "open.png"):
        compare(tmp_path / name, ROOT / "docs" / name, tmp_path)
