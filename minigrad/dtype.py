"""Dtypes: NumPy's own objects under Paddle's names, and bfloat16 where ml_dtypes is installed."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.errors import DtypeError, message

__all__ = [
    "as_dtype",
    "bfloat16",
    "bool_",
    "dtype_name",
    "float16",
    "float32",
    "float64",
    "get_default_dtype",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_floating",
    "set_default_dtype",
    "uint8",
]

bool_ = np.dtype("bool")
int8 = np.dtype("int8")
int16 = np.dtype("int16")
int32 = np.dtype("int32")
int64 = np.dtype("int64")
uint8 = np.dtype("uint8")
float16 = np.dtype("float16")
float32 = np.dtype("float32")
float64 = np.dtype("float64")

_KNOWN: dict[str, np.dtype[Any]] = {
    str(dtype): dtype
    for dtype in (bool_, int8, int16, int32, int64, uint8, float16, float32, float64)
}
_KNOWN["complex64"] = np.dtype("complex64")
_KNOWN["complex128"] = np.dtype("complex128")
_FLOATING = {"float16", "bfloat16", "float32", "float64"}
_default = float32


def bfloat16() -> np.dtype[Any]:
    """The bfloat16 dtype of the optional package ml_dtypes.

    Raises
    ------
    DtypeError: ml_dtypes is not installed.
    """
    try:
        import ml_dtypes
    except ImportError:
        raise DtypeError(
            message(
                "bfloat16 is not available.",
                why="NumPy has no bfloat16 of its own; the package ml_dtypes brings it.",
                hint="pip install ml_dtypes, or use float16 or float32.",
            )
        ) from None
    found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return found


def as_dtype(dtype: Any) -> np.dtype[Any]:
    """The dtype that a name, a NumPy dtype or a Python type stands for.

    Raises
    ------
    DtypeError: minigrad has no such dtype.

    Example
    -------
    >>> as_dtype("float32"), as_dtype(np.int64), as_dtype(bool)
    (dtype('float32'), dtype('int64'), dtype('bool'))
    """
    name = dtype if isinstance(dtype, str) else None
    if name is not None:
        name = name.rpartition(".")[2]
        if name == "bfloat16":
            return bfloat16()
        if name in _KNOWN:
            return _KNOWN[name]
    elif dtype is float:
        return _default
    else:
        try:
            found: np.dtype[Any] = np.dtype(dtype)
        except TypeError:
            found = np.dtype(object)
        if str(found) in _KNOWN:
            return _KNOWN[str(found)]  # always the same object: equal dtypes are told by identity
        if str(found) == "bfloat16":
            return found
    raise DtypeError(
        message(
            f"{dtype!r} is not a dtype of minigrad.",
            hint=f"use one of {', '.join([*_KNOWN, 'bfloat16'])}.",
        )
    )


def dtype_name(dtype: Any) -> str:
    """The plain name of a dtype of any backend: `float32`."""
    return str(dtype).rpartition(".")[2]


def is_floating(dtype: Any) -> bool:
    """Whether gradients of this dtype are numbers with a fraction (bfloat16 included)."""
    return dtype_name(dtype) in _FLOATING


def get_default_dtype() -> str:
    """The name of the dtype that Python floats become: `float32` unless changed."""
    return dtype_name(_default)


def set_default_dtype(dtype: Any) -> None:
    """Make Python floats become `dtype` (a floating one) from now on.

    Raises
    ------
    DtypeError: `dtype` is not floating.
    """
    global _default
    found = as_dtype(dtype)
    if not is_floating(found):
        raise DtypeError(message(f"The default dtype must be floating, not {found}."))
    _default = found
