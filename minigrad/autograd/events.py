"""The events of backward passes: frozen records, each of which can say what it is in one sentence.

Nodes appear by their number in the trace (the order in which they were made), never by address, so
the same program gives the same events. Values are snapshots: nothing here holds a live array.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from minigrad.autograd.values import Book, Value, count_of, text_of

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
        made = ", ".join(map(text_of, self.outputs))
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
            f"{count_of(len(self.waiting), 'node')} will wait for contributions."
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
        held = f", where it is added: now {text_of(self.after)}" if self.before else ""
        return (
            f"{whose} ({text_of(self.value)}) for {name} goes into the holder of "
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
        held = ", ".join(text_of(value) for value in self.values)
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
                f"The hook {self.name} of {whose} turned {text_of(self.before)} into "
                f"{text_of(self.after)}."
            )
        return f"The hook {self.name} of {whose} saw {text_of(self.before)} and left it as it is."


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
            f"{self.name} = {text_of(self.value)}."
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
            f"{self.book.node(self.node)} computed {count_of(self.count, 'number')} that "
            f"{'is' if self.count == 1 else 'are'} NaN or infinite for its input {self.edge}: "
            "the first of this pass."
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
        sent = f"{source} sends {text_of(self.contribution)} along edge {self.edge} to {target}"
        if self.how == "moved":
            return f"{sent}, whose holder was empty; {rest}."
        return f"{sent}, which held {text_of(self.before)}: now {text_of(self.after)}; {rest}."


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
                f"{name} was {text_of(self.before)}; {text_of(self.contribution)} is added: "
                f"now {text_of(self.after)}."
            )
        was = "had been cleared" if self.how == "replaced" else "was empty"
        return f"{name} {was}; it becomes {text_of(self.after)}."


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
