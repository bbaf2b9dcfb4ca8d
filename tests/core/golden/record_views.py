"""Records views.txt: random chains of view operations with PyTorch's sizes, strides and offset, or its error.

    .venv-oracle/bin/python tests/core/golden/record_views.py

A line is `sizes|op arg ...;op arg ...|outcome`; `#i` picks one result of several.
"""

from __future__ import annotations

import random
from pathlib import Path

import torch

CHAINS = 3000


def sizes_for(tensor: torch.Tensor, rng: random.Random) -> list[int]:
    """Returns: sizes that often fit the number of elements."""
    n, result = tensor.numel(), []
    if n == 0 or rng.random() < 0.1:
        return [rng.randint(-1, 4) for _ in range(rng.randint(1, 3))]
    while n > 1 and len(result) < 4:
        factor = rng.choice([f for f in range(1, n + 1) if n % f == 0])
        result.append(factor)
        n //= factor
    result.append(n)
    if rng.random() < 0.3:
        result[rng.randrange(len(result))] = -1
    return result


def step(tensor: torch.Tensor, rng: random.Random):
    """Returns: (op, arguments as Python values)."""
    ndim = tensor.dim()
    dim = lambda extra=0: rng.randint(-ndim - 1 - extra, ndim + extra) if rng.random() < 0.1 else rng.randint(-ndim, max(ndim - 1, 0))
    op = rng.choice(["view", "transpose", "permute", "expand", "narrow", "select", "squeeze", "unsqueeze", "flatten",
                     "unfold", "diagonal", "as_strided", "split", "chunk", "unbind", "movedim", "t", "reshape", "swapaxes"])
    order = list(range(ndim))
    rng.shuffle(order)
    arguments = {
        "view": lambda: [sizes_for(tensor, rng)],
        "reshape": lambda: [sizes_for(tensor, rng)],
        "transpose": lambda: [dim(), dim()],
        "swapaxes": lambda: [dim(), dim()],
        "permute": lambda: [order if rng.random() < 0.9 else order[1:]],
        "expand": lambda: [[rng.randint(1, 3)] * rng.randint(0, 1) + [rng.choice([s, -1, 3]) for s in tensor.shape]],
        "narrow": lambda: [dim(), rng.randint(-2, 3), rng.randint(-1 if rng.random() < 0.1 else 0, 3)],
        "select": lambda: [dim(), rng.randint(-3, 3)],
        "squeeze": lambda: [dim()] if rng.random() < 0.7 else [],
        "unsqueeze": lambda: [rng.randint(-ndim - 1, ndim)],
        "flatten": lambda: [dim(), dim()] if rng.random() < 0.5 else [],
        "unfold": lambda: [dim(), rng.randint(0, 3), rng.randint(0 if rng.random() < 0.1 else 1, 2)],
        "diagonal": lambda: [rng.randint(-2, 2), dim(), dim()],
        "as_strided": lambda: [[rng.randint(0, 3) for _ in range(2)], [rng.randint(0, 4) for _ in range(2)], rng.randint(0, 3)],
        "split": lambda: [rng.randint(0 if rng.random() < 0.1 else 1, 3), dim()],
        "chunk": lambda: [rng.randint(0 if rng.random() < 0.1 else 1, 3), dim()],
        "unbind": lambda: [dim()],
        "movedim": lambda: [dim(), dim()],
        "t": lambda: [],
    }
    return op, arguments[op]()


def text(value) -> str:
    return "[" + ",".join(map(str, value)) + "]" if isinstance(value, list) else str(value)


def chain(rng: random.Random) -> str:
    sizes = [rng.choice([0, 1, 1, 2, 2, 3, 4]) for _ in range(rng.randint(0, 4))]
    base = torch.zeros(sizes)
    tensor, steps = base, []
    for _ in range(rng.randint(1, 4)):
        op, arguments = step(tensor, rng)
        shown = " ".join([op, *map(text, arguments)])
        try:
            result = getattr(tensor, op)(*arguments)
        except (RuntimeError, IndexError, TypeError, ValueError) as error:
            message = str(error).splitlines()[0] if str(error) else ""
            return f"{','.join(map(str, sizes))}|{';'.join([*steps, shown])}|{type(error).__name__} {message}"
        if isinstance(result, (tuple, list)):
            if not result:
                break
            pick = rng.randrange(len(result))
            result, shown = result[pick], f"{shown} #{pick}"
        steps.append(shown)
        if base.numel() and result.untyped_storage().data_ptr() != base.untyped_storage().data_ptr():
            return f"{','.join(map(str, sizes))}|{';'.join(steps)}|copy"
        tensor = result
    outcome = f"{list(tensor.shape)} {list(tensor.stride())} {tensor.storage_offset()}"
    return f"{','.join(map(str, sizes))}|{';'.join(steps)}|{outcome}"


def main() -> None:
    rng = random.Random(1)
    lines = [chain(rng) for _ in range(CHAINS)]
    path = Path(__file__).with_name("views.txt")
    path.write_text(f"# PyTorch {torch.__version__.split('+')[0]}\n" + "\n".join(line for line in lines if "||" not in line) + "\n")


if __name__ == "__main__":
    main()
