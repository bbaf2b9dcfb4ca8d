"""Makes the seed files of tests/fuzz/corpus/ for the tensor formats with NumPy and safetensors.

Small ones: a fault is found by the header it is in, not by the number of elements behind it.

    python tests/fuzz/make_corpus.py
"""

import io
import json
import struct
import zipfile
from pathlib import Path

import numpy as np
from safetensors.numpy import save

CORPUS = Path(__file__).resolve().parent / "corpus"
FIRST_DATE = (1980, 1, 1, 0, 0, 0)


def npy(array: np.ndarray, version=None) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


def archive(arrays: dict[str, np.ndarray], method: int, zip64: bool = False, comment: bytes = b"",
            streamed: bool = False) -> bytes:
    out = io.BytesIO()
    target = type("Pipe", (), {"write": out.write, "flush": out.flush})() if streamed else out
    with zipfile.ZipFile(target, "w") as file:
        file.comment = comment
        for name, array in arrays.items():
            info = zipfile.ZipInfo(name + ".npy", FIRST_DATE)
            info.compress_type = method
            with file.open(info, "w", force_zip64=zip64) as member:
                member.write(npy(array))
    return out.getvalue()


def safetensors_bytes(header: dict, data: bytes) -> bytes:
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def npy_seeds() -> dict[str, bytes]:
    matrix = np.arange(12, dtype="<f4").reshape(3, 4)
    records = np.zeros(2, [("x", "<f4"), ("y", ">i2", (2,)), ("z", [("a", "|u1"), ("b", "<c8")])])
    return {
        "c": npy(matrix), "fortran": npy(np.asfortranarray(matrix)), "big": npy(matrix.astype(">f8")),
        "scalar": npy(np.array(True)), "empty": npy(np.zeros((2, 0, 3), "<i8")), "v2": npy(matrix, (2, 0)),
        "v3": npy(np.zeros(2, [("\u00e9", "<f4")]), (3, 0)), "records": npy(records),
        "text": npy(np.array(["ab", "c"])), "big_complex": npy(np.ones(3, ">c16")),
        "object": npy(np.array([{"a": 1}, None], object)), "void": npy(np.zeros(3, "|V2")),
    }


def npz_seeds() -> dict[str, bytes]:
    arrays = {"a": np.arange(6, dtype="<i2").reshape(2, 3), "b/c": np.arange(400, dtype=">f4") % 7,
              "\u00e9": np.array([True, False])}
    deflated = archive(arrays, zipfile.ZIP_DEFLATED)
    return {
        "stored": archive(arrays, zipfile.ZIP_STORED), "deflated": deflated,
        "zip64": archive(arrays, zipfile.ZIP_DEFLATED, zip64=True),
        "streamed": archive(arrays, zipfile.ZIP_DEFLATED, streamed=True),
        "comment": archive({"x": np.zeros(3)}, zipfile.ZIP_STORED, comment=b"a comment"),
        "zeros": archive({"z": np.zeros(50_000, np.uint8)}, zipfile.ZIP_DEFLATED),
        "bzip2": archive({"x": np.zeros(3)}, zipfile.ZIP_BZIP2), "none": archive({}, zipfile.ZIP_STORED),
    }


def safetensors_seeds() -> dict[str, bytes]:
    kinds = [np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64, np.float16, np.float32, np.float64,
             np.uint16]
    return {
        "all": save({np.dtype(kind).name: np.ones((2, 3), kind) for kind in kinds}),
        "metadata": save({"w": np.zeros((3, 1), np.float32), "b": np.zeros((), np.float16)}, {"format": "pt"}),
        "none": save({}),
        "foreign": safetensors_bytes({"q": {"dtype": "F8_E4M3", "shape": [4], "data_offsets": [0, 4]},
                                      "r": {"dtype": "F4", "shape": [8], "data_offsets": [4, 8]},
                                      "later": {"dtype": "F32", "shape": [0], "data_offsets": [8, 8],
                                                "x": [{"y": 1}]}},
                                     bytes(8)),
    }


def main() -> None:
    for name, seeds in {"npy": npy_seeds(), "npz": npz_seeds(), "safetensors": safetensors_seeds()}.items():
        (CORPUS / name).mkdir(parents=True, exist_ok=True)
        for seed, data in seeds.items():
            (CORPUS / name / f"{seed}.{name}").write_bytes(data)


if __name__ == "__main__":
    main()
