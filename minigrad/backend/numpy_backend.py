"""NumPy: the backend that is always there."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.backend.protocol import Namespace

__all__ = ["NumpyBackend", "NumpyGenerator", "numpy_backend"]


class NumpyGenerator:
    """NumPy's PCG64, with a state that can be read and set."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    @property
    def state(self) -> dict[str, Any]:
        """The whole state; set it back to repeat the numbers."""
        return dict(self._rng.bit_generator.state)

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        self._rng.bit_generator.state = state

    def normal(self, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        """Standard normal float64 numbers."""
        return np.asarray(self._rng.standard_normal(shape))

    def uniform(self, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        """Float64 numbers from [0, 1)."""
        return np.asarray(self._rng.random(shape))

    def integers(self, low: int, high: int, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        """Int64 numbers from [low, high)."""
        return np.asarray(self._rng.integers(low, high, shape))

    def permutation(self, n: int) -> np.ndarray[Any, Any]:
        """The numbers 0 .. n-1 in random order."""
        return self._rng.permutation(n)


def _scatter_add(shape: tuple[int, ...], index: Any, values: Any) -> np.ndarray[Any, Any]:
    out = np.zeros(shape, dtype=values.dtype)
    if _is_basic(index):
        out[index] = values  # no position twice
    else:
        np.add.at(out, index, values)
    return out


def _is_basic(index: Any) -> bool:
    parts = index if isinstance(index, tuple) else (index,)
    return all(part is None or part is ... or isinstance(part, (int, slice)) for part in parts)


def _put_index(x: Any, index: Any, values: Any) -> np.ndarray[Any, Any]:
    out = np.array(x)
    out[index] = values
    return out


def _take_index(x: Any, index: Any) -> Any:
    return x[index]


class NumpyBackend:
    """Arrays of NumPy on the CPU."""

    name = "numpy"
    place = "cpu"
    array_type: type = np.ndarray

    def __init__(self) -> None:
        self.xp: Any = Namespace(
            np,
            scatter_add=_scatter_add,
            take_index=_take_index,
            put_index=_put_index,
        )

    def asarray(self, data: Any, dtype: np.dtype[Any] | None = None) -> Any:
        return np.asarray(data, dtype=dtype)

    def copy(self, array: Any) -> Any:
        return np.array(array)

    def to_numpy(self, array: Any) -> np.ndarray[Any, Any]:
        return np.asarray(array)

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

    def generator(self, seed: int) -> NumpyGenerator:
        return NumpyGenerator(seed)


numpy_backend = NumpyBackend()
