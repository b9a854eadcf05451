"""The state of backward as a fold over events: what a reader of the events knows after each one."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from minigrad.autograd import events as ev

if TYPE_CHECKING:
    from minigrad.tracing.trace import Node, Saved, Trace

__all__ = ["Contribution", "Fold", "Given", "Held", "PassFold", "given"]


@dataclass(frozen=True, slots=True)
class Contribution:
    """One of the gradients that were summed in a slot.

    Attributes
    ----------
    value: the gradient, None when it is undefined.
    source, edge: the node that sent it and along which of its edges; None for a seed.
    """

    value: ev.Value | None
    source: int | None = None
    edge: int | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """What one slot of a gradient holder contains.

    Attributes
    ----------
    value: the sum so far, as the hooks left it; None when only undefined gradients came.
    contributions: what came, in order.
    """

    value: ev.Value | None
    contributions: tuple[Contribution, ...]


Holder = dict[int, Held]
"""Slots by number. Never changed, but replaced: copies of the fold share it."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a trace says about the time before some of its events.

    Attributes
    ----------
    saved: nodes that were there with their saved tensors before the first event.
    grads: for each pass, the `.grad` that its leaves have when it begins.
    """

    saved: tuple[int, ...]
    grads: dict[int, dict[int, ev.Value | None]]


def given(trace: Trace) -> Given:
    """Look ahead for what was there before."""
    made: set[int] = set()
    grads: dict[int, dict[int, ev.Value | None]] = {}
    for event in trace.events:
        if isinstance(event, ev.OpRun):
            made.add(event.node)
        elif isinstance(event, ev.Leaf):
            grads.setdefault(event.pass_id, {}).setdefault(event.node, event.before)
    before = (node.id for node in trace.nodes if node.saved and node.id not in made)
    return Given(tuple(before), grads)


class PassFold:
    """What one pass that is not over yet has in hand."""

    def __init__(self) -> None:
        self.holders: dict[int, Holder] = {}
        self.in_degree: dict[int, int] = {}
        self.ready: deque[int] = deque()
        self.states: dict[int, str] = {}
        self.failed = False

    def copy(self) -> PassFold:
        """One that can go on by itself."""
        made = PassFold()
        made.holders = self.holders.copy()
        made.in_degree = self.in_degree.copy()
        made.ready = self.ready.copy()
        made.states = self.states.copy()
        made.failed = self.failed
        return made


class Fold:
    """Everything known after some event; `take` the next one to move on.

    Attributes
    ----------
    passes: those under way, the innermost last.
    in_degree, states: of nodes whose pass is over.
    grads: of the leaves that have one.
    saved: what each node keeps that has something saved; `freed` are those that dropped it.
    saved_bytes, holder_bytes, gradient_bytes: how much memory that takes, each buffer once.
    """

    def __init__(self, nodes: tuple[Node, ...], before: Given) -> None:
        self.nodes = nodes
        self.before = before
        self.passes: dict[int, PassFold] = {}
        self.in_degree: dict[int, int] = {}
        self.states: dict[int, str] = {}
        self.grads: dict[int, ev.Value] = {}
        self.saved: dict[int, tuple[Saved, ...]] = {}
        self.freed: set[int] = set()
        self.users: dict[int, int] = {}  # of each buffer: how many saved tensors are in it
        self.saved_bytes = self.holder_bytes = self.gradient_bytes = 0
        for node in before.saved:
            self._save(node)
        for grads in reversed(before.grads.values()):  # a leaf of two passes: as the first finds it
            self._set_grads(grads)

    def copy(self) -> Fold:
        """One that can go on by itself."""
        made = object.__new__(Fold)
        made.nodes, made.before = self.nodes, self.before
        made.passes = {number: one.copy() for number, one in self.passes.items()}
        made.in_degree, made.states = self.in_degree.copy(), self.states.copy()
        made.grads, made.saved = self.grads.copy(), self.saved.copy()
        made.freed, made.users = self.freed.copy(), self.users.copy()
        made.saved_bytes = self.saved_bytes
        made.holder_bytes = self.holder_bytes
        made.gradient_bytes = self.gradient_bytes
        return made

    def ready_queue(self) -> tuple[int, ...]:
        """Who may fire, the next one first; an inner pass before the one that it interrupts."""
        inner_first = reversed(self.passes.values())
        return tuple(node for one in inner_first for node in one.ready)

    def take(self, event: ev.Event) -> None:
        """Move on by one event."""
        if isinstance(event, ev.OpRun):
            self._save(event.node)
        elif isinstance(event, ev.PassBegin):
            self._begin(event)
        else:
            self._take_inside(event)

    def _take_inside(self, event: ev.Event) -> None:
        now = self._pass_of(event)
        self._take_gradient(now, event)
        match event:
            case ev.Arrive():
                now.in_degree[event.target] = event.waits
            case ev.Ready():
                (now.ready.appendleft if event.front else now.ready.append)(event.node)
                now.states[event.node] = "ready"
            case ev.NodeBegin():
                if event.node in now.ready:
                    now.ready.remove(event.node)
                now.states[event.node] = "running"
            case ev.Free():
                self._free(event.node)
            case ev.NodeEnd():
                self._drop(now, event.node)
                now.states[event.node] = "done"
            case ev.PassEnd():
                self._end(event.pass_id)
            case ev.Error():
                now.failed = True

    def _take_gradient(self, now: PassFold, event: ev.Event) -> None:
        """What an event does to the holders and to the gradients of leaves."""
        match event:
            case ev.Arrive():
                sent = Contribution(event.contribution, event.source, event.edge)
                self._put(now, event.target, event.slot, event.after, sent)
            case ev.Seed():
                after = event.value if event.after is None else event.after
                self._put(now, event.node, event.slot, after, Contribution(event.value))
            case ev.HookRun():
                self._put(now, event.node, event.slot, event.after)
            case ev.Leaf():
                self._drop(now, event.node)
                self._set_grads({event.node: event.after})

    def _pass_of(self, event: ev.Event) -> PassFold:
        """The pass of an event. A failed one is over as soon as another one goes on."""
        number: int = event.pass_id  # type: ignore[attr-defined]  # all but OpRun have it
        for other in [n for n, one in self.passes.items() if one.failed and n != number]:
            self._end(other)
        return self.passes.setdefault(number, PassFold())

    def _begin(self, event: ev.PassBegin) -> None:
        now = self._pass_of(event)
        now.in_degree = {node: 0 for node, _ in event.roots} | dict(event.waiting)
        now.states = dict.fromkeys(now.in_degree, "waiting")
        self._set_grads(self.before.grads.get(event.pass_id, {}))

    def _end(self, number: int) -> None:
        over = self.passes.pop(number)
        for node in list(over.holders):
            self._drop(over, node)
        self.in_degree.update(over.in_degree)
        done = {node: "done" for node, state in over.states.items() if state == "done"}
        self.states.update(dict.fromkeys(over.states, "waiting") | done)

    def _put(
        self,
        now: PassFold,
        node: int,
        slot: int,
        value: ev.Value | None,
        *contributions: Contribution,
    ) -> None:
        holder = now.holders.get(node, {})
        held = holder.get(slot) or Held(None, ())
        now.holders[node] = {**holder, slot: Held(value, (*held.contributions, *contributions))}
        self.holder_bytes += _size(value) - _size(held.value)

    def _drop(self, now: PassFold, node: int) -> None:
        for held in now.holders.pop(node, {}).values():
            self.holder_bytes -= _size(held.value)

    def _set_grads(self, grads: dict[int, ev.Value | None]) -> None:
        for node, value in grads.items():
            self.gradient_bytes += _size(value) - _size(self.grads.pop(node, None))
            if value is not None:
                self.grads[node] = value

    def _save(self, node: int) -> None:
        saved = self.nodes[node].saved
        if not saved or node in self.saved:
            return
        self.saved[node] = saved
        for tensor in saved:
            users = self.users.get(tensor.buffer, 0)
            self.users[tensor.buffer] = users + 1
            self.saved_bytes += 0 if users else tensor.bytes

    def _free(self, node: int) -> None:
        self.freed.add(node)
        for tensor in self.saved.pop(node, ()):
            self.users[tensor.buffer] -= 1
            self.saved_bytes -= 0 if self.users[tensor.buffer] else tensor.bytes


def _size(value: ev.Value | None) -> int:
    return 0 if value is None else value.nbytes
