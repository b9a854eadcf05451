"""Axes and shapes as users give them, made into plain numbers."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from minigrad.errors import ArgumentTypeError, ArgumentValueError, message

__all__ = ["axes_of", "axis_of", "ints", "sizes"]


def ints(values: Any) -> tuple[int, ...]:
    """A number, or a list of numbers or 0-D tensors, as a tuple of ints.

    Raises
    ------
    ArgumentTypeError: something in it is not an integer.

    Example
    -------
    >>> ints(3), ints([2, -1])
    ((3,), (2, -1))
    """
    listed = values.tolist() if hasattr(values, "tolist") else values
    try:
        if isinstance(listed, Sequence) and not isinstance(listed, str):
            return tuple(operator.index(v.item() if hasattr(v, "item") else v) for v in listed)
        return (operator.index(listed),)
    except TypeError:
        raise ArgumentTypeError(
            message(f"{values!r} should be an integer or a list of integers.")
        ) from None


def sizes(shape: Any) -> tuple[int, ...]:
    """The shape of a new tensor: whole numbers, none of them negative.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError: it is none.

    Example
    -------
    >>> sizes([2, 3])
    (2, 3)
    """
    lengths = ints(shape)
    if any(length < 0 for length in lengths):
        raise ArgumentValueError(
            message(f"A shape has no negative lengths, as {list(lengths)} has.")
        )
    return lengths


def axis_of(axis: Any, rank: int) -> int:
    """An axis counted from the front.

    Raises
    ------
    ArgumentValueError: there is no such axis.

    Example
    -------
    >>> axis_of(-1, 3)
    2
    """
    number = ints(axis)[0]
    if not -rank <= number < rank:
        raise ArgumentValueError(
            message(
                f"Axis {number} is out of range for a tensor of {rank} axes.",
                hint=f"use {-rank} to {rank - 1}." if rank else "a 0-D tensor has no axes.",
            )
        )
    return number % rank


def axes_of(axis: Any, rank: int) -> tuple[int, ...]:
    """Axes counted from the front, in order; all of them for None and for an empty list.

    Raises
    ------
    ArgumentValueError: no such axis, or one twice.

    Example
    -------
    >>> axes_of(None, 2), axes_of([-1, 0], 3)
    ((0, 1), (0, 2))
    """
    if axis is None:
        return tuple(range(rank))
    found = tuple(sorted(axis_of(a, rank) for a in ints(axis)))
    if len(set(found)) != len(found):
        raise ArgumentValueError(message(f"axis={list(ints(axis))} names an axis twice."))
    return found or tuple(range(rank))
