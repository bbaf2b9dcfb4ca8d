"""The readers and writers of src/io against NumPy and safetensors."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import safetensors
from safetensors.numpy import save_file

import io_expectations

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CUTAWAY_BUILD", ROOT / "build/release"))
KEYS = ["dtype", "sizes", "strides", "storage_offset", "storage_nbytes", "bytes"]


def io_dump(*words) -> list[dict]:
    program = BUILD / "tests/io/io_dump"
    assert program.exists(), f"{program} is missing: build it with `ninja -C {BUILD} io_dump`"
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("make", [io_expectations.make_npy_files, io_expectations.make_npz_files,
                                  io_expectations.make_safetensors_files], ids=["npy", "npz", "safetensors"])
def test_listing_equals_numpy_and_safetensors(tmp_path, make):
    paths = make(tmp_path)
    listings = io_dump("list", *paths)
    assert [listing.get("error") for listing in listings] == [None] * len(paths)
    wrong = [line for path, listing in zip(paths, listings)
             for line in io_expectations.differences(listing, path, KEYS)]
    assert not wrong, "\n".join(wrong[:20])


def test_raw_bytes_lie_where_the_listing_says(tmp_path):
    for path in io_expectations.make_files(tmp_path):
        data = path.read_bytes()
        for tensor in io_dump("list", path)[0]["tensors"]:
            if not tensor["compressed"] and tensor["byte_order"] != "big" and tensor["bytes"] is not None:
                assert data[tensor["file_begin"]:tensor["file_end"]].hex() == tensor["bytes"], (path, tensor["name"])


def test_metadata_and_dtype_text_are_the_files_own(tmp_path):
    io_expectations.make_safetensors_files(tmp_path)
    listing = io_dump("list", tmp_path / "a.safetensors")[0]
    with safetensors.safe_open(tmp_path / "a.safetensors", "np") as file:
        assert listing["metadata"] == file.metadata()
    assert {t["name"]: t["dtype_text"] for t in listing["tensors"]}["bfloat16.4"] == "BF16"
    np.save(tmp_path / "x.npy", np.zeros(3, ">f4"))
    assert io_dump("list", tmp_path / "x.npy")[0]["tensors"][0]["dtype_text"] == ">f4"


def test_objects_are_listed_and_not_unpickled(tmp_path):
    class Planted:
        def __reduce__(self):
            return os.system, (f"touch {tmp_path}/planted",)

    np.save(tmp_path / "o.npy", np.array([Planted()], object), allow_pickle=True)
    np.savez(tmp_path / "o.npz", good=np.arange(3), bad=np.array([Planted()], object))
    single, archive = io_dump("list", tmp_path / "o.npy", tmp_path / "o.npz")
    assert "never opened" in single["tensors"][0]["reason"]
    assert [bool(t["reason"]) for t in archive["tensors"]] == [False, True]
    assert not (tmp_path / "planted").exists()


def written_array(facts: dict) -> np.ndarray:
    dtype = ml_dtypes.bfloat16 if facts["dtype"] == "bfloat16" else io_expectations.NUMPY_DTYPES[facts["dtype"]]
    flat = np.frombuffer(bytes.fromhex(facts["bytes"]), dtype)
    return flat.reshape(facts["sizes"], order="F" if facts["fortran"] else "C")


def assert_same(array: np.ndarray, facts: dict) -> None:
    wanted = written_array(facts)
    assert array.dtype == wanted.dtype
    assert array.shape == wanted.shape
    assert array.tobytes() == wanted.tobytes()
    if facts["fortran"]:
        assert array.flags.f_contiguous


def test_numpy_and_safetensors_read_what_is_written(tmp_path):
    for file in io_dump("write", tmp_path):
        path = Path(file["path"])
        facts = file["tensors"]
        if path.suffix == ".npy":
            assert_same(np.load(path), *facts.values())
            continue
        if path.suffix == ".npz":
            assert zipfile.ZipFile(path).testzip() is None
            loaded = np.load(path)
        else:
            loaded = safetensors_arrays(path)
            with safetensors.safe_open(path, "np") as opened:
                assert opened.metadata() == {"format": "pt", "k\"\u00e9": "v\n"}
        assert sorted(loaded) == sorted(facts)
        for name, one in facts.items():
            assert_same(loaded[name], one)


def safetensors_arrays(path: Path) -> dict[str, np.ndarray]:
    kinds = {"BF16": ml_dtypes.bfloat16, "BOOL": np.bool_, "U8": np.uint8, "I8": np.int8, "I16": np.int16,
             "I32": np.int32, "I64": np.int64, "F16": np.float16, "F32": np.float32, "F64": np.float64}
    return {name: np.frombuffer(facts["data"], kinds[facts["dtype"]]).reshape(facts["shape"])
            for name, facts in safetensors.deserialize(path.read_bytes())}


def test_safetensors_are_written_byte_for_byte_as_the_reference_library_writes_them(tmp_path):
    written = next(f for f in io_dump("write", tmp_path) if f["path"].endswith(".safetensors"))
    path = Path(written["path"])
    with safetensors.safe_open(path, "np") as file:
        metadata = file.metadata()
    data = path.read_bytes()
    reference = tmp_path / "reference.safetensors"
    for _ in range(200):  # the library keeps metadata in no fixed order
        save_file({name: written_array(facts) for name, facts in written["tensors"].items()}, reference, metadata)
        if reference.read_bytes() == data:
            return
    assert reference.read_bytes() == data

