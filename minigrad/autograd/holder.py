"""Gradient holders: where a node's incoming gradients meet and are added up, slot by slot."""

from __future__ import annotations

from typing import Any

from minigrad.autograd.modes import enable_grad

__all__ = ["GradientHolder", "TensorHolder"]


class GradientHolder:
    """What one node has received so far in one backward pass.

    A first contribution is moved in as it is, and others may still hold that array. The second is
    added into an array of the holder's own, and only that one is written in place from then on.

    Attributes
    ----------
    gradients: one sum for each slot (each forward output); None is an undefined gradient.
    waiting: how many contributions are still to come.
    """

    waiting = 0
    _own: frozenset[int] = frozenset()  # the slots whose array was made here

    def __init__(self, slots: int) -> None:
        self.gradients: list[Any] = [None] * slots

    def add(self, slot: int, gradient: Any) -> None:
        """Add a contribution (not None) to a slot."""
        held = self.gradients[slot]
        if held is None:
            self.gradients[slot] = gradient
        elif slot in self._own:
            held += gradient
            self.gradients[slot] = held
        else:
            self.gradients[slot] = held + gradient
            self._own |= {slot}


class TensorHolder(GradientHolder):
    """The same under `create_graph`, where the gradients are Tensors and each sum is an op."""

    def add(self, slot: int, gradient: Any) -> None:
        held = self.gradients[slot]
        if held is not None:
            with enable_grad():
                gradient = held + gradient
        self.gradients[slot] = gradient
