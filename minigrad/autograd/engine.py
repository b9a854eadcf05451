"""The backward loop: the only one there is.

One backward pass is a finite sequence of events, and `run` is a generator of them. It can be read
in two ways. Leave out what follows `if watch`, and it is how backward works:

1.  Each root's seed goes into the *gradient holder* of the root's node.
2.  Count for each node how many contributions will come: one for each edge that leads to it.
3.  A node that waits for nobody is *ready*. Take the first ready node; its holder now has the whole
    gradient of its outputs. From it, compute the gradient of each of its inputs and deliver those
    along the edges, where they are added up. Whoever got the last contribution becomes ready.

Read only what follows `if watch`, and it is what can be seen of it. Unwatched, nothing is yielded,
no event is made, and `run` is simply drained. Nothing else in minigrad runs backward.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from minigrad.autograd.fit import fit
from minigrad.autograd.holder import GradientHolder, TensorHolder
from minigrad.autograd.hooks import run_hooks
from minigrad.autograd.modes import enable_grad
from minigrad.autograd.node import Edge, Node
from minigrad.autograd.origin import Origin, describe

__all__ = ["run"]


def run(
    roots: Sequence[Edge],
    seeds: Sequence[Any],
    *,
    retain_graph: bool = False,
    create_graph: bool = False,
    scope: Any = None,
    watch: Any = None,
    called_from: Origin | None = None,
) -> Iterator[Any]:
    """Run backward from `roots`, yielding an event at each thing that happens if watched.

    Parameters
    ----------
    roots: (node, slot) of each tensor to start from. One node may be there several times.
    seeds: the gradient of each root, of its shape and dtype, belonging to the engine: arrays, or
        Tensors with `create_graph`.
    retain_graph: whether nodes keep what they saved, so that another backward can follow.
    create_graph: whether the gradients are Tensors with a graph of their own.
    scope: for `grad()`: which edges to follow and which gradients to keep instead of accumulating.
    watch: makes the events; None to run unobserved.
    called_from: the user's line that asked, named when a spent node is met later.
    """
    make_holder = TensorHolder if create_graph else GradientHolder
    holders: dict[Node, GradientHolder] = {}

    # Seeds. A root may be an interior node of the graph of another root; its seed then lies in the
    # holder, and what arrives later is added to it (PaddlePaddle/Paddle#72816).
    for node, _ in roots:
        if node not in holders:
            holders[node] = make_holder(len(node.slots))
    starts = list(holders)
    reached = _count_contributions(holders, starts, scope, make_holder)
    if watch:
        yield watch.pass_begin(roots, reached, holders)
    for (node, slot), seed in zip(roots, seeds, strict=True):
        holders[node].add(slot, seed)
        if watch:
            yield watch.seed(node, slot, seed, holders[node])

    # A root that still waits for contributions is not ready, whatever the order of the roots.
    ready = deque(node for node in starts if holders[node].waiting == 0)
    if watch:
        for node in ready:
            yield watch.ready(node, front=False)

    while ready:
        node = ready.popleft()
        gradients = holders.pop(node).gradients
        edges = node.edges if scope is None else scope.edges(node)
        if watch:
            yield watch.node_begin(node, gradients)
        try:
            # Hooks see the sum of all contributions, and may replace it.
            if node.hooks and (scope is None or scope.runs_hooks(node)):
                for hook, before, after in run_hooks(node, gradients):
                    if watch:
                        yield watch.hook(node, hook, before, after)

            # grad() takes the gradients it was asked for, here, and leaves every `.grad` alone.
            if scope is not None:
                scope.keep(node, gradients)
                if node.is_accumulation or not any(edges):
                    if watch:
                        yield watch.node_end(node)
                    continue

            # The vector-Jacobian product: one gradient for each input that needs one.
            if watch:
                yield from watch.before_run(node)
            if create_graph:
                with enable_grad():
                    results = node.run(gradients, edges, create_graph=True)
            else:
                results = node.run(gradients, edges, create_graph=False)
            if watch:
                yield from watch.after_run(node, gradients, results)

            # Without retain_graph a node runs once: what it saved is not needed any more.
            if not retain_graph:
                if watch:
                    yield from watch.free(node)
                node.saved, node.freed_by = None, called_from

            # Deliver. An undefined gradient (None) adds nothing, but counts as arrived.
            for number, edge in enumerate(edges):
                if edge is None:
                    continue
                target, slot = edge
                gradient = results[number]
                holder = holders[target]
                if gradient is not None:
                    # Broadcast axes are summed away, and a promoted dtype is cast back.
                    shape, dtype = target.slots[slot]
                    if gradient.shape != shape or gradient.dtype is not dtype:
                        fitted = fit(
                            node, number, gradient, shape, dtype, create_graph=create_graph
                        )
                        if watch:
                            yield from watch.fitted(node, number, gradient, fitted)
                        gradient = fitted
                    holder.add(slot, gradient)
                holder.waiting -= 1
                if watch:
                    yield watch.arrive(node, number, edge, gradient, holder)

                # Leaves jump the queue: a finished gradient is put away before work goes on.
                if holder.waiting == 0:
                    if target.is_accumulation:
                        ready.appendleft(target)
                    else:
                        ready.append(target)
                    if watch:
                        yield watch.ready(target, front=target.is_accumulation)
            if watch:
                yield watch.node_end(node)
        except Exception as error:
            _say_where(error, node)
            if watch:
                yield watch.error(node, error)
            raise
    if watch:
        yield watch.pass_end()


def _count_contributions(
    holders: dict[Node, GradientHolder],
    starts: list[Node],
    scope: Any,
    make_holder: type[GradientHolder],
) -> list[Node]:
    """Make a holder for every node that can be reached, with its in-degree as `waiting`.

    Counts edges, not nodes: `x + x` will deliver to x twice. A list that grows while it is walked
    is all the recursion there is, so a graph may be a million nodes deep.
    """
    reached = list(starts)
    for node in reached:
        for edge in node.edges if scope is None else scope.edges(node):
            if edge is not None:
                target = edge[0]
                holder = holders.get(target)
                if holder is None:
                    holder = holders[target] = make_holder(len(target.slots))
                    reached.append(target)
                holder.waiting += 1
    return reached


def _say_where(error: BaseException, node: Node) -> None:
    """Add to an error, once, which node backward was at, and the forward line that made it."""
    line = describe(node.origin)
    note = f"In backward at {node.name()}" + (f", made at {line}" if line else "") + "."
    if note not in getattr(error, "__notes__", ()):
        error.add_note(note)
