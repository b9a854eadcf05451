"""A backend on `array_api_strict`, which refuses whatever is not in the array API standard.

What runs on it uses nothing of NumPy's own, and so runs on CuPy too: that is how portability is
kept where there is no GPU. What the standard lacks (see `minigrad.backend.Backend`) goes through
NumPy.
"""

from __future__ import annotations

from typing import Any

import array_api_strict
import numpy as np

from minigrad import backend
from minigrad.backend import Namespace
from minigrad.backend.numpy_backend import NumpyGenerator
from minigrad.dtype import dtype_name
from minigrad.errors import DtypeError, message


class StrictBackend:
    """Arrays of array_api_strict, on the CPU."""

    name = "strict"
    place = "cpu"
    array_type = type(array_api_strict.zeros(1))

    def __init__(self) -> None:
        self.xp = Namespace(
            array_api_strict,
            scatter_add=self._scatter_add,
            take_index=self._take_index,
            put_index=self._put_index,
        )

    def asarray(self, data: Any, dtype: Any = None) -> Any:
        if isinstance(data, self.array_type):
            return data if dtype is None else self.xp.astype(data, self.native(dtype))
        host = np.asarray(data, dtype=dtype)
        self.native(host.dtype)
        return array_api_strict.asarray(host)

    def copy(self, array: Any) -> Any:
        return array_api_strict.asarray(array, copy=True)

    def to_numpy(self, array: Any) -> Any:
        return np.asarray(array)

    def dtype(self, array: Any) -> Any:
        return np.dtype(dtype_name(array.dtype))

    def native(self, dtype: Any) -> Any:
        try:
            return getattr(array_api_strict, dtype_name(dtype))
        except AttributeError:
            raise DtypeError(message(f"The array API standard has no {dtype}.")) from None

    def nbytes(self, array: Any) -> int:
        return np.asarray(array).nbytes

    def add_into(self, target: Any, value: Any) -> Any:
        target += value
        return target

    def write(self, target: Any, value: Any) -> Any:
        target[...] = value
        return target

    def generator(self, seed: int) -> NumpyGenerator:
        return NumpyGenerator(seed)

    def _take_index(self, x: Any, index: Any) -> Any:
        return self.asarray(np.array(np.asarray(x)[_on_host(index)]))

    def _put_index(self, x: Any, index: Any, values: Any) -> Any:
        out = np.array(x)
        out[_on_host(index)] = np.asarray(values)
        return self.asarray(out)

    def _scatter_add(self, shape: Any, index: Any, values: Any) -> Any:
        out = np.zeros(shape, dtype=self.dtype(values))
        np.add.at(out, _on_host(index), np.asarray(values))
        return self.asarray(out)


def _on_host(index: Any) -> Any:
    if isinstance(index, tuple):
        return tuple(_on_host(part) for part in index)
    return np.asarray(index) if isinstance(index, StrictBackend.array_type) else index


if "strict" not in backend.available():
    backend.register("strict", StrictBackend)
