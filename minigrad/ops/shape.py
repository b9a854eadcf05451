"""Ops that move elements without changing them: reshape, transpose, split, join."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minigrad.errors import ArgumentValueError, ShapeError, message
from minigrad.ops.broadcasting import axis_of, ints
from minigrad.ops.registry import op

__all__ = ["concat", "expand", "reshape", "split", "squeeze", "stack", "transpose", "unsqueeze"]


def full_shape(have: tuple[int, ...], shape: Any) -> tuple[int, ...]:
    """The shape that `reshape(shape)` means: 0 keeps an axis, -1 is worked out.

    Raises
    ------
    ShapeError: the number of elements differs.

    Example
    -------
    >>> full_shape((2, 3, 4), [0, -1])
    (2, 12)
    """
    size = math.prod(have)
    asked = ints(shape)
    want = [have[i] if n == 0 and i < len(have) and size else n for i, n in enumerate(asked)]
    if want.count(-1) == 1:
        known = math.prod(n for n in want if n != -1)
        if known and size % known == 0:
            want[want.index(-1)] = size // known
    if any(n < 0 for n in want) or math.prod(want) != size:
        raise ShapeError(
            message(
                f"A tensor of shape {list(have)} cannot be reshaped to {list(asked)}.",
                why=f"it has {size} elements.",
                hint="-1 stands for one axis that is worked out, 0 for the same axis of x.",
            )
        )
    return tuple(want)


@op(formula=r"z = \operatorname{reshape}(x)", rules={"x": r"\operatorname{reshape}(g)"}, view=True)
def reshape(xp: Any, x: Any, /, shape: Sequence[int]) -> Any:
    """The same elements in another shape; 0 keeps an axis, -1 is worked out.

    >>> import minigrad as mg
    >>> mg.reshape(mg.arange(6), [2, -1]).tolist()
    [[0, 1, 2], [3, 4, 5]]
    """
    return xp.reshape(x, full_shape(x.shape, shape))


@reshape.vjp("x")
def _(xp: Any, g: Any, x_shape: tuple[int, ...]) -> Any:
    return xp.reshape(g, x_shape)


@op(formula="z = x^{T}", rules={"x": "g^{T}"}, view=True)
def transpose(xp: Any, x: Any, /, perm: Sequence[int] | None = None) -> Any:
    """Reorder the axes: axis i of the result is axis perm[i] of x; reversed when not given.

    >>> import minigrad as mg
    >>> mg.transpose(mg.zeros([2, 3, 4]), [2, 0, 1]).shape
    [4, 2, 3]
    """
    return xp.permute_dims(x, _permutation(len(x.shape), perm))


@transpose.vjp("x")
def _(xp: Any, g: Any, perm: Sequence[int] | None) -> Any:
    order = _permutation(len(g.shape), perm)
    inverse = sorted(range(len(order)), key=order.__getitem__)
    return xp.permute_dims(g, tuple(inverse))


def _permutation(rank: int, perm: Sequence[int] | None) -> tuple[int, ...]:
    if perm is None:
        return tuple(reversed(range(rank)))
    order = tuple(n + rank if n < 0 else n for n in ints(perm))
    if sorted(order) != list(range(rank)):
        raise ShapeError(
            message(
                f"perm={list(ints(perm))} is no order of the {rank} axes of x.",
                hint=f"name each of the axes 0 to {rank - 1} once.",
            )
        )
    return order


@op(formula=r"z = \operatorname{squeeze}(x)", rules={"x": r"\operatorname{reshape}(g)"}, view=True)
def squeeze(xp: Any, x: Any, /, axis: int | Sequence[int] | None = None) -> Any:
    """Drop axes of length 1: all of them, or those named (of which longer ones stay).

    >>> import minigrad as mg
    >>> mg.squeeze(mg.zeros([1, 3, 1]), 0).shape
    [3, 1]
    """
    rank = len(x.shape)
    axes = range(rank) if axis is None else [axis_of(a, rank) for a in ints(axis)]
    return xp.reshape(x, tuple(n for i, n in enumerate(x.shape) if n != 1 or i not in axes))


@squeeze.vjp("x")
def _(xp: Any, g: Any, x_shape: tuple[int, ...]) -> Any:
    return xp.reshape(g, x_shape)


@op(
    formula=r"z = \operatorname{unsqueeze}(x)", rules={"x": r"\operatorname{reshape}(g)"}, view=True
)
def unsqueeze(xp: Any, x: Any, /, axis: int | Sequence[int]) -> Any:
    """Insert axes of length 1, each at its place in the result.

    >>> import minigrad as mg
    >>> mg.unsqueeze(mg.zeros([3]), [0, 2]).shape
    [1, 3, 1]
    """
    shape = list(x.shape)
    for a in ints(axis):
        shape.insert(axis_of(a, len(shape) + 1), 1)
    return xp.reshape(x, tuple(shape))


@unsqueeze.vjp("x")
def _(xp: Any, g: Any, x_shape: tuple[int, ...]) -> Any:
    return xp.reshape(g, x_shape)


@op(formula=r"z = \operatorname{expand}(x)", rules={"x": r"\sum_{\text{copies}} g"}, view=True)
def expand(xp: Any, x: Any, /, shape: Sequence[int]) -> Any:
    """Repeat axes of length 1, and add axes in front; -1 keeps an axis.

    >>> import minigrad as mg
    >>> mg.expand(mg.to_tensor([[1], [2]]), [2, 3]).tolist()
    [[1, 1, 1], [2, 2, 2]]
    """
    have, want = x.shape, ints(shape)
    extra = len(want) - len(have)
    full = tuple(have[i - extra] if n == -1 and i >= extra else n for i, n in enumerate(want))
    if extra < 0 or any(h not in (1, n) for h, n in zip(have, full[extra:], strict=True)):
        raise ShapeError(
            message(
                f"A tensor of shape {list(have)} cannot be expanded to {list(want)}.",
                why="only axes of length 1 can be repeated, and new axes stand in front.",
            )
        )
    return xp.broadcast_to(x, full)


@expand.vjp("x")
def _(xp: Any, g: Any) -> Any:
    return g  # the engine sums over the copies


def sections_of(length: int, sections: int | Sequence[int]) -> list[int]:
    """The lengths that `split` means: n equal parts, or given ones of which one may be -1.

    Raises
    ------
    ArgumentValueError: the parts do not make up the axis.
    """
    if isinstance(sections, int):
        parts = [length // sections] * sections if sections > 0 else []
    else:
        parts = list(ints(sections))
        if parts.count(-1) == 1:
            parts[parts.index(-1)] = length - sum(n for n in parts if n != -1)
    if sum(parts) != length or any(n < 0 for n in parts):
        raise ArgumentValueError(
            message(
                f"An axis of length {length} cannot be split into {sections}.",
                hint="give a number that divides the length, or lengths that add up to it.",
            )
        )
    return parts


@op(
    formula=r"x = [z_1, \dots, z_n]",
    rules={"x": r"[g_1, \dots, g_n]"},
    view=True,
    node_name="SplitWithNum",
)
def split(xp: Any, x: Any, /, num_or_sections: int | Sequence[int], axis: int = 0) -> Any:
    """Cut x along an axis into equal parts, or parts of the given lengths; a list.

    >>> import minigrad as mg
    >>> [part.tolist() for part in mg.split(mg.arange(4), [1, -1])]
    [[0], [1, 2, 3]]
    """
    place = axis_of(axis, len(x.shape))
    before = (slice(None),) * place
    parts, start = [], 0
    for length in sections_of(x.shape[place], num_or_sections):
        parts.append(x[(*before, slice(start, start + length), ...)])
        start += length
    return parts


@split.vjp("x")
def _(xp: Any, gs: Any, axis: int) -> Any:
    # Of one part there is one gradient, and not a list.
    return xp.concat(gs, axis=axis) if isinstance(gs, list) else gs


@op(formula=r"z = [x_1, \dots, x_n]", rules={"xs": r"g_{[i]}"})
def concat(xp: Any, xs: Any, /, axis: int = 0) -> Any:
    """Join tensors along an axis.

    >>> import minigrad as mg
    >>> mg.concat([mg.ones([1]), mg.zeros([2])]).tolist()
    [1.0, 0.0, 0.0]
    """
    return xp.concat(list(xs), axis=axis)


@concat.vjp()
def _(xp: Any, g: Any, shapes: Sequence[tuple[int, ...]], axis: int) -> Any:
    place = axis_of(axis, len(g.shape))
    before = (slice(None),) * place
    parts, start = [], 0
    for shape in shapes:
        parts.append(g[(*before, slice(start, start + shape[place]), ...)])
        start += shape[place]
    return parts


@op(formula=r"z = [x_1, \dots, x_n]", rules={"xs": "g_i"})
def stack(xp: Any, xs: Any, /, axis: int = 0) -> Any:
    """Join tensors of one shape along a new axis.

    >>> import minigrad as mg
    >>> mg.stack([mg.ones([2]), mg.zeros([2])]).tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    return xp.stack(list(xs), axis=axis)


@stack.vjp()
def _(xp: Any, g: Any, axis: int) -> Any:
    place = axis_of(axis, len(g.shape))
    before = (slice(None),) * place
    return [g[(*before, i, ...)] for i in range(g.shape[place])]
