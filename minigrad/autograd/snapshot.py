"""Snapshots of arrays for events: whole when small, else statistics, within a budget of bytes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.autograd.events import Value
from minigrad.backend import Backend
from minigrad.dtype import dtype_name
from minigrad.errors import ArgumentValueError, message

__all__ = ["Snapshots"]

_SMALL = 64  # elements that "auto" keeps whole
_GRID = 16
_RECENT = 32


class Snapshots:
    """Makes a Value of an array, once for an array that has not changed since.

    Parameters
    ----------
    policy: `"auto"`, `"full"`, `"summary"` or `"none"`.
    budget: bytes that all snapshots together may take; after that only shapes are kept.
    """

    def __init__(self, policy: str = "auto", budget: int = 64 * 1024 * 1024) -> None:
        if policy not in ("auto", "full", "summary", "none"):
            raise ArgumentValueError(
                message(
                    f"values={policy!r} is no way to keep values.",
                    hint="use 'auto', 'full', 'summary' or 'none'.",
                )
            )
        self._whole = {"auto": _SMALL, "full": math.inf, "summary": 1, "none": -1}[policy]
        self._keeps = policy != "none"
        self._left = budget
        self._recent: dict[int, tuple[Any, Value]] = {}

    def take(self, array: Any, backend: Backend, *, changed: bool = False) -> Value | None:
        """The snapshot of an array, or None of None; `changed` says it was written in place."""
        if array is None:
            return None
        array = getattr(array, "_data", array)
        known = self._recent.get(id(array))
        if known is not None and known[0] is array and not changed:
            return known[1]
        value = self._make(array, backend)
        if len(self._recent) >= _RECENT:
            self._recent.clear()
        self._recent[id(array)] = (array, value)
        return value

    def _make(self, array: Any, backend: Backend) -> Value:
        shape, dtype = tuple(array.shape), dtype_name(array.dtype)
        size = math.prod(shape)
        if not self._keeps or self._left <= 0:
            return Value(shape, dtype)
        host = backend.to_numpy(array)
        if dtype == "bfloat16":
            host = host.astype(np.float32)
        if size <= self._whole:
            self._left -= 32 * size + 64
            return Value(shape, dtype, tuple(host.ravel().tolist()))
        self._left -= 16 * _GRID * _GRID
        return summary(shape, dtype, host)


def summary(shape: tuple[int, ...], dtype: str, host: np.ndarray[Any, Any]) -> Value:
    """The statistics of an array on the host.

    Example
    -------
    >>> value = summary((2, 2), "float32", np.array([[1, 2], [3, 4]], dtype="float32"))
    >>> value.min, value.max, value.mean
    (1.0, 4.0, 2.5)
    """
    flat = host.ravel()
    if flat.dtype.kind != "f" or flat.dtype.itemsize < 4:
        flat = flat.astype(np.float64)
    nan = inf = 0
    square = float(np.dot(flat, flat))
    if not math.isfinite(square):
        nan, inf = int(np.isnan(flat).sum()), int(np.isinf(flat).sum())
        flat = flat[np.isfinite(flat)].astype(np.float64)
        square = float(np.dot(flat, flat))
    if flat.size == 0:
        return Value(shape, dtype, nan=nan, inf=inf)
    return Value(
        shape,
        dtype,
        min=float(flat.min()),
        max=float(flat.max()),
        mean=float(flat.mean()),
        norm=math.sqrt(square),
        nan=nan,
        inf=inf,
        thumbnail=_thumbnail(host),
    )


def _thumbnail(host: np.ndarray[Any, Any]) -> tuple[tuple[float, ...], ...]:
    """Means of blocks, as a picture of at most 16 x 16; a large array is looked at in part."""
    table = host.reshape(-1, host.shape[-1]) if host.ndim > 1 else host.reshape(1, -1)
    for axis in (0, 1):
        table = _shrink(table, axis)
    return tuple(tuple(float(f"{v:.4g}") for v in row) for row in table.tolist())


def _shrink(table: np.ndarray[Any, Any], axis: int) -> np.ndarray[Any, Any]:
    length = table.shape[axis]
    if length <= _GRID:
        return table
    starts = np.linspace(0, length, _GRID, endpoint=False).astype(np.int64)
    sums = np.add.reduceat(table, starts, axis=axis, dtype=np.float64)
    counts = np.diff([*starts.tolist(), length])
    shape = (-1, 1) if axis == 0 else (1, -1)
    return np.asarray(sums / counts.reshape(shape))
