"""Sums, means and extremes over axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minigrad.errors import ArgumentValueError, message
from minigrad.ops.broadcasting import axes_of, axis_of
from minigrad.ops.promotion import is_inexact, native_dtype
from minigrad.ops.registry import op

__all__ = ["all", "amax", "amin", "any", "argmax", "argmin", "max", "mean", "min", "sum"]

Axes = int | Sequence[int] | None


def kept(shape: tuple[int, ...], axis: Any) -> tuple[int, ...]:
    """The shape of a reduction with `keepdim`.

    Example
    -------
    >>> kept((2, 3, 4), -1)
    (2, 3, 1)
    """
    axes = axes_of(axis, len(shape))
    return tuple(1 if i in axes else n for i, n in enumerate(shape))


def spread(xp: Any, g: Any, shape: tuple[int, ...], axis: Any) -> Any:
    """A reduced gradient repeated over the axes that were reduced."""
    reduced = kept(shape, axis)
    if tuple(g.shape) != reduced:
        g = xp.reshape(g, reduced)
    return xp.broadcast_to(g, shape)


@op(formula=r"z = \sum_i x_i", rules={"x": r"g \text{ for each } x_i"})
def sum(xp: Any, x: Any, /, axis: Axes = None, dtype: Any = None, keepdim: bool = False) -> Any:
    """The sum over some axes, or all. Booleans and small integers are summed as int64.

    >>> import minigrad as mg
    >>> mg.sum(mg.to_tensor([[1.0, 2.0], [3.0, 4.0]]), axis=0).tolist()
    [4.0, 6.0]
    """
    if dtype is None and is_inexact(x.dtype):
        dtype = x.dtype
    else:
        dtype = xp.int64 if dtype is None else native_dtype(xp, dtype)
        x = xp.astype(x, dtype)  # the array standard sums no booleans
    return xp.sum(x, axis=axes_of(axis, len(x.shape)), dtype=dtype, keepdims=keepdim)


@sum.vjp("x")
def _(xp: Any, g: Any, x_shape: tuple[int, ...], axis: Axes) -> Any:
    return spread(xp, g, x_shape, axis)


@op(formula=r"z = \frac{1}{n} \sum_i x_i", rules={"x": r"\frac{g}{n} \text{ for each } x_i"})
def mean(xp: Any, x: Any, /, axis: Axes = None, keepdim: bool = False) -> Any:
    """The mean over some axes, or all.

    >>> import minigrad as mg
    >>> mg.mean(mg.to_tensor([1.0, 2.0, 6.0])).item()
    3.0
    """
    return xp.mean(x, axis=axes_of(axis, len(x.shape)), keepdims=keepdim)


@mean.vjp("x")
def _(xp: Any, g: Any, x_shape: tuple[int, ...], axis: Axes) -> Any:
    count = math.prod(x_shape[a] for a in axes_of(axis, len(x_shape)))
    return spread(xp, g / count if count else g, x_shape, axis)


def _not_empty(name: str, shape: tuple[int, ...], axis: Axes) -> tuple[int, ...]:
    axes = axes_of(axis, len(shape))
    for a in axes:
        if shape[a] == 0:
            raise ArgumentValueError(
                message(
                    f"{name} over axis {a} of a tensor of shape {list(shape)} has no answer.",
                    why=f"there is nothing to reduce along an axis ({a}) that has a size of 0.",
                )
            )
    return axes


def _to_winners(xp: Any, g: Any, x: Any, out: Any, axis: Axes) -> Any:
    """The gradient of an extreme: shared evenly by all elements that have it."""
    shape = tuple(x.shape)
    wins = x == spread(xp, out, shape, axis)
    share = xp.astype(wins, g.dtype)
    count = xp.sum(share, axis=axes_of(axis, len(shape)), keepdims=True)
    return spread(xp, g, shape, axis) * (share / count)


@op(formula=r"z = \max_i x_i", rules={"x": r"g \odot [x_i = z] / \text{ties}"})
def max(xp: Any, x: Any, /, axis: Axes = None, keepdim: bool = False) -> Any:
    """The largest element; ties share the gradient evenly.

    >>> import minigrad as mg
    >>> mg.max(mg.to_tensor([1.0, 6.0, 2.0])).item()
    6.0
    """
    return xp.max(x, axis=_not_empty("max", x.shape, axis), keepdims=keepdim)


@op(formula=r"z = \min_i x_i", rules={"x": r"g \odot [x_i = z] / \text{ties}"})
def min(xp: Any, x: Any, /, axis: Axes = None, keepdim: bool = False) -> Any:
    """The smallest element; ties share the gradient evenly.

    >>> import minigrad as mg
    >>> mg.min(mg.to_tensor([1.0, 6.0, 2.0])).item()
    1.0
    """
    return xp.min(x, axis=_not_empty("min", x.shape, axis), keepdims=keepdim)


@op(formula=r"z = \max_i x_i", rules={"x": r"g \odot [x_i = z] / \text{ties}"})
def amax(xp: Any, x: Any, /, axis: Axes = None, keepdim: bool = False) -> Any:
    """The largest element; ties share the gradient evenly.

    >>> import minigrad as mg
    >>> mg.amax(mg.to_tensor([1.0, 6.0, 2.0])).item()
    6.0
    """
    return xp.max(x, axis=_not_empty("amax", x.shape, axis), keepdims=keepdim)


@op(formula=r"z = \min_i x_i", rules={"x": r"g \odot [x_i = z] / \text{ties}"})
def amin(xp: Any, x: Any, /, axis: Axes = None, keepdim: bool = False) -> Any:
    """The smallest element; ties share the gradient evenly.

    >>> import minigrad as mg
    >>> mg.amin(mg.to_tensor([1.0, 6.0, 2.0])).item()
    1.0
    """
    return xp.min(x, axis=_not_empty("amin", x.shape, axis), keepdims=keepdim)


for _extreme in (max, min, amax, amin):
    _extreme.vjp("x")(_to_winners)


def _arg(xp: Any, x: Any, name: str, axis: int | None, dtype: Any, *, keepdim: bool) -> Any:
    _not_empty(name, x.shape, axis)
    if axis is not None:
        axis = axis_of(axis, len(x.shape))
    found = getattr(xp, name)(x, axis=axis, keepdims=keepdim)
    return found if dtype is None else xp.astype(found, native_dtype(xp, dtype))


@op(formula=r"z = \operatorname{argmax}_i x_i", differentiable=False)
def argmax(
    xp: Any, x: Any, /, axis: int | None = None, keepdim: bool = False, dtype: Any = None
) -> Any:
    """Where the first largest element is.

    >>> import minigrad as mg
    >>> mg.argmax(mg.to_tensor([1.0, 6.0, 2.0])).item()
    1
    """
    return _arg(xp, x, "argmax", axis, dtype, keepdim=keepdim)


@op(formula=r"z = \operatorname{argmin}_i x_i", differentiable=False)
def argmin(
    xp: Any, x: Any, /, axis: int | None = None, keepdim: bool = False, dtype: Any = None
) -> Any:
    """Where the first smallest element is.

    >>> import minigrad as mg
    >>> mg.argmin(mg.to_tensor([1.0, 6.0, 0.5])).item()
    2
    """
    return _arg(xp, x, "argmin", axis, dtype, keepdim=keepdim)


@op(formula=r"z = \forall i: x_i", differentiable=False)
def all(xp: Any, x: Any, /, axis: Axes = None, keepdim: bool = False) -> Any:
    """Whether all elements hold.

    >>> import minigrad as mg
    >>> mg.all(mg.to_tensor([True, False])).item()
    False
    """
    return xp.all(xp.astype(x, xp.bool), axis=axes_of(axis, len(x.shape)), keepdims=keepdim)


@op(formula=r"z = \exists i: x_i", differentiable=False)
def any(xp: Any, x: Any, /, axis: Axes = None, keepdim: bool = False) -> Any:
    """Whether some element holds.

    >>> import minigrad as mg
    >>> mg.any(mg.to_tensor([True, False])).item()
    True
    """
    return xp.any(xp.astype(x, xp.bool), axis=axes_of(axis, len(x.shape)), keepdims=keepdim)
