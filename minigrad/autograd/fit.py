"""Give a gradient the shape and dtype of the input that it is for.

Rules do not know of broadcasting or type promotion: the rule of `x + y` returns the gradient of the
sum for both. Where x was broadcast in forward, each of its elements was used several times, and by
the chain rule its gradient is the sum over those uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minigrad.autograd.modes import enable_grad
from minigrad.autograd.origin import describe
from minigrad.dtype import dtype_name
from minigrad.errors import GradientError, message

if TYPE_CHECKING:
    from minigrad.autograd.node import Node

__all__ = ["fit"]


def fit(
    node: Node, number: int, gradient: Any, shape: Any, dtype: Any, *, create_graph: bool
) -> Any:
    """The gradient that `node` sends along its edge `number`, as `shape` and `dtype`.

    Raises
    ------
    GradientError: it cannot be had from the gradient by summing broadcast axes.
    """
    if create_graph:
        with enable_grad():
            return _fit(node, number, gradient, shape, dtype, _namespace())
    return _fit(node, number, gradient, shape, dtype, node.backend.xp)


def _fit(node: Node, number: int, gradient: Any, shape: Any, dtype: Any, xp: Any) -> Any:
    have, want = tuple(gradient.shape), tuple(shape)
    if have != want:
        extra = len(have) - len(want)
        if extra < 0 or any(w not in (1, h) for h, w in zip(have[extra:], want, strict=True)):
            raise _shape_error(node, number, have, want)
        axes = [*range(extra)]
        axes += [i + extra for i, w in enumerate(want) if w == 1 and have[i + extra] != 1]
        if axes:
            gradient = xp.sum(gradient, axis=tuple(axes), dtype=gradient.dtype)
        if tuple(gradient.shape) != want:
            gradient = xp.reshape(gradient, want)
    if dtype_name(gradient.dtype) != dtype_name(dtype):
        gradient = xp.astype(gradient, dtype)
    return gradient


def _shape_error(node: Node, number: int, have: Any, want: Any) -> GradientError:
    return GradientError(
        message(
            f"{node.name()} gave its input {number} a gradient of shape {list(have)}, "
            f"and the input has shape {list(want)}.",
            where=describe(node.origin),
            why="a gradient has the shape of what it is the gradient of.",
            hint="return a gradient of the input's shape from backward.",
        )
    )


def _namespace() -> Any:
    from minigrad.autograd.namespace import tensor_namespace

    return tensor_namespace
