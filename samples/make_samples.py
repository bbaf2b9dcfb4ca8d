"""Makes the files of this folder with real PyTorch, NumPy and safetensors. Run with the oracle's Python:

    tools/oracle && .venv-oracle/bin/python samples/make_samples.py

Prints the versions that made them. Same versions, same bytes.
"""

from __future__ import annotations

import platform
from pathlib import Path

import ml_dtypes
import numpy as np
import safetensors
import safetensors.torch
import sklearn
import torch
from sklearn.datasets import load_digits

HERE = Path(__file__).resolve().parent


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Returns: images (1797, 8, 8) float32 with values 0 to 16, targets (1797,) int64."""
    data = load_digits()
    return data.images.astype(np.float32), data.target.astype(np.int64)


def trained_mlp(images: np.ndarray, targets: np.ndarray) -> torch.nn.Sequential:
    """Trains 64-32-10 on the digits with a fixed seed."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = torch.nn.Sequential()
    model.add_module("fc1", torch.nn.Linear(64, 32))
    model.add_module("relu", torch.nn.ReLU())
    model.add_module("fc2", torch.nn.Linear(32, 10))
    x = torch.from_numpy(images).reshape(-1, 64) / 16
    y = torch.from_numpy(targets)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(300):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x[:1500]), y[:1500])
        loss.backward()
        optimizer.step()
    accuracy = (model(x[1500:]).argmax(1) == y[1500:]).float().mean().item()
    print(f"MLP accuracy on the last {len(x) - 1500} digits: {accuracy:.3f}")
    return model


def every_dtype() -> dict[str, torch.Tensor]:
    """One small tensor of every dtype Cutaway has, and some it lacks, with awkward values."""
    known = {
        "bool": torch.tensor([[True, False, True], [False, False, True]]),
        "uint8": torch.tensor([[0, 1, 255], [7, 8, 9]], dtype=torch.uint8),
        "int8": torch.tensor([[0, -128, 127], [7, 8, 9]], dtype=torch.int8),
        "int16": torch.tensor([[0, -32768, 32767], [7, 8, 9]], dtype=torch.int16),
        "int32": torch.tensor([[0, -(2**31), 2**31 - 1], [7, 8, 9]], dtype=torch.int32),
        "int64": torch.tensor([[0, -(2**63), 2**63 - 1], [7, 8, 9]]),
        "float16": torch.tensor([[0.0, -0.0, 65504.0], [float("nan"), float("inf"), 6e-8]], dtype=torch.float16),
        "bfloat16": torch.tensor([[0.0, -0.0, 3e38], [float("nan"), float("inf"), 1e-40]], dtype=torch.bfloat16),
        "float32": torch.tensor([[0.0, -0.0, 3e38], [float("nan"), float("-inf"), 1e-45]]),
        "float64": torch.tensor([[0.0, -0.0, 1e308], [float("nan"), float("inf"), 5e-324]], dtype=torch.float64),
        "scalar": torch.tensor(3.5),
        "empty": torch.empty(0, 3),
    }
    lacking = {
        "lacking.uint16": torch.tensor([1, 2], dtype=torch.uint16),
        "lacking.float8_e4m3": torch.tensor([1.0, 2.0]).to(torch.float8_e4m3fn),
        "lacking.complex64": torch.tensor([1 + 2j]),
    }
    return known | lacking


def as_numpy(tensor: torch.Tensor) -> np.ndarray:
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def main() -> None:
    images, targets = digits()
    np.savez_compressed(HERE / "digits.npz", images=images, target=targets)
    np.save(HERE / "digits_images.npy", images[:100])
    np.save(HERE / "fortran_order.npy", np.asfortranarray(images[3]))
    np.save(HERE / "big_endian.npy", images[3].astype(">f8"))
    model = trained_mlp(images, targets)
    state = {name: value.detach().contiguous() for name, value in model.state_dict().items()}
    safetensors.torch.save_file(state, HERE / "mlp.safetensors", metadata={"format": "pt", "trained_on": "digits"})
    np.savez(HERE / "mlp.npz", **{name: value.numpy() for name, value in state.items()})
    dtypes = every_dtype()
    safetensors.torch.save_file(dtypes, HERE / "dtypes.safetensors")
    numpy_has = {k: as_numpy(v) for k, v in dtypes.items() if k not in ("bfloat16", "lacking.float8_e4m3")}
    np.savez(HERE / "dtypes.npz", **numpy_has, **{"lacking.text": np.array(["a", "b"])})
    print(f"Python {platform.python_version()}, PyTorch {torch.__version__}, NumPy {np.__version__}, "
          f"safetensors {safetensors.__version__}, scikit-learn {sklearn.__version__}")


if __name__ == "__main__":
    main()
