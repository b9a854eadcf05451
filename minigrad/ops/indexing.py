"""Reading and writing parts of a tensor."""

from __future__ import annotations

from typing import Any

from minigrad.ops.registry import op

__all__ = ["getitem", "set_item"]


@op(formula="z = x_{[i]}", rules={"x": r"\text{zeros, with } g \text{ added at } i"}, view=True)
def getitem(xp: Any, x: Any, /, index: Any) -> Any:
    """`x[index]`: integers, slices, None, `...`, arrays of integers, boolean masks.

    >>> import minigrad as mg
    >>> mg.to_tensor([1.0, 2.0, 3.0])[1:].tolist()
    [2.0, 3.0]
    """
    return xp.take_index(x, index)


@getitem.vjp("x")
def _(xp: Any, g: Any, x_shape: tuple[int, ...], index: Any) -> Any:
    return xp.scatter_add(x_shape, index, g)


@op(formula=r"z = x, \; z_{[i]} = v", rules={"x": r"g, \; 0 \text{ at } i", "value": "g_{[i]}"})
def set_item(xp: Any, x: Any, value: Any, /, index: Any) -> Any:
    """x with `x[index]` replaced by value; what `x[index] = value` computes.

    >>> import minigrad as mg
    >>> x = mg.to_tensor([1.0, 2.0, 3.0])
    >>> x[0] = 7.0
    >>> x.tolist()
    [7.0, 2.0, 3.0]
    """
    return xp.put_index(x, index, value)


@set_item.vjp("x")
def _(xp: Any, g: Any, index: Any) -> Any:
    return xp.put_index(g, index, xp.zeros_like(xp.take_index(g, index)))


@set_item.vjp("value")
def _(xp: Any, g: Any, value_shape: tuple[int, ...], index: Any) -> Any:
    found = xp.take_index(g, index)
    extra = len(value_shape) - len(found.shape)  # a value may have axes of length 1 in front
    return xp.reshape(found, (*value_shape[:extra], *found.shape)) if extra > 0 else found


@op(formula=r"z = \text{zeros, with } x \text{ added at } i", rules={"x": "g_{[i]}"})
def scatter_add(xp: Any, x: Any, /, shape: tuple[int, ...], index: Any) -> Any:
    """Zeros of `shape` with x added at index, repeated places each time; the gradient of getitem.

    >>> import minigrad as mg
    >>> from minigrad.ops.indexing import scatter_add
    >>> scatter_add(mg.to_tensor([1.0, 2.0]), (3,), slice(1, None)).tolist()
    [0.0, 1.0, 2.0]
    """
    return xp.scatter_add(shape, index, x)


@scatter_add.vjp("x")
def _(xp: Any, g: Any, index: Any) -> Any:
    return xp.take_index(g, index)
