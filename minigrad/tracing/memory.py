"""How many bytes a recorded block held, event by event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from minigrad.tracing._fold import Fold, given

if TYPE_CHECKING:
    from minigrad.tracing.trace import Trace

__all__ = ["Memory", "memory_over_time", "peak_bytes"]


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes held after an event, each buffer counted once.

    Attributes
    ----------
    saved: by the tensors that nodes saved for backward.
    holders: by gradients on their way, in gradient holders.
    gradients: by the `.grad` of leaves.
    """

    saved: int
    holders: int
    gradients: int

    @property
    def total(self) -> int:
        """All three together."""
        return self.saved + self.holders + self.gradients


def memory_over_time(trace: Trace) -> tuple[Memory, ...]:
    """The bytes held after each event of a trace.

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.ones([100]); x.stop_gradient = False
    >>> with mg.record() as trace:
    ...     x.exp().sum().backward()
    >>> memory_over_time(trace)[-1]
    Memory(saved=0, holders=0, gradients=400)
    """
    fold = Fold(trace.nodes, given(trace))
    found = []
    for event in trace.events:
        fold.take(event)
        found.append(Memory(fold.saved_bytes, fold.holder_bytes, fold.gradient_bytes))
    return tuple(found)


def peak_bytes(trace: Trace) -> int:
    """The most bytes held at once."""
    return max((memory.total for memory in memory_over_time(trace)), default=0)
