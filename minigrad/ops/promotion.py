"""Which dtype two operands meet in. Paddle's rule: floating dtypes promote, nothing else does."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.dtype import as_dtype, dtype_name, is_floating
from minigrad.errors import DtypeError, message

__all__ = ["common_dtype", "native_dtype"]

_ORDER = ["float16", "bfloat16", "float32", "float64"]


def common_dtype(x: np.dtype[Any], y: np.dtype[Any], *, x_number: bool, y_number: bool) -> Any:
    """The dtype for `x op y`.

    Parameters
    ----------
    x, y: the dtypes of the two tensors.
    x_number, y_number: whether that one has a single element without axes; it then counts like a
        Python number.

    Raises
    ------
    DtypeError: an integer meets another integer dtype or a floating one.

    Example
    -------
    >>> f32, f64 = np.dtype("float32"), np.dtype("float64")
    >>> common_dtype(f32, f64, x_number=False, y_number=False)
    dtype('float64')
    """
    a, b = dtype_name(x), dtype_name(y)
    if is_floating(x) and is_floating(y):
        if {a, b} == {"float16", "bfloat16"}:
            return as_dtype("float32")
        return as_dtype(max(a, b, key=_ORDER.index))
    if a.startswith("complex") or b.startswith("complex"):
        return np.result_type(as_dtype(a), as_dtype(b))
    if y_number and is_floating(x):
        return as_dtype(a)
    if x_number and is_floating(y):
        return as_dtype(b)
    raise DtypeError(
        message(
            f"Type promotion only support calculations between floating-point numbers: "
            f"the dtypes are {a} and {b}.",
            why="which of the two was meant cannot be told.",
            hint=f"x.astype('{b}') or y.astype('{a}').",
        )
    )


def native_dtype(xp: Any, dtype: Any) -> Any:
    """The array namespace's own object for a dtype, however that was given.

    Example
    -------
    >>> native_dtype(np, "float32")
    <class 'numpy.float32'>
    """
    found = as_dtype(dtype)
    return getattr(xp, dtype_name(found), found)  # NumPy takes bfloat16, and has no such name
