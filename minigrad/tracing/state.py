"""Time travel: the whole state of backward after any event of a trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import index as as_index
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from minigrad.tracing._fold import Contribution, Fold, Held, given

if TYPE_CHECKING:
    from minigrad.autograd.events import Value
    from minigrad.tracing.trace import Saved, Trace

__all__ = ["Contribution", "Held", "State", "at"]

K = TypeVar("K")
V = TypeVar("V")

_CHECKPOINTS = 32


@dataclass(frozen=True, slots=True)
class State:
    """What there is after an event. Nodes are numbers, indexes into `trace.nodes`.

    Attributes
    ----------
    index: the event's.
    holders: for each node whose holder is not empty, what each of its slots holds.
    ready_queue: the nodes that may fire, the next one first; an inner pass before its parent.
    in_degree: how many contributions each node of a pass still waits for.
    grads: the `.grad` of each leaf that has one; leaves that no pass reached are not known.
    saved: the saved tensors of each node that keeps some.
    freed: the nodes that dropped theirs.
    memory: bytes that saved tensors, holders and leaf gradients take, each buffer once.
    """

    index: int
    holders: Mapping[int, Mapping[int, Held]]
    ready_queue: tuple[int, ...]
    in_degree: Mapping[int, int]
    grads: Mapping[int, Value]
    saved: Mapping[int, tuple[Saved, ...]]
    freed: frozenset[int]
    memory: int
    states: Mapping[int, str]

    def node_state(self, node: int) -> str:
        """`"waiting"`, `"ready"`, `"running"` or `"done"`; waiting while its pass has not begun."""
        return self.states.get(node, "waiting")


def at(trace: Trace, index: int) -> State:
    """The state right after event `index`.

    Any event can be asked for at any time, those in a row at little cost.

    Raises
    ------
    IndexError: there is no such event; they count from 0, and not from the end.

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.to_tensor(3.0, stop_gradient=False)
    >>> with mg.record() as trace:
    ...     (x * x).backward()
    >>> end = trace.at(len(trace.events) - 1)
    >>> end.ready_queue, dict(end.in_degree), [grad.data for grad in end.grads.values()]
    ((), {1: 0, 0: 0}, [(6.0,)])
    """
    number = as_index(index)
    if not 0 <= number < len(trace.events):
        raise IndexError(
            f"There is no event {number}: this trace has {len(trace.events)}, counted from 0."
        )
    history = _histories.get(trace)
    if history is None or history.events is not trace.events:
        history = _histories[trace] = _History(trace)
    return _state(number, history.after(number))


class _History:
    """Copies of the fold at a few places, and one that moves on from where it was asked last."""

    def __init__(self, trace: Trace) -> None:
        self.events = trace.events
        self._apart = max(64, len(trace.events) // _CHECKPOINTS)
        start = Fold(trace.nodes, given(trace))
        self._checkpoints = [start]  # number n is from before event n * apart
        self._moving = start.copy()
        self._next = 0  # the event that the moving one takes next

    def after(self, number: int) -> Fold:
        """The fold after an event; to be read before the next call."""
        nearest = min(number // self._apart, len(self._checkpoints) - 1)
        if not nearest * self._apart <= self._next <= number + 1:
            self._moving = self._checkpoints[nearest].copy()
            self._next = nearest * self._apart
        while self._next <= number:
            if self._next == len(self._checkpoints) * self._apart:
                self._checkpoints.append(self._moving.copy())
            self._moving.take(self.events[self._next])
            self._next += 1
        return self._moving


_histories: WeakKeyDictionary[Trace, _History] = WeakKeyDictionary()


def _state(index: int, fold: Fold) -> State:
    holders: dict[int, dict[int, Held]] = {}
    in_degree, states = fold.in_degree.copy(), fold.states.copy()
    for one in fold.passes.values():
        holders.update(one.holders)
        in_degree.update(one.in_degree)
        states.update(one.states)
    return State(
        index=index,
        holders=_frozen({node: _frozen(slots) for node, slots in holders.items()}),
        ready_queue=fold.ready_queue(),
        in_degree=_frozen(in_degree),
        grads=_frozen(fold.grads.copy()),
        saved=_frozen(fold.saved.copy()),
        freed=frozenset(fold.freed),
        memory=fold.saved_bytes + fold.holder_bytes + fold.gradient_bytes,
        states=_frozen(states),
    )


def _frozen(mapping: dict[K, V]) -> Mapping[K, V]:
    return MappingProxyType(mapping)
