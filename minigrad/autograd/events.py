"""The events of backward passes: frozen records, each of which can say what it is in one sentence.

Nodes appear by their number in the trace (the order in which they were made), never by address, so
the same program gives the same events. Values are snapshots: nothing here holds a live array.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

__all__ = [
    "KINDS",
    "Arrive",
    "Book",
    "Cast",
    "Error",
    "Event",
    "Free",
    "HookRun",
    "Leaf",
    "Nan",
    "NodeBegin",
    "NodeEnd",
    "OpRun",
    "PassBegin",
    "PassEnd",
    "Ready",
    "Reduce",
    "Seed",
    "Unpack",
    "Value",
]


@dataclass(frozen=True, slots=True)
class Value:
    """A snapshot of an array: whole (`data`) when small, else its statistics.

    Attributes
    ----------
    shape, dtype: those of the array.
    data: all elements in row-major order, or None.
    min, max, mean, norm: of the finite elements; None when `data` is there, or nothing was kept.
    nan, inf: how many elements are not numbers, and infinite.
    thumbnail: rows of block means, at most 16 x 16.
    """

    shape: tuple[int, ...]
    dtype: str
    data: tuple[Any, ...] | None = None
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    norm: float | None = None
    nan: int = 0
    inf: int = 0
    thumbnail: tuple[tuple[float, ...], ...] | None = None

    @property
    def nbytes(self) -> int:
        """Bytes that the array's elements take."""
        return math.prod(self.shape) * _item_size(self.dtype)

    def text(self) -> str:
        """In a few words: `3`, `[1, 2]`, `float32[64, 10] of norm 0.3`."""
        data = self.data
        if data:
            if all(item == data[0] for item in data):
                return _number(data[0])
            if len(data) <= 6 and len(self.shape) == 1:
                return f"[{', '.join(map(_number, data))}]"
        norm = "" if self.norm is None else f" of norm {_number(self.norm)}"
        return f"{self.dtype}{list(self.shape)}{norm}"


def _item_size(dtype: str) -> int:
    if dtype == "bool":
        return 1
    digits = "".join(c for c in dtype if c.isdigit())
    return int(digits or 8) // 8


def _number(value: Any) -> str:
    return str(value) if isinstance(value, (bool, int)) else f"{value:.4g}"


def _text(value: Value | None) -> str:
    return "undefined" if value is None else value.text()


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


class Book:
    """The names that sentences use: those of the nodes, and of the user's variables.

    Attributes
    ----------
    names: of each node, by number: `multiply1`, or the name of a leaf.
    leaves: the numbers of accumulation nodes.
    variables: the user's name for a slot of a node.
    """

    __slots__ = ("leaves", "names", "variables")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.leaves: set[int] = set()
        self.variables: dict[tuple[int, int], str] = {}

    def node(self, number: int) -> str:
        """What a sentence calls a node."""
        name = self.names[number]
        return f"{name}.grad" if number in self.leaves else name

    def slot(self, node: int, slot: int) -> str:
        """What a sentence calls a slot: the variable whose gradient it holds."""
        return self.variables.get((node, slot)) or self.names[node]


@dataclass(frozen=True, slots=True)
class Event:
    """What every event has: its number in the trace, and the book of names."""

    index: int
    book: Book = field(repr=False, compare=False)

    kind: ClassVar[str] = ""

    def sentence(self) -> str:
        """What happened, and why, in one plain sentence."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class OpRun(Event):
    """A forward op ran and left a node."""

    node: int
    outputs: tuple[Value | None, ...]

    kind: ClassVar[str] = "op"

    def sentence(self) -> str:
        made = ", ".join(map(_text, self.outputs))
        return f"Forward: {self.book.node(self.node)} computes {made}."


@dataclass(frozen=True, slots=True)
class PassBegin(Event):
    """A backward pass begins; `waiting` has the in-degree of every node that waits."""

    pass_id: int
    roots: tuple[tuple[int, int], ...]
    waiting: tuple[tuple[int, int], ...]

    kind: ClassVar[str] = "pass_begin"

    def sentence(self) -> str:
        names = [self.book.slot(node, slot) for node, slot in self.roots]
        start = ", ".join(names) or "no root that needs a gradient"
        return (
            f"Backward begins at {start}; "
            f"{_count(len(self.waiting), 'node')} will wait for contributions."
        )


@dataclass(frozen=True, slots=True)
class Seed(Event):
    """A seed was put into the holder of a root's node."""

    pass_id: int
    node: int
    slot: int
    value: Value | None
    given: bool
    before: Value | None = None
    after: Value | None = None

    kind: ClassVar[str] = "seed"

    def sentence(self) -> str:
        whose = "Your seed" if self.given else "A seed of ones"
        name = self.book.slot(self.node, self.slot)
        held = f", where it is added: now {_text(self.after)}" if self.before else ""
        return (
            f"{whose} ({_text(self.value)}) for {name} goes into the holder of "
            f"{self.book.node(self.node)}{held}."
        )


@dataclass(frozen=True, slots=True)
class Ready(Event):
    """A node has all its contributions and joins the ready queue."""

    pass_id: int
    node: int
    front: bool

    kind: ClassVar[str] = "ready"

    def sentence(self) -> str:
        name = self.book.node(self.node)
        if self.front:
            return (
                f"{name} has all its contributions; being a leaf it goes to the front of the queue."
            )
        return f"{name} waits for nobody any more and joins the end of the ready queue."


@dataclass(frozen=True, slots=True)
class NodeBegin(Event):
    """A node was taken from the ready queue."""

    pass_id: int
    node: int
    values: tuple[Value | None, ...]

    kind: ClassVar[str] = "node_begin"

    def sentence(self) -> str:
        held = ", ".join(_text(value) for value in self.values)
        verb = "receives" if self.node in self.book.leaves else "fires with"
        return f"{self.book.node(self.node)} {verb} the gradient {held}."


@dataclass(frozen=True, slots=True)
class HookRun(Event):
    """A hook saw the summed gradient of a slot."""

    pass_id: int
    node: int
    slot: int
    name: str
    before: Value | None
    after: Value | None
    changed: bool

    kind: ClassVar[str] = "hook"

    def sentence(self) -> str:
        whose = self.book.slot(self.node, self.slot)
        if self.changed:
            return (
                f"The hook {self.name} of {whose} turned {_text(self.before)} into "
                f"{_text(self.after)}."
            )
        return f"The hook {self.name} of {whose} saw {_text(self.before)} and left it as it is."


@dataclass(frozen=True, slots=True)
class Unpack(Event):
    """A node read one of its saved tensors."""

    pass_id: int
    node: int
    name: str
    value: Value | None

    kind: ClassVar[str] = "unpack"

    def sentence(self) -> str:
        return (
            f"{self.book.node(self.node)} reads what it saved in forward: "
            f"{self.name} = {_text(self.value)}."
        )


@dataclass(frozen=True, slots=True)
class Reduce(Event):
    """Broadcast axes were summed away."""

    pass_id: int
    node: int
    edge: int
    before: Value | None
    after: Value | None

    kind: ClassVar[str] = "reduce"

    def sentence(self) -> str:
        have = list(self.before.shape) if self.before else "its shape"
        want = list(self.after.shape) if self.after else "the input's"
        return (
            f"Input {self.edge} of {self.book.node(self.node)} was broadcast in forward, so its "
            f"gradient is summed over the copies: {have} becomes {want}."
        )


@dataclass(frozen=True, slots=True)
class Cast(Event):
    """A gradient was cast to the dtype of the input."""

    pass_id: int
    node: int
    edge: int
    before: Value | None
    after: Value | None

    kind: ClassVar[str] = "cast"

    def sentence(self) -> str:
        have = self.before.dtype if self.before else "its dtype"
        want = self.after.dtype if self.after else "the input's"
        return (
            f"The gradient for input {self.edge} of {self.book.node(self.node)} is cast from "
            f"{have} to {want}, the dtype of the input."
        )


@dataclass(frozen=True, slots=True)
class Nan(Event):
    """The first NaN or infinity of a pass came out of a node."""

    pass_id: int
    node: int
    edge: int
    count: int

    kind: ClassVar[str] = "nan"

    def sentence(self) -> str:
        return (
            f"{self.book.node(self.node)} computed {_count(self.count, 'element')} that are NaN or "
            f"infinite for its input {self.edge}: the first of this pass."
        )


@dataclass(frozen=True, slots=True)
class Free(Event):
    """A node dropped what it had saved: it is spent."""

    pass_id: int
    node: int
    bytes: int

    kind: ClassVar[str] = "free"

    def sentence(self) -> str:
        what = (
            f"its saved tensors ({self.bytes} bytes)"
            if self.bytes
            else "no saved tensor, for it had none"
        )
        return (
            f"{self.book.node(self.node)} is spent, since retain_graph is False; it drops {what}."
        )


@dataclass(frozen=True, slots=True)
class Arrive(Event):
    """A contribution reached the holder of a node."""

    pass_id: int
    source: int
    edge: int
    target: int
    slot: int
    contribution: Value | None
    before: Value | None
    after: Value | None
    how: str
    waits: int

    kind: ClassVar[str] = "arrive"

    def sentence(self) -> str:
        source, target = self.book.node(self.source), self.book.node(self.target)
        rest = f"{self.waits} more to come" if self.waits else "nothing more to come"
        if self.how == "undefined":
            return f"{source} has no gradient for {target}, which counts as arrived; {rest}."
        sent = f"{source} sends {_text(self.contribution)} along edge {self.edge} to {target}"
        if self.how == "moved":
            return f"{sent}, whose holder was empty; {rest}."
        return f"{sent}, which held {_text(self.before)}: now {_text(self.after)}; {rest}."


@dataclass(frozen=True, slots=True)
class Leaf(Event):
    """A gradient was put into the `.grad` of a leaf."""

    pass_id: int
    node: int
    contribution: Value | None
    before: Value | None
    after: Value | None
    how: str

    kind: ClassVar[str] = "leaf"

    def sentence(self) -> str:
        name = self.book.node(self.node)
        if self.how == "undefined":
            return f"{name} stays as it was: no gradient came."
        if self.how == "added":
            return (
                f"{name} was {_text(self.before)}; {_text(self.contribution)} is added: "
                f"now {_text(self.after)}."
            )
        was = "had been cleared" if self.how == "replaced" else "was empty"
        return f"{name} {was}; it becomes {_text(self.after)}."


@dataclass(frozen=True, slots=True)
class NodeEnd(Event):
    """A node is done."""

    pass_id: int
    node: int

    kind: ClassVar[str] = "node_end"

    def sentence(self) -> str:
        return f"{self.book.node(self.node)} is done."


@dataclass(frozen=True, slots=True)
class PassEnd(Event):
    """A pass is over."""

    pass_id: int

    kind: ClassVar[str] = "pass_end"

    def sentence(self) -> str:
        return "The ready queue is empty: backward is done."


@dataclass(frozen=True, slots=True)
class Error(Event):
    """A node raised an exception, which ends the pass."""

    pass_id: int
    node: int
    type: str
    message: str

    kind: ClassVar[str] = "error"

    def sentence(self) -> str:
        return f"{self.book.node(self.node)} raised {self.type}: {self.message.splitlines()[0]}"


KINDS: dict[str, type[Event]] = {
    made.kind: made
    for made in (
        OpRun,
        PassBegin,
        Seed,
        Ready,
        NodeBegin,
        HookRun,
        Unpack,
        Reduce,
        Cast,
        Nan,
        Free,
        Arrive,
        Leaf,
        NodeEnd,
        PassEnd,
        Error,
    )
}
"""The class of each kind of event."""
