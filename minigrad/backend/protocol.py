"""What a backend is: one small class that knows one kind of array."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

__all__ = ["Backend", "Namespace"]


class Namespace:
    """The functions that ops are written against: array API names, and what the standard lacks.

    Names that `module` has are looked up once and kept; `extras` are the backend's own.
    """

    def __init__(self, module: Any, **extras: Any) -> None:
        self._module = module
        self.__dict__.update(extras)

    def numbers_like(self, x: Any, count: int) -> Any:
        """The numbers 0 to count - 1, in the dtype of x."""
        return self.arange(count, dtype=x.dtype)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        setattr(self, name, value)
        return value


class Backend(Protocol):
    """The one thing that differs between NumPy, CuPy and a backend of your own.

    Attributes
    ----------
    name: as in `minigrad.backend.use(name)`.
    place: where its arrays live, as Paddle prints it: `cpu`, `gpu:0`.
    array_type: the class of its arrays.
    xp: the array namespace, extended by
        `scatter_add(shape, index, values)`: zeros of `shape`, `values` added at `index`,
        repeated positions counted each time;
        `take_index(x, index)`: `x[index]` for any mix of slices, integers and arrays; and
        `put_index(x, index, values)`: a copy of x with values written at index.
    """

    name: str
    place: str
    array_type: type
    xp: Any

    def asarray(self, data: Any, dtype: np.dtype[Any] | None = None) -> Any:
        """An array of this backend's, from a NumPy array, a scalar or its own kind (no copy)."""

    def copy(self, array: Any) -> Any:
        """A copy that shares nothing."""

    def to_numpy(self, array: Any) -> np.ndarray[Any, Any]:
        """The array on the host; for CPU backends it may share memory."""

    def dtype(self, array: Any) -> np.dtype[Any]:
        """The NumPy dtype of an array."""

    def native(self, dtype: np.dtype[Any]) -> Any:
        """The backend's own object for a NumPy dtype."""

    def nbytes(self, array: Any) -> int:
        """Bytes that the array's elements take."""

    def add_into(self, target: Any, value: Any) -> Any:
        """`target + value`, written into `target`'s memory where that can be; the sum."""

    def write(self, target: Any, value: Any) -> Any:
        """`target` with every element replaced by `value` (broadcast), in its own memory."""

    def generator(self, seed: int) -> Any:
        """A random generator.

        It has `normal(shape)`, `uniform(shape)`, `integers(low, high, shape)` and `permutation(n)`,
        each giving host arrays or its own, and a `state` that can be read and set.
        """
