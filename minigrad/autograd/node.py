"""Grad nodes: the graph that forward leaves behind and backward walks.

A node has one *slot* for each output of its forward op (gradients come in there) and one *edge* for
each input: `(node, slot)` of whatever made that input, or None where no gradient is wanted.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from minigrad.autograd.modes import enable_grad
from minigrad.autograd.origin import Origin, describe
from minigrad.errors import GraphFreedError, InplaceError, message

if TYPE_CHECKING:
    from minigrad.autograd.hooks import Hook
    from minigrad.autograd.saved import Version
    from minigrad.backend import Backend
    from minigrad.ops.registry import Op, Plan

__all__ = ["AccumulationNode", "Edge", "Node", "OpNode", "Slot"]

Edge = tuple["Node", int]
"""A node and one of its slots."""

Slot = tuple[tuple[int, ...], Any]
"""The shape and dtype of one forward output, and so of the gradient that arrives there."""


class Node:
    """What every grad node has.

    Attributes
    ----------
    edges: where the gradient of each input goes.
    slots: the shape and dtype of each output.
    backend: whose arrays flow through it.
    origin: the user's line that made it.
    hooks: what the user registered on the outputs, in order; None while there is nothing.
    saved: what forward kept for backward; None when the node is spent.
    freed_by: the line of the backward that spent it.
    """

    is_accumulation = False
    kind = "op"
    hooks: list[Hook] | None = None
    freed_by: Origin | None = None
    saved: Any = ()

    def __init__(
        self,
        edges: tuple[Edge | None, ...],
        slots: tuple[Slot, ...],
        backend: Backend,
        origin: Origin | None,
    ) -> None:
        self.edges = edges
        self.slots = slots
        self.backend = backend
        self.origin = origin

    def name(self) -> str:
        """Paddle's name of the node's kind: `MultiplyGradNode`."""
        raise NotImplementedError

    @property
    def next_functions(self) -> list[Node | None]:
        """The node behind each edge, None where no gradient goes."""
        return [edge and edge[0] for edge in self.edges]

    def node_ptr(self) -> int:
        """A number that tells this node from every other one that is alive."""
        return id(self)

    def __repr__(self) -> str:
        return f"<{self.name()}>"

    def run(
        self, gradients: list[Any], edges: Sequence[Edge | None], *, create_graph: bool
    ) -> Sequence[Any]:
        """One gradient for each edge that is not None, from one gradient for each slot."""
        raise NotImplementedError

    def saved_items(self) -> list[tuple[str, Any]]:
        """The names and arrays of the saved tensors, for those who watch."""
        return []

    def undefined(self, slot: int) -> Any:
        """Zeros that stand for a gradient that never came."""
        shape, dtype = self.slots[slot]
        return self.backend.xp.zeros(shape, dtype=dtype)

    def spent_error(self) -> GraphFreedError:
        """What to say when a spent node is asked to run."""
        by = describe(self.freed_by)
        return GraphFreedError(
            message(
                f"Backward came to {self.name()} a second time, and what it had saved is freed.",
                where=describe(self.origin),
                why=f"the backward at {by} freed it." if by else "an earlier backward freed it.",
                hint="pass retain_graph=True to the earlier backward, or compute forward again.",
            )
        )


class OpNode(Node):
    """A node of an op of the registry.

    Attributes
    ----------
    op: the op.
    plan: which rules are needed and what each of them gets.
    saved: the values that the plan asks for.
    versions: the version counter of each saved tensor, and its count at the time.
    """

    def __init__(
        self,
        op: Op,
        plan: Plan,
        edges: tuple[Edge | None, ...],
        saved: tuple[Any, ...],
        versions: tuple[tuple[Version, int], ...],
        slots: tuple[Slot, ...],
        backend: Backend,
        origin: Origin | None,
    ) -> None:
        self.op = op
        self.plan = plan
        self.edges = edges
        self.saved = saved
        self.versions = versions
        self.slots = slots
        self.backend = backend
        self.origin = origin

    def name(self) -> str:
        return f"{self.op.node_name}GradNode"

    def run(
        self, gradients: list[Any], edges: Sequence[Edge | None], *, create_graph: bool
    ) -> Sequence[Any]:
        """Call the rule of each input that needs a gradient.

        Raises
        ------
        GraphFreedError: the node is spent.
        InplaceError: a saved tensor was written in place since forward.
        """
        saved = self.saved
        if saved is None:
            raise self.spent_error()
        for version, count in self.versions:
            if version.count != count:
                raise self._overwritten_error()
        if create_graph:
            xp, saved = _namespace(), self._as_tensors(saved)
        else:
            xp = self.backend.xp
        if len(gradients) == 1:
            g = gradients[0]
            if g is None:
                g = self._zeros(0, create_graph=create_graph)
        else:
            g = [
                self._zeros(slot, create_graph=create_graph) if gradient is None else gradient
                for slot, gradient in enumerate(gradients)
            ]
        plan = self.plan
        if plan.joint is not None:
            rule, pick = plan.joint
            joint: Sequence[Any] = rule(xp, g, *pick(saved))
            return joint
        results: list[Any] = []
        for edge, needed in zip(edges, plan.rules):
            if edge is None:
                results.append(None)
            else:
                rule, pick = needed  # type: ignore[misc]  # an edge is there only with its rule
                results.append(rule(xp, g, *pick(saved)))
        return results

    def saved_items(self) -> list[tuple[str, Any]]:
        plan = self.plan
        return [(plan.saves[i], self.saved[i]) for i in plan.tensors] if self.saved else []

    def _zeros(self, slot: int, *, create_graph: bool) -> Any:
        zeros = self.undefined(slot)
        return _wrap(zeros, self.backend) if create_graph else zeros

    def _as_tensors(self, saved: tuple[Any, ...]) -> tuple[Any, ...]:
        """The saved arrays as the Tensors they were: with the edges to what made them."""
        values = list(saved)
        for position in self.plan.tensors:
            name = self.plan.saves[position]
            edge = (self, 0) if name == "out" else self.edges[self.op.operands.index(name)]
            values[position] = _wrap(values[position], self.backend, edge)
        return tuple(values)

    def _overwritten_error(self) -> InplaceError:
        position, version, count = next(
            (position, version, count)
            for position, (version, count) in zip(self.plan.tensors, self.versions)
            if version.count != count
        )
        name = self.plan.saves[position]
        shape = list(self.saved[position].shape) if self.saved else []
        line = describe(version.line)
        what = "the result" if name == "out" else f"the operand {name}"
        return InplaceError(
            message(
                f"{self.name()} needs {what} (shape {shape}) as it was in forward, but it has been "
                "modified by an inplace operation.",
                where=describe(self.origin),
                why=f"its version is {version.count}, the expected version is {count}"
                + (f"; written at {line}." if line else "."),
                hint="write into a clone(), or do the in-place operation after backward.",
            )
        )


class AccumulationNode(Node):
    """The end of the way: adds what arrives to the `.grad` of one leaf.

    It knows the leaf by a weak reference only: the leaf owns its node, not the other way round.
    """

    is_accumulation = True
    kind = "accumulation"
    after: dict[int, Callable[[], Any]] | None = None

    def __init__(self, leaf: Any) -> None:
        data = leaf._data
        super().__init__((), ((data.shape, data.dtype),), leaf._backend, None)
        self.leaf: Callable[[], Any] = weakref.ref(leaf)

    def name(self) -> str:
        return "GradNodeAccumulation"

    @property
    def next_functions(self) -> list[Node | None]:
        """One None, as in Paddle: nothing comes after a leaf."""
        return [None]

    def run(
        self, gradients: list[Any], edges: Sequence[Edge | None], *, create_graph: bool
    ) -> Sequence[Any]:
        """Add the gradient to `.grad`; an undefined one leaves it as it was."""
        leaf = self.leaf()
        gradient = gradients[0]
        if leaf is not None and gradient is not None:
            leaf._accumulate(gradient, create_graph=create_graph)
        if leaf is not None and self.after is not None:
            for function in list(self.after.values()):
                with enable_grad():
                    function()
        return ()


def _wrap(array: Any, backend: Backend, edge: Edge | None = None) -> Any:
    from minigrad.tensor import wrap

    return wrap(array, backend, edge)


def _namespace() -> Any:
    from minigrad.autograd.namespace import tensor_namespace

    return tensor_namespace
