"""What a listing of tensor files must say, worked out by NumPy and safetensors and by nothing of ours.

`make_files` writes files of every kind with those two libraries; `expected` reads one back with them and says what
must be listed: for each tensor its dtype, sizes, strides, storage offset, bytes of storage, and the bytes themselves
in the order of this (little-endian) machine. `differences` compares that with a listing of ours, whoever printed it.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np
import safetensors
from safetensors.numpy import save_file

# NumPy's dtypes that Cutaway has, and the names it lists them by. bfloat16 has no place in .npy.
NUMPY_DTYPES = {
    "bool": np.bool_, "uint8": np.uint8, "int8": np.int8, "int16": np.int16, "int32": np.int32, "int64": np.int64,
    "float16": np.float16, "float32": np.float32, "float64": np.float64,
}
FOREIGN_NUMPY_DTYPES = ["<u2", ">u4", "<u8", "<c8", ">c16", "<U3", "|S5", "<M8[ns]", "<m8[us]", "|V3",
                        [("x", "<f4"), ("y", ">i2", (2,))]]
SAFETENSORS_DTYPES = {
    "BOOL": "bool", "U8": "uint8", "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64", "F16": "float16",
    "BF16": "bfloat16", "F32": "float32", "F64": "float64", "U16": None, "U32": None, "U64": None, "F8_E4M3": None,
    "F8_E5M2": None, "C64": None,
}
SHAPES = [(), (1,), (5,), (0,), (3, 4), (2, 3, 4), (2, 0, 3), (1, 7, 1), (2, 1, 2, 1, 2, 1, 2)]


def random_array(dtype, shape, seed: int) -> np.ndarray:
    """Any bits at all, NaNs and infinities among them; bools are 0 or 1."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return random.integers(0, 2, shape).astype(np.bool_)
    if dtype.kind == "U":
        return np.full(shape, "a\u00e9\U0001F600"[: dtype.itemsize // 4], dtype)
    if dtype.kind in "mM":
        return random.integers(0, 2**60, shape).astype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    return np.frombuffer(random.bytes(count * dtype.itemsize), dtype).reshape(shape)


def make_files(folder: Path) -> list[Path]:
    """Writes files of every format, dtype, shape, order and version into `folder`."""
    return [*make_npy_files(folder), *make_npz_files(folder), *make_safetensors_files(folder)]


def make_npy_files(folder: Path) -> list[Path]:
    paths = []

    def save(array: np.ndarray, version=None) -> None:
        paths.append(folder / f"a{len(paths)}.npy")
        with paths[-1].open("wb") as file:
            np.lib.format.write_array(file, array, version=version)

    for name, dtype in NUMPY_DTYPES.items():
        for shape in SHAPES:
            array = random_array(dtype, shape, len(paths))
            for order in "CF":
                for sign in "<>":
                    save(np.array(array, order=order).astype(np.dtype(dtype).newbyteorder(sign)))
        for version in [(1, 0), (2, 0), (3, 0)]:
            save(random_array(dtype, (3, 4), 1), version)
    for dtype in FOREIGN_NUMPY_DTYPES:
        save(random_array(dtype, (2, 3), 1))
        save(np.asfortranarray(random_array(dtype, (2, 3), 1)))
    save(random_array([("\u00e9", "<f4")], (2,), 1), (3, 0))  # a name that only version 3.0 can hold
    return paths


def make_npz_files(folder: Path) -> list[Path]:
    arrays = {f"{name}.{i}": random_array(dtype, shape, i) for name, dtype in NUMPY_DTYPES.items()
              for i, shape in enumerate(SHAPES)}
    arrays["fortran"] = np.asfortranarray(random_array("<f4", (3, 5, 2), 7))
    arrays["big"] = random_array(">f8", (3, 5), 7)
    arrays["foreign"] = random_array("<u2", (3, 5), 7)
    arrays["folder/name"] = random_array("<i4", (3,), 7)
    arrays["\u00e9t\u00e9"] = random_array("<i4", (3,), 7)
    arrays["zeros"] = np.zeros((700, 900), np.float32)  # packs 1000 : 1
    np.savez(folder / "stored.npz", **arrays)
    np.savez_compressed(folder / "deflated.npz", **arrays)
    # One pass, as into a pipe: sizes follow each member in a data descriptor.
    with (folder / "streamed.npz").open("wb") as file:
        unseekable = type("Pipe", (), {"write": file.write, "flush": file.flush})()
        with zipfile.ZipFile(unseekable, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, array in arrays.items():
                with archive.open(name + ".npy", "w") as member:
                    np.lib.format.write_array(member, np.asanyarray(array))
        file.flush()
    return [folder / "stored.npz", folder / "deflated.npz", folder / "streamed.npz"]


def make_safetensors_files(folder: Path) -> list[Path]:
    kinds = {**NUMPY_DTYPES, "bfloat16": ml_dtypes.bfloat16, "uint16": np.uint16, "uint32": np.uint32,
             "uint64": np.uint64}
    arrays = {f"{name}.{i}": random_array(dtype, shape, i) for name, dtype in kinds.items()
              for i, shape in enumerate(SHAPES)}
    save_file(arrays, folder / "a.safetensors", metadata={"format": "np", "quote \"": "\u00e9\\/"})
    save_file({}, folder / "none.safetensors")
    # The 8-bit floats, whatever the version of the library can write.
    header = {"e4m3": {"dtype": "F8_E4M3", "shape": [2, 3], "data_offsets": [0, 6]},
              "e5m2": {"dtype": "F8_E5M2", "shape": [2], "data_offsets": [6, 8]}}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (folder / "f8.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + bytes(range(8)))
    return [folder / "a.safetensors", folder / "none.safetensors", folder / "f8.safetensors"]


def contiguous_strides(sizes: list[int], fortran: bool) -> list[int]:
    """PyTorch's rule: a size of 0 counts as 1. NumPy's own strides agree wherever there is an element."""
    strides, step = [], 1
    for size in sizes if fortran else reversed(sizes):
        strides.append(step)
        step *= max(size, 1)
    return strides if fortran else strides[::-1]


def expected_array(array: np.ndarray, fortran: bool) -> dict:
    little = array.astype(array.dtype.newbyteorder("<"), order="K") if array.dtype.fields is None else array
    name = next((name for name, dtype in NUMPY_DTYPES.items() if little.dtype == np.dtype(dtype).newbyteorder("<")), None)
    strides = contiguous_strides(list(array.shape), fortran)
    if array.size > 0 and array.dtype.itemsize > 0:
        assert strides == [stride // array.dtype.itemsize for stride in array.strides]
    return {"dtype": name, "sizes": list(array.shape), "strides": strides, "storage_offset": 0,
            "storage_nbytes": array.nbytes, "bytes": little.tobytes("F" if fortran else "C").hex()}


def expected_npy(data: bytes) -> dict:
    fortran = b"'fortran_order': True" in data[:1000]  # an array without elements cannot be asked
    return expected_array(np.load(io.BytesIO(data)), fortran)


def expected(path: Path) -> dict[str, dict]:
    """What must be listed for `path`, by the name of each tensor."""
    if path.suffix == ".npy":
        return {path.stem: expected_npy(path.read_bytes())}
    if path.suffix == ".npz":
        with zipfile.ZipFile(path) as archive:
            loaded = {name.removesuffix(".npy"): expected_npy(archive.read(name)) for name in archive.namelist()}
        assert sorted(loaded) == sorted(np.load(path).files)
        return loaded
    return expected_safetensors(path)


def expected_safetensors(path: Path) -> dict[str, dict]:
    loaded = {}
    for name, facts in safetensors.deserialize(path.read_bytes()):
        sizes = list(facts["shape"])
        loaded[name] = {"dtype": SAFETENSORS_DTYPES[facts["dtype"]], "sizes": sizes,
                        "strides": contiguous_strides(sizes, False), "storage_offset": 0,
                        "storage_nbytes": len(facts["data"]), "bytes": bytes(facts["data"]).hex()}
    return loaded


def differences(listing: dict, path: Path, keys: list[str]) -> list[str]:
    """Where a listing (a dict with "tensors", each with "name", "reason" and `keys`) differs from `expected(path)`."""
    wanted = expected(path)
    found = {tensor["name"]: tensor for tensor in listing["tensors"]}
    wrong = [f"{path.name}: {name} is not listed" for name in wanted.keys() - found.keys()]
    wrong += [f"{path.name}: {name} should not be listed" for name in found.keys() - wanted.keys()]
    for name in wanted.keys() & found.keys():
        wrong += [f"{path.name}: {name}.{key} is {str(found[name][key])[:200]}, expected {str(wanted[name][key])[:200]}"
                  for key in keys if found[name][key] != wanted[name][key]]
        if bool(found[name]["reason"]) != (wanted[name]["dtype"] is None):
            wrong.append(f"{path.name}: {name} has the reason {found[name]['reason']!r} and dtype {wanted[name]['dtype']}")
    return wrong
