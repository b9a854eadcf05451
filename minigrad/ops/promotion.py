"""Which dtype two operands meet in. Paddle's rule: of tensors, only floating dtypes promote.

A tensor without axes counts like a Python number: it takes the dtype of the tensor it meets, unless
it is of a higher kind (a fraction among integers). Two of them promote freely.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from minigrad.dtype import as_dtype, dtype_name, is_floating
from minigrad.errors import DtypeError, message

__all__ = ["common_dtype", "is_inexact", "narrow", "native_dtype"]

_FLOATING = ["float16", "bfloat16", "float32", "float64"]
_KINDS = ["bool", "integer", "floating", "complex"]


def common_dtype(x: np.dtype[Any], y: np.dtype[Any], *, x_number: bool, y_number: bool) -> Any:
    """The dtype for `x op y`.

    Parameters
    ----------
    x, y: the dtypes of the two tensors.
    x_number, y_number: whether that one is a number, a tensor without axes.

    Raises
    ------
    DtypeError: two tensors with axes differ in dtype, and are not both floating.

    Example
    -------
    >>> f32, f64, i64 = np.dtype("float32"), np.dtype("float64"), np.dtype("int64")
    >>> common_dtype(f32, f64, x_number=False, y_number=False)
    dtype('float64')
    >>> common_dtype(f32, f64, x_number=False, y_number=True)
    dtype('float32')
    >>> common_dtype(i64, f32, x_number=False, y_number=True)
    dtype('float32')
    """
    a, b = _kind(x), _kind(y)
    if x_number != y_number:
        tensor, number = (y, x) if x_number else (x, y)
        return number if _kind(number) > _kind(tensor) else tensor
    if a == b == _KINDS.index("floating"):
        return _wider(x, y)
    if x_number and y_number and a != b:
        return x if a > b else y
    if (x_number and y_number) or _KINDS.index("complex") in (a, b):
        return np.result_type(x, y)
    raise DtypeError(
        message(
            "Type promotion only support calculations between floating-point numbers: "
            f"the dtypes are {dtype_name(x)} and {dtype_name(y)}.",
            why="which of the two was meant cannot be told.",
            hint=f"x.astype('{dtype_name(y)}') or y.astype('{dtype_name(x)}').",
        )
    )


def is_inexact(dtype: Any) -> bool:
    """Whether a dtype of any backend is floating or complex (`xp.isdtype` knows no bfloat16).

    Example
    -------
    >>> is_inexact(np.dtype("float16")), is_inexact(np.dtype("int64"))
    (True, False)
    """
    return _kind(dtype) >= _KINDS.index("floating")


def _kind(dtype: Any) -> int:
    return _kind_of(type(dtype).__module__, dtype)


@functools.cache  # the name of a dtype takes NumPy longer than a small sum
def _kind_of(library: str, dtype: Any) -> int:
    # Keyed by the library too, since the dtypes of two libraries may not be compared.
    name = dtype_name(dtype)
    if is_floating(dtype):
        return _KINDS.index("floating")
    if name.startswith("complex"):
        return _KINDS.index("complex")
    return _KINDS.index("bool" if name == "bool" else "integer")


def _wider(x: np.dtype[Any], y: np.dtype[Any]) -> np.dtype[Any]:
    names = {dtype_name(x), dtype_name(y)}
    if names == {"float16", "bfloat16"}:
        return as_dtype("float32")  # neither has both the range and the digits of the other
    return as_dtype(max(names, key=_FLOATING.index))


def native_dtype(xp: Any, dtype: Any) -> Any:
    """The array namespace's own object for a dtype, however that was given.

    Example
    -------
    >>> native_dtype(np, "float32")
    <class 'numpy.float32'>
    """
    found = as_dtype(dtype)
    return getattr(xp, dtype_name(found), found)  # NumPy takes bfloat16, and has no such name


def narrow(xp: Any, z: Any, x: Any) -> Any:
    """z in the dtype of x: NumPy gives float32 where bfloat16 meets a Python float or matmul."""
    return z if z.dtype is x.dtype else xp.astype(z, x.dtype)
