"""Records conversions.txt: for every ordered pair of dtypes, awkward values and what PyTorch makes of them.

    .venv-oracle/bin/python tests/core/golden/record_conversions.py

A line is `from bytes to bytes`, bytes in hexadecimal, little-endian. Floats that do not fit an integer are left out where
C++ leaves the result undefined, except those whose wrapped value PyTorch documents by its behaviour for uint8.
"""

from __future__ import annotations

import math
from pathlib import Path

import torch

DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
VALUES = [0, 1, -1, 2, 3, 7, 100, 127, 128, -128, -129, 255, 256, 300, 32767, 32768, -32768, 65504, 65519, 65520, 70000,
          2**24 + 1, 2**31 - 1, -(2**31), 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 0.5, 1.5, 2.5, -0.5, 2.7, -2.7, -0.0, 1e-8, 6e-8,
          5.9604645e-08, 1e-40, 1e30, 3.4e38, 1e300, math.inf, -math.inf, math.nan]


def held(value, dtype: torch.dtype) -> torch.Tensor | None:
    """Returns: the value as a tensor of that dtype, or None where it cannot hold it."""
    if dtype.is_floating_point:
        return torch.tensor(float(value), dtype=torch.float64).to(dtype)
    if isinstance(value, float):
        return None
    if dtype == torch.bool:
        return torch.tensor(bool(value)) if value in (0, 1) else None
    info = torch.iinfo(dtype)
    return torch.tensor(value, dtype=dtype) if info.min <= value <= info.max else None


def defined(source: torch.Tensor, target: torch.dtype) -> bool:
    """Whether C++ defines this conversion."""
    if not source.dtype.is_floating_point or target.is_floating_point or target == torch.bool:
        return True
    value = float(source)
    if not math.isfinite(value):
        return False
    info = torch.iinfo(target)
    return info.min <= math.trunc(value) <= info.max


def hexadecimal(tensor: torch.Tensor) -> str:
    return tensor.reshape(1).view(torch.uint8).numpy().tobytes().hex()


def main() -> None:
    lines = []
    for source_name in DTYPES:
        for value in VALUES:
            source = held(value, getattr(torch, source_name))
            if source is None:
                continue
            for target_name in DTYPES:
                target = getattr(torch, target_name)
                if not defined(source, target):
                    continue
                result = source.to(target)
                if torch.is_floating_point(result) and torch.isnan(result) and source_name != target_name:
                    result = torch.tensor(math.nan).to(target)
                lines.append(f"{source_name} {hexadecimal(source)} {target_name} {hexadecimal(result)}")
    for value, wanted in ((300.0, 44), (-1.0, 255)):
        lines.append(f"float32 {hexadecimal(torch.tensor(value))} uint8 {wanted:02x}")
    path = Path(__file__).with_name("conversions.txt")
    path.write_text(f"# PyTorch {torch.__version__.split('+')[0]}\n" + "\n".join(dict.fromkeys(lines)) + "\n")


if __name__ == "__main__":
    main()
