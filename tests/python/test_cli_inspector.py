"""The inspector's command line: what it prints, draws, refuses."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import io_expectations
import numpy as np
import pytest
from PIL import Image

BUILD = Path(os.environ.get("CUTAWAY_BUILD", Path(__file__).resolve().parents[2] / "build/release"))


def test_text_lists_what_is_in_the_file(inspector, samples):
    """Names, dtypes, shapes, strides, offsets and storage bytes stand in one table."""
    done = inspector.run("open", samples / "mlp.safetensors", "--text")
    assert done.returncode == 0
    assert re.search(r"fc1\.weight +float32 +\(32, 64\) +\(64, 1\) +0 +8192", done.stdout)


@pytest.mark.parametrize("name", ["digits.npz", "digits_images.npy", "fortran_order.npy", "big_endian.npy", "mlp.safetensors",
                                  "mlp.npz", "dtypes.npz", "dtypes.safetensors"])
def test_listing_equals_numpy_and_safetensors(inspector, samples, name):
    """Every sample, every dtype: the listing is what the reference libraries say."""
    frame = inspector.json("open", samples / name)
    wanted = io_expectations.expected(samples / name)
    got = {t["name"]: t for t in frame["tensors"]}
    readable = {k: v for k, v in wanted.items() if v["dtype"]}
    assert set(got) == set(readable)
    assert {e["name"] for e in frame["unreadable"]} == set(wanted) - set(readable)
    for key, entry in readable.items():
        assert got[key]["dtype"] == entry["dtype"], key
        assert got[key]["shape"] == list(entry["sizes"]), key
        assert got[key]["strides"] == list(entry["strides"]), key
        assert got[key]["offset"] == 0, key
        assert got[key]["storage_bytes"] == entry["storage_nbytes"], key


def test_what_cannot_be_shown_has_a_reason(inspector, samples):
    """A dtype we lack does not spoil the rest of the file."""
    frame = inspector.json("open", samples / "dtypes.safetensors")
    assert {e["name"] for e in frame["unreadable"]} == {"lacking.uint16", "lacking.float8_e4m3", "lacking.complex64"}
    assert all(e["reason"] for e in frame["unreadable"])


def test_a_picture_twice_is_the_same_bytes(inspector, samples):
    """The same command gives the same picture."""
    pictures = []
    for name in ("a.png", "b.png"):
        done = inspector.run("open", samples / "digits.npz", "--select", "images", "--view",
                             "images[3:7, ::2].transpose(1, 2)", "--panel", "storage", "--png", name)
        assert done.returncode == 0, done.stderr
        pictures.append((inspector.cwd / name).read_bytes())
    assert pictures[0][:8] == b"\x89PNG\r\n\x1a\n"
    assert pictures[0] == pictures[1]


def test_a_refused_view_names_the_two_dimensions(inspector, samples):
    """M1 VIEW-4a The text of the refusal and why, with the numbers."""
    done = inspector.run("open", samples / "digits.npz", "--view", "images.transpose(1,2).view(-1)", "--text", "--panel", "storage")
    assert done.returncode == 0
    assert "view size is not compatible with input tensor's size and stride" in " ".join(done.stdout.split())
    assert "Dimensions 1 and 2 cannot merge" in " ".join(done.stdout.split())
    assert "cannot merge\n" in done.stdout


@pytest.mark.parametrize(("expression", "message"), [
    ("images[1:4", "expected ']'"),
    ("images.flip(0)", "'flip' is no view operation"),
    ("nothing[0]", "no tensor is called 'nothing'"),
    ("images.transpose(0)", "missing 1 required positional argument: 'dim1'"),
    ("images[", "expected an integer"),
    ("", "expected the name of a tensor"),
])
def test_a_bad_expression_gets_a_caret(inspector, samples, expression, message):
    """The place is pointed at; nothing crashes."""
    done = inspector.run("open", samples / "digits.npz", "--view", expression, "--text")
    assert done.returncode == 2
    assert message in done.stderr
    assert re.search(r"\n +\^", done.stderr)


@pytest.mark.parametrize(("arguments", "code", "message"), [
    (["open", "missing.npy"], 1, "missing.npy"),
    (["open"], 2, "FILE"),
    (["show", "missing.trace"], 1, "missing.trace"),
    (["open", "{digits}", "--size", "10x10"], 2, "--size"),
    (["open", "{digits}", "--theme", "pink"], 2, "pink"),
    (["open", "{digits}", "--panel", "nose", "--text"], 2, "nose"),
    (["open", "{digits}", "--at", "99999", "--text"], 2, "there is no event 99999"),
    (["open", "{digits}", "--select", "nose", "--text"], 2, "no tensor is called 'nose'"),
    (["open", "{digits}", "--png", "no/such/folder/a.png"], 1, "cannot be written"),
    (["open", "{digits}", "--png", "a.jpg"], 2, "does not end in .png"),
    (["nonsense"], 2, "nonsense"),
])
def test_bad_arguments_say_what_was_expected(inspector, samples, arguments, code, message):
    """One line that names what was wrong."""
    done = inspector.run(*[a.format(digits=samples / "digits.npz") for a in arguments])
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "terminate" not in done.stderr


def test_without_a_display_nothing_fails(inspector, samples):
    """It says so, prints the text, writes the picture, names it, exits 0."""
    done = inspector.run("open", samples / "digits.npz")
    assert done.returncode == 0
    assert done.stdout.startswith("No display here")
    assert "picture: cutaway-out/frame.png" in done.stdout
    assert (inspector.cwd / "cutaway-out/frame.png").stat().st_size > 10_000


def test_the_tour_tells_every_step(inspector):
    """A picture and a text for each step."""
    done = inspector.run("tour", "--size", "800x500")
    assert done.returncode == 0, done.stderr
    assert "Why view() refuses" in done.stdout
    steps = int(re.search(r"step 1 of (\d+)", done.stdout).group(1))
    assert len(list((inspector.cwd / "cutaway-out").glob("tour-*.png"))) == steps >= 10


def test_a_foreign_file_is_no_trace(inspector, samples):
    """show on a tensor file says what it is, and where it looked."""
    done = inspector.run("show", samples / "digits.npz", "--text")
    assert done.returncode == 1
    assert "trace" in done.stderr and "byte 0" in done.stderr


def test_values_of_a_view_are_numpy_s(inspector, samples, tmp_path):
    """VIEW-1 The cells a view lights hold what NumPy's view holds."""
    array = np.arange(60, dtype=np.int32).reshape(3, 4, 5)
    np.save(tmp_path / "x.npy", array)
    done = inspector.run("open", tmp_path / "x.npy", "--view", "x[1, 1:3].transpose(0, 1)", "--text", "--panel", "storage")
    lit = sorted(int(v) for v, letters in re.findall(r"(\d+):(\w+)", done.stdout) if "c" in letters)
    assert lit == sorted(array[1, 1:3].T.ravel().tolist())


@pytest.mark.parametrize("panel", ["explorer", "storage", "lab", "card", "timeline", "details"])
def test_every_panel_has_text(inspector, samples, panel):
    """UI-1 Every panel reads the same models as the picture and has a text."""
    done = inspector.run("open", samples / "mlp.safetensors", "--panel", panel, "--text")
    assert done.returncode == 0 and len(done.stdout) > 40


def test_a_file_of_which_nothing_can_be_shown_says_so_everywhere(inspector, tmp_path):
    """No panel pretends that nothing is open."""
    np.save(tmp_path / "objects.npy", np.array([{}, None], dtype=object))
    done = inspector.run("open", tmp_path / "objects.npy", "--text")
    assert done.returncode == 0, done.stderr
    assert "Nothing in this file can be shown; the Explorer gives the reason." in done.stdout
    assert "1 entry of the file cannot be a tensor here" in done.stdout
    assert "nothing is open" not in done.stdout and "open FILE" not in done.stdout


def test_json_holds_numbers_as_numbers(inspector, samples):
    """No groups of three, no words around them."""
    done = inspector.run("open", samples / "digits.npz", "--json", "--panel", "card")
    fields = json.loads(done.stdout)["fields"]
    assert fields["sizes"] == [1797, 8, 8] and fields["strides"] == [64, 8, 1]
    assert fields["elements"] == 115008 and fields["requires grad"] is False


def test_a_trace_that_was_cut_off_opens_in_part(inspector, tmp_path):
    """The error names --partial, and --partial shows what is whole and says what is not."""
    whole = (BUILD / "tour.trace").read_bytes()
    (tmp_path / "cut.trace").write_bytes(whole[:len(whole) // 3])
    refused = inspector.run("show", tmp_path / "cut.trace", "--text")
    assert refused.returncode == 1 and "--partial shows them" in refused.stderr
    shown = inspector.run("show", "--partial", tmp_path / "cut.trace", "--text")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("problem: ") and "STORAGE" in shown.stdout


def test_a_view_far_down_is_on_the_picture(inspector, samples, tmp_path):
    """The whole window scrolls to what was asked for: its cells are lit in the colour of the second view."""
    done = inspector.run("open", samples / "digits.npz", "--view", "images[900:907, ::2]", "--png", tmp_path / "a.png")
    assert done.returncode == 0, done.stderr
    pixels = np.asarray(Image.open(tmp_path / "a.png").convert("RGB")).astype(int)[150:500, 280:1200]
    orange = (pixels[..., 0] > 150) & (pixels[..., 2] < 110) & (pixels[..., 1] > 90)
    assert orange.sum() > 2000
