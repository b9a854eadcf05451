"""`grad`: the gradients of outputs with respect to inputs, without touching any `.grad`."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from minigrad.autograd.engine import run
from minigrad.autograd.entry import check_dump, check_flag, check_tensors, prepare_seeds
from minigrad.autograd.modes import mode
from minigrad.autograd.node import Edge, Node
from minigrad.autograd.origin import find_origin
from minigrad.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    UnusedInputError,
    message,
)
from minigrad.tensor import Tensor, wrap

__all__ = ["Scope", "grad"]


class Scope:
    """Which part of a graph one `grad()` runs through, and what it takes from it.

    A node is *needed* when the gradient of an input is wanted at it, or below it. Edges to nodes
    that are not needed are left out, so their rules are never called.
    """

    def __init__(self, starts: Sequence[Node], targets: set[Edge], cut: set[Edge]) -> None:
        self._targets = targets
        self._at = {node for node, _ in targets}
        self._cut = cut
        self._needed = self._find_needed(starts)
        self._edges: dict[Node, list[Edge | None]] = {}
        self.found: dict[Edge, Any] = {}

    def _find_needed(self, starts: Sequence[Node]) -> set[Node]:
        """Walk down from the starts, then mark upwards from the targets."""
        above: dict[Node, list[Node]] = {node: [] for node in starts}
        order = list(above)
        for node in order:
            for edge in node.edges:
                if edge is not None and edge not in self._cut:
                    target = edge[0]
                    if target not in above:
                        above[target] = []
                        order.append(target)
                    above[target].append(node)
        needed = {node for node in order if node in self._at}
        marked = list(needed)
        for node in marked:
            for parent in above[node]:
                if parent not in needed:
                    needed.add(parent)
                    marked.append(parent)
        return needed

    def edges(self, node: Node) -> Sequence[Edge | None]:
        """The edges of a node, with None for those that lead to no input."""
        found = self._edges.get(node)
        if found is None:
            found = self._edges[node] = [
                edge
                if edge is not None and edge not in self._cut and edge[0] in self._needed
                else None
                for edge in node.edges
            ]
        return found

    def runs_hooks(self, node: Node) -> bool:
        """Hooks of interior tensors run, those of leaves do not (as in Paddle)."""
        return not node.is_accumulation

    def keep(self, node: Node, gradients: list[Any]) -> None:
        """Take the gradients of the inputs that `node` made."""
        if node in self._at:
            for slot, gradient in enumerate(gradients):
                if (node, slot) in self._targets:
                    self.found[node, slot] = gradient

    def is_needed(self, edge: Edge) -> bool:
        """Whether a root leads to an input."""
        return edge[0] in self._needed


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
    *,
    dump_backward_graph_path: str | None = None,
) -> list[Tensor | None]:
    """The gradients of the sum of `outputs` with respect to each of `inputs`, in their order.

    `.grad` is never touched, hooks of leaves are not called, and the graph is never freed.

    Parameters
    ----------
    outputs, grad_outputs: the roots and their seeds, as in `backward`.
    inputs: leaves or interior tensors; a root may be among them.
    create_graph: make the results differentiable.
    allow_unused: give None for an input that the outputs do not depend on.
    no_grad_vars: tensors through which no gradient flows.

    Raises
    ------
    UnusedInputError: an input does not appear in the backward graph of the outputs.

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.to_tensor(3.0, stop_gradient=False)
    >>> (g,) = mg.grad(x * x * x, x, create_graph=True)
    >>> (h,) = mg.grad(g, x)
    >>> g.item(), h.item()
    (27.0, 18.0)
    """
    if dump_backward_graph_path is not None:
        check_dump(dump_backward_graph_path)
    roots = check_tensors(outputs, "outputs")
    wanted = check_tensors(inputs, "inputs")
    _check_flags(retain_graph, create_graph, only_inputs, allow_unused)
    cut = _cut_edges(no_grad_vars)
    seeds = prepare_seeds(roots, grad_outputs, "grad_outputs", create_graph=create_graph)
    targets = {tensor._edge for tensor in wanted if tensor._edge is not None} - cut
    live = [
        (t._edge, s) for t, s in zip(roots, seeds) if t._edge is not None and t._edge not in cut
    ]
    scope = Scope([edge[0] for edge, _ in live], targets, cut)
    live = [(edge, seed) for edge, seed in live if scope.is_needed(edge)]
    watch = mode.observer
    if watch is not None:
        watch = watch.begin("grad", roots, grad_outputs, True, create_graph)
    steps = run(
        [edge for edge, _ in live],
        [seed for _, seed in live],
        retain_graph=True,
        create_graph=create_graph,
        scope=scope,
        watch=watch,
        called_from=find_origin(),
    )
    deque(steps, maxlen=0)
    return [_result(i, t, scope, create_graph, allow_unused) for i, t in enumerate(wanted)]


def _result(
    number: int, tensor: Tensor, scope: Scope, create_graph: bool, allow_unused: bool
) -> Tensor | None:
    gradient = scope.found.get(tensor._edge) if tensor._edge is not None else None
    if gradient is None:
        if allow_unused:
            return None
        raise UnusedInputError(
            message(
                f"The {number}-th input does not appear in the backward graph.",
                why="it stops gradients."
                if tensor._edge is None
                else "no output depends on it in a differentiable way.",
                hint="check the input, or set allow_unused=True to get None for it.",
            )
        )
    if create_graph:
        return wrap(gradient._data, tensor._backend, gradient._edge)
    result = wrap(gradient, tensor._backend)
    result._borrowed = True
    return result


def _check_flags(retain: Any, create: Any, only_inputs: Any, allow_unused: Any) -> None:
    if retain is not None:
        check_flag(retain, "retain_graph")
    check_flag(create, "create_graph")
    check_flag(only_inputs, "only_inputs")
    check_flag(allow_unused, "allow_unused")
    if not only_inputs:
        raise ArgumentValueError(message("only_inputs=False is not supported."))


def _cut_edges(tensors: Any) -> set[Edge]:
    if tensors is None:
        return set()
    listed = [tensors] if isinstance(tensors, Tensor) else tensors
    if not isinstance(listed, (list, tuple, set)):
        raise ArgumentTypeError(
            message("no_grad_vars must be None, Tensor or list/tuple/set of Tensors.")
        )
    if not all(isinstance(tensor, Tensor) for tensor in listed):
        raise ArgumentTypeError(message("no_grad_vars can only contain Tensors."))
    return {tensor._edge for tensor in listed if tensor._edge is not None}
