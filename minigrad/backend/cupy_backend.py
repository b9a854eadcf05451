"""CuPy: the same ops on an NVIDIA GPU. The only file that may import cupy."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.backend.protocol import Namespace
from minigrad.errors import BackendError, message

__all__ = ["CupyBackend", "CupyGenerator"]


def _load() -> tuple[Any, Any]:
    try:
        import array_api_compat.cupy as namespace
        import cupy
    except ImportError as error:
        raise BackendError(
            message(
                "The cupy backend is not available.",
                why=f"{error}.",
                hint="pip install 'minigrad-lab[cuda12]' or '[cuda13]', whichever your driver has.",
            )
        ) from error
    if not cupy.cuda.is_available():
        raise BackendError(
            message(
                "The cupy backend found no GPU.",
                why="CuPy is installed, but CUDA reports no usable device.",
                hint="check the driver with nvidia-smi, or stay with backend.use('numpy').",
            )
        )
    return cupy, namespace


class CupyGenerator:
    """Random numbers drawn on the host and moved to the GPU, so that a seed means the same on both.

    CuPy's own generators cannot be read and set back; a lesson needs that more than it needs speed.
    """

    def __init__(self, cupy: Any, seed: int) -> None:
        self._cupy = cupy
        self._rng = np.random.default_rng(seed)

    @property
    def state(self) -> dict[str, Any]:
        """The whole state; set it back to repeat the numbers."""
        return dict(self._rng.bit_generator.state)

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        self._rng.bit_generator.state = state

    def normal(self, shape: tuple[int, ...]) -> Any:
        """Standard normal float64 numbers."""
        return self._cupy.asarray(self._rng.standard_normal(shape))

    def uniform(self, shape: tuple[int, ...]) -> Any:
        """Float64 numbers from [0, 1)."""
        return self._cupy.asarray(self._rng.random(shape))

    def integers(self, low: int, high: int, shape: tuple[int, ...]) -> Any:
        """Int64 numbers from [low, high)."""
        return self._cupy.asarray(self._rng.integers(low, high, shape))

    def permutation(self, n: int) -> Any:
        """The numbers 0 .. n-1 in random order."""
        return self._cupy.asarray(self._rng.permutation(n))


class CupyBackend:
    """Arrays of CuPy on one GPU."""

    name = "cupy"

    def __init__(self, device: int = 0) -> None:
        self._cupy, namespace = _load()
        self.place = f"gpu:{device}"
        self.array_type: type = self._cupy.ndarray
        self.xp: Any = Namespace(
            namespace,
            scatter_add=self._scatter_add,
            take_index=lambda x, index: x[index],
            put_index=self._put_index,
        )

    def _put_index(self, x: Any, index: Any, values: Any) -> Any:
        out = self._cupy.array(x)
        out[index] = values
        return out

    def _scatter_add(self, shape: tuple[int, ...], index: Any, values: Any) -> Any:
        out = self._cupy.zeros(shape, dtype=values.dtype)
        self._cupy.add.at(out, index, values)
        return out

    def asarray(self, data: Any, dtype: np.dtype[Any] | None = None) -> Any:
        return self._cupy.asarray(data, dtype=dtype)

    def copy(self, array: Any) -> Any:
        return self._cupy.array(array)

    def to_numpy(self, array: Any) -> np.ndarray[Any, Any]:
        return np.asarray(self._cupy.asnumpy(array))

    def dtype(self, array: Any) -> np.dtype[Any]:
        found: np.dtype[Any] = array.dtype
        return found

    def native(self, dtype: np.dtype[Any]) -> Any:
        return dtype

    def nbytes(self, array: Any) -> int:
        return int(array.nbytes)

    def add_into(self, target: Any, value: Any) -> Any:
        target += value
        return target

    def write(self, target: Any, value: Any) -> Any:
        target[...] = value
        return target

    def generator(self, seed: int) -> CupyGenerator:
        return CupyGenerator(self._cupy, seed)
