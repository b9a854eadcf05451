"""Tensors as text, exactly as Paddle prints them.

Every number is formatted on its own, all are padded to one width, and rows are broken at
`linewidth`. Habits of Paddle's are kept because people compare printouts: whole floats print as
`2.`, infinity as `inf.`; the width is that of the widest among the first and last `edgeitems` of
every axis, also when all are shown; and only numbers shorter than that get a blank where others
have a minus.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.errors import ArgumentTypeError, ArgumentValueError, message

__all__ = ["set_printoptions", "tensor_repr"]

_MARGIN = " " * 7


@dataclass(slots=True)
class _PrintOptions:
    precision: int = 8
    threshold: int = 1000
    edgeitems: int = 3
    sci_mode: bool = False
    linewidth: int = 80


_options = _PrintOptions()


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sci_mode: bool | None = None,
    linewidth: int | None = None,
) -> None:
    """Choose how tensors are printed from now on; what is not given stays as it is.

    Parameters
    ----------
    precision: digits after the point of a number with a fraction; 8 at first.
    threshold: tensors of more elements are printed with `...` in the middle; 1000 at first.
    edgeitems: how many elements are kept at each end of an axis that is cut; 3 at first.
    sci_mode: print floats as `1.5000e+00`; off at first.
    linewidth: the column at which a row is broken; 80 at first.

    Raises
    ------
    ArgumentTypeError: not a whole number, or for `sci_mode` not a boolean.
    ArgumentValueError: a negative `precision` or `edgeitems`.

    Example
    -------
    >>> x = np.array([1.0, 0.25])
    >>> set_printoptions(precision=3)
    >>> facts = {"shape": [2], "dtype_name": "float64", "place": "Place(cpu)"}
    >>> print(tensor_repr(x, **facts, stop_gradient=True))
    Tensor(shape=[2], dtype=float64, place=Place(cpu), stop_gradient=True,
           [1.   , 0.250])
    >>> set_printoptions(precision=8)
    """
    chosen: dict[str, int | None] = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    checked = {name: _whole_number(name, n) for name, n in chosen.items() if n is not None}
    if sci_mode is not None:
        if not isinstance(sci_mode, bool | np.bool_):
            raise ArgumentTypeError(message(f"sci_mode must be True or False, not {sci_mode!r}."))
        checked["sci_mode"] = bool(sci_mode)
    for name, value in checked.items():
        setattr(_options, name, value)


def tensor_repr(
    array: np.ndarray[Any, Any],
    *,
    shape: list[int],
    dtype_name: str,
    place: str,
    stop_gradient: bool,
    parameter_name: str | None = None,
) -> str:
    """Write a tensor whose values are `array` as Paddle does.

    Parameters
    ----------
    array: the values, on the host.
    shape, dtype_name, place, stop_gradient: what the first line says.
    parameter_name: not None for a Parameter; that it is one is printed, its name is not.

    Example
    -------
    >>> x = np.array([[-1.5, 2.0], [np.inf, 0.25]])
    >>> facts = {"shape": [2, 2], "dtype_name": "float64", "place": "Place(cpu)"}
    >>> print(tensor_repr(x, **facts, stop_gradient=False))
    Tensor(shape=[2, 2], dtype=float64, place=Place(cpu), stop_gradient=False,
           [[-1.50000000,  2.        ],
            [ inf.      ,  0.25000000]])
    """
    first = "" if parameter_name is None else "Parameter containing:\n"
    facts = f"shape={list(shape)}, dtype={dtype_name}, place={place}, stop_gradient={stop_gradient}"
    return f"{first}Tensor({facts},\n{_MARGIN}{_data_text(array)})"


def _whole_number(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ArgumentTypeError(message(f"{name} must be a whole number, not {value!r}."))
    if value < 0 and name in {"precision", "edgeitems"}:
        raise ArgumentValueError(message(f"{name} must not be negative, but is {value}."))
    return int(value)


def _data_text(array: np.ndarray[Any, Any]) -> str:
    """Choose the elements that are shown, write each, put them into nested lists.

    The edges alone set the width, and all elements where no edges are kept.
    """
    if array.dtype.kind == "V":  # bfloat16, which Python's formatting does not know
        array = array.astype(np.float32)
    long = [length > 2 * _options.edgeitems for length in array.shape]
    corners = _corners(array, long)
    measured = corners if _options.edgeitems else array
    width = max(map(len, map(_number, measured.flat)), default=0)
    signed = any(map(_is_negative, measured.flat))
    summarised = array.size > _options.threshold
    shown = corners if summarised else array
    texts = np.empty(shown.size, dtype=object)
    texts[:] = [_padded(value, width, signed) for value in shown.flat]
    cut = [summarised and is_long for is_long in long]
    return _nested(texts.reshape(shown.shape), cut, width, len(_MARGIN))


def _corners(array: np.ndarray[Any, Any], long: list[bool]) -> np.ndarray[Any, Any]:
    """Leave out the middle of every long axis."""
    edge = _options.edgeitems
    for axis, is_long in enumerate(long):
        if is_long:
            length = array.shape[axis]
            array = array.take([*range(edge), *range(length - edge, length)], axis=axis)
    return array


def _padded(value: Any, width: int, signed: bool) -> str:
    text = _number(value)
    if signed and not _is_negative(value) and len(text) < width:
        text = f" {text}"
    return text.ljust(width)


def _is_negative(value: Any) -> bool:
    return bool((value.real, value.imag) < (0, 0))


def _number(value: Any) -> str:
    """Write one element, a NumPy scalar."""
    if value.dtype.kind == "c":
        plus = "+" if value.imag >= 0 else ""
        return f"({_fraction(value.real)}{plus}{_fraction(value.imag)}j)"
    if value.dtype.kind != "f":
        return str(value)
    if not _options.sci_mode and (value.is_integer() or np.isinf(value)):
        return f"{value:.0f}."
    return _fraction(value)


def _fraction(value: Any) -> str:
    return f"{value:.{_options.precision}{'e' if _options.sci_mode else 'f'}}"


def _nested(texts: np.ndarray[Any, Any], cut: list[bool], width: int, indent: int) -> str:
    """Put brackets around rows; `indent` is the column of the opening one."""
    if texts.ndim == 0:
        return str(texts.item())
    if texts.ndim == 1:
        rows = texts.tolist()
    else:
        rows = [_nested(part, cut[1:], width, indent + 1) for part in texts]
    if cut[0]:
        rows.insert(len(rows) // 2, "...")
    if texts.ndim == 1:  # as many elements as fit into each line
        count = max(1, (_options.linewidth - indent) // (width + len(", ")))
        rows = [", ".join(rows[start : start + count]) for start in range(0, len(rows), count)]
    between = "," + "\n" * max(1, texts.ndim - 1) + " " * (indent + 1)
    return f"[{between.join(rows)}]"
