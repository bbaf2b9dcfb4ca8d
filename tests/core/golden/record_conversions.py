"""Records conversions.txt: for every ordered pair of dtypes, awkward values and what PyTorch makes of them.

    .venv-oracle/bin/python tests/core/golden/record_conversions.py

A line is `from bytes to bytes`, bytes in hexadecimal, little-endian. Floats that do not fit an integer, which C++ leaves
undefined, are recorded too: PyTorch gives what x86-64 gives, for one element as for many. Run it on such a machine.
"""

from __future__ import annotations

import math
from pathlib import Path

import torch

DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
INTEGERS = [0, 1, -1, 2, 3, 7, 100, 127, 128, -128, -129, 255, 256, 300, -255, -256, 32767, 32768, -32768, 65504, 65519,
            65520, 70000, 2**24 + 1, 2**31 - 1, -(2**31), 2**31, 3000000001, -3000000001, 2**32 + 5, 2**53 + 1, 2**63 - 1,
            -(2**63)]
FLOATS = [0.5, 1.5, 2.5, -0.5, 2.7, -2.7, -0.0, 1e-8, 6e-8, 5.9604645e-08, 1e-40, 1e10, 2.0**31 - 0.5, -(2.0**31) - 0.5,
          2.0**63, 2.0**64, 1e30, 3.4e38, 1e300, math.inf, -math.inf, math.nan]


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


def hexadecimal(tensor: torch.Tensor) -> str:
    return tensor.reshape(1).view(torch.uint8).numpy().tobytes().hex()


def converted(source: torch.Tensor, target: torch.dtype) -> str:
    """Returns: the bytes that conversion gives. The sign and payload of a NaN are not part of the contract."""
    result = source.to(target)
    if result.dtype.is_floating_point and result.dtype != source.dtype and torch.isnan(result):
        result = torch.tensor(math.nan).to(target)
    return hexadecimal(result)


def main() -> None:
    lines = []
    for source_name in DTYPES:
        for value in INTEGERS + FLOATS:
            source = held(value, getattr(torch, source_name))
            if source is None:
                continue
            for target_name in DTYPES:
                target = getattr(torch, target_name)
                result = converted(source, target)
                if not math.isnan(float(source)):
                    many = source.expand(67).contiguous().to(target)
                    assert all(hexadecimal(one) == result for one in many), (source_name, value, target_name)
                lines.append(f"{source_name} {hexadecimal(source)} {target_name} {result}")
    path = Path(__file__).with_name("conversions.txt")
    path.write_text(f"# PyTorch {torch.__version__.split('+')[0]}\n" + "\n".join(dict.fromkeys(lines)) + "\n")


if __name__ == "__main__":
    main()
