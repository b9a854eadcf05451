"""Moving a tensor from one backend to another: a node whose gradient moves back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minigrad.autograd.modes import mode
from minigrad.autograd.node import Edge, Node
from minigrad.autograd.origin import find_origin
from minigrad.tensor import Tensor, wrap

if TYPE_CHECKING:
    from minigrad.backend import Backend

__all__ = ["TransferNode", "move"]


def move(x: Tensor, target: Backend) -> Tensor:
    """x on another backend, with its history."""
    out = wrap(target.asarray(x._backend.to_numpy(x._data)), target)
    if x._edge is not None and mode.grad_enabled:
        out._edge = (TransferNode(x, out), 0)
    return out


class TransferNode(Node):
    """The way back of a tensor that was moved: the gradient goes to the backend it came from."""

    def __init__(self, x: Tensor, out: Tensor) -> None:
        slots = ((out._data.shape, out._data.dtype),)
        super().__init__((x._edge,), slots, out._backend, find_origin(2))
        self.source = x._backend

    def name(self) -> str:
        return "MemcpyGradNode"

    def run(
        self, gradients: list[Any], edges: Sequence[Edge | None], *, create_graph: bool
    ) -> Sequence[Any]:
        """The gradient on the backend of the input."""
        if self.saved is None:
            raise self.spent_error()
        g = self.undefined(0) if gradients[0] is None else gradients[0]
        if isinstance(g, Tensor):
            return (move(g, self.source),)
        moved = self.source.asarray(self.backend.to_numpy(g))
        return (wrap(moved, self.source) if create_graph else moved,)
