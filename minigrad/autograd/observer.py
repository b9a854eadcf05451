"""The observer: numbers nodes, takes snapshots, and makes the events that the engine yields.

One Observer lives as long as a recording; it makes one PassWatch for each backward pass, which is
what the engine calls `watch`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from minigrad.autograd import events
from minigrad.autograd.events import Book, Event, Value
from minigrad.autograd.node import Edge, Node, OpNode
from minigrad.autograd.origin import user_frame
from minigrad.autograd.snapshot import Snapshots
from minigrad.dtype import dtype_name

if TYPE_CHECKING:
    from types import FrameType

    from minigrad.autograd.holder import GradientHolder
    from minigrad.autograd.hooks import Hook

__all__ = ["NodeRecord", "Observer", "PassRecord", "PassWatch"]


@dataclass(slots=True)
class NodeRecord:
    """What is known of a node; `saved` as (name, shape, dtype, bytes, buffer)."""

    node: Node
    name: str
    scope: str
    saved: list[tuple[str, tuple[int, ...], str, int, int]]
    attributes: dict[str, str]


@dataclass(slots=True)
class PassRecord:
    """What is known of a pass besides its events."""

    number: int
    kind: str
    parent: int | None
    parent_node: int | None
    retain_graph: bool
    create_graph: bool
    roots: list[tuple[int, int]] = field(default_factory=list)
    first: int = -1
    last: int = -1


class Observer:
    """Everything that a recording collects.

    Parameters
    ----------
    snapshots: how values are kept.
    keep: whether events are kept, or only made.
    """

    def __init__(self, snapshots: Snapshots | None = None, *, keep: bool = False) -> None:
        self.snapshots = snapshots or Snapshots()
        self.book = Book()
        self.nodes: list[NodeRecord] = []
        self.passes: list[PassRecord] = []
        self.events: list[Event] = []
        self.keep = keep
        self.next_index = 0
        self.running: list[tuple[PassRecord, int | None]] = []
        self.numbers: dict[Node, int] = {}
        self._counts: dict[str, int] = {}
        self._buffers: dict[Any, int] = {}
        self._scopes: list[str] = []

    def emit(self, kind: type[Event], *fields: Any) -> Any:
        """Make the next event, and keep it."""
        event = kind(self.next_index, self.book, *fields)
        self.next_index += 1
        if self.keep:
            self.events.append(event)
        return event

    # -- nodes and names ------------------------------------------------------------------------

    def number(self, node: Node) -> int:
        """The number of a node, given when it is first seen."""
        found = self.numbers.get(node)
        if found is None:
            found = self.numbers[node] = len(self.nodes)
            self._register(node, found)
        return found

    def _register(self, node: Node, number: int) -> None:
        if node.is_accumulation:
            leaf = node.leaf()  # type: ignore[attr-defined]
            kind, name = "leaf", (leaf._name if leaf is not None else None) or ""
            self.book.leaves.add(number)
        else:
            layer = getattr(node, "layer", None)
            op = getattr(node, "op", None)
            kind = layer.__name__ if layer else op.name if op else node.name()
            name = ""
        if not name:
            count = self._counts[kind] = self._counts.get(kind, 0) + 1
            name = f"{kind}{count}"
        self.book.names.append(name)
        scope = "/".join(self._scopes)
        self.nodes.append(NodeRecord(node, name, scope, self._saved(node), {}))

    def _saved(self, node: Node) -> list[tuple[str, tuple[int, ...], str, int, int]]:
        versions = (
            [version for version, _ in node.versions]
            if isinstance(node, OpNode)
            else [v for _, v, _ in getattr(node.saved, "_versions", ())]
        )
        return [
            (
                name,
                tuple(array.shape),
                dtype_name(array.dtype),
                node.backend.nbytes(array),
                self._buffers.setdefault(version, len(self._buffers)),
            )
            for (name, array), version in zip(node.saved_items(), versions)
        ]

    def name_variables(self, frame: FrameType | None) -> None:
        """Take the names of the tensors that a frame's variables hold."""
        if frame is None:
            return
        from minigrad.tensor import Tensor

        spaces = [frame.f_locals]
        if frame.f_globals is not frame.f_locals:
            spaces.append(frame.f_globals)
        for space in spaces:
            for name, value in list(space.items()):
                if isinstance(value, Tensor) and not name.startswith("_"):
                    edge = value._edge or value._parked
                    number = None if edge is None else self.numbers.get(edge[0])
                    if edge is not None and number is not None:
                        self._name(number, edge[1], value._name or name)

    def _name(self, number: int, slot: int, name: str) -> None:
        if (number, slot) in self.book.variables:
            return
        self.book.variables[number, slot] = name
        if number in self.book.leaves:
            self.book.names[number] = self.nodes[number].name = name

    def enter_scope(self, name: str) -> None:
        """Nodes made from now on belong to a layer or named scope, inside the present one."""
        self._scopes.append(name)

    def leave_scope(self) -> None:
        """Go back to the scope around."""
        self._scopes.pop()

    # -- what is watched ------------------------------------------------------------------------

    def op(self, node: Node, tensors: Sequence[Any], outs: Sequence[Any], attributes: Any) -> None:
        """A forward op has run."""
        for tensor in tensors:
            if tensor._edge is not None and tensor._edge[0].is_accumulation:
                self.number(tensor._edge[0])
        number = self.number(node)
        op = getattr(node, "op", None)
        if op is not None:
            self.nodes[number].attributes = {
                name: _attribute_text(value)
                for (name, default), value in zip(op.attributes.items(), attributes)
                if value is not default
            }
        values = tuple(self.snapshots.take(out._data, out._backend) for out in outs)
        self.emit(events.OpRun, number, values)

    def begin(
        self, kind: str, roots: Sequence[Any], seeds: Any, retain_graph: bool, create_graph: bool
    ) -> PassWatch:
        """A backward pass is about to begin."""
        given = seeds if isinstance(seeds, (list, tuple)) else [seeds]
        pairs = zip(roots, given if len(given) == len(roots) else [None] * len(roots))
        flags = [seed is not None for root, seed in pairs if root._edge is not None]
        parent, node = self.running[-1] if self.running else (None, None)
        number = len(self.passes)
        record = PassRecord(
            number,
            kind,
            parent.number if parent is not None else None,
            node,
            retain_graph,
            create_graph,
        )
        self.passes.append(record)
        return PassWatch(self, record, flags, user_frame(2))


class PassWatch:
    """Makes the events of one pass; the engine calls it at everything that happens."""

    def __init__(
        self, observer: Observer, record: PassRecord, given: list[bool], frame: FrameType | None
    ) -> None:
        self._observer = observer
        self._record = record
        self._given = iter(given)
        self._frame = frame
        self._held: dict[tuple[int, int], Value | None] = {}
        self._before: tuple[Value | None, bool] = (None, False)
        self._alarmed = False

    def _emit(self, kind: type[Event], *fields: Any) -> Any:
        event = self._observer.emit(kind, self._record.number, *fields)
        self._record.last = event.index
        return event

    def _take(self, array: Any, node: Node, *, changed: bool = False) -> Value | None:
        return self._observer.snapshots.take(array, node.backend, changed=changed)

    def pass_begin(
        self, roots: Sequence[Edge], reached: Sequence[Node], holders: dict[Node, GradientHolder]
    ) -> Event:
        observer, number = self._observer, self._observer.number
        for node in reached:
            number(node)
        observer.name_variables(self._frame)
        self._frame = None  # a frame keeps all its variables alive
        waiting = tuple((number(n), holders[n].waiting) for n in reached if holders[n].waiting)
        self._record.roots = [(number(node), slot) for node, slot in roots]
        observer.running.append((self._record, None))
        event: Event = self._emit(events.PassBegin, tuple(self._record.roots), waiting)
        self._record.first = event.index
        return event

    def seed(self, node: Node, slot: int, seed: Any, holder: GradientHolder) -> Event:
        number = self._observer.number(node)
        value = self._take(seed, node)
        before = self._held.get((number, slot))
        after = None
        if before is not None:
            after = self._take(holder.gradients[slot], node, changed=True)
        self._held[number, slot] = after or value
        made: Event = self._emit(events.Seed, number, slot, value, next(self._given), before, after)
        return made

    def ready(self, node: Node, *, front: bool) -> Event:
        made: Event = self._emit(events.Ready, self._observer.number(node), front)
        return made

    def node_begin(self, node: Node, gradients: Sequence[Any]) -> Event:
        number = self._observer.number(node)
        self._observer.running[-1] = (self._record, number)
        values = tuple(self._held.pop((number, slot), None) for slot in range(len(gradients)))
        made: Event = self._emit(events.NodeBegin, number, values)
        return made

    def hook(self, node: Node, hook: Hook, before: Any, after: Any) -> Event:
        old, new = self._take(before, node), self._take(after, node)
        number = self._observer.number(node)
        made: Event = self._emit(
            events.HookRun, number, hook.slot, hook.name, old, new, before is not after
        )
        return made

    def before_run(self, node: Node) -> Iterator[Event]:
        if node.is_accumulation:
            leaf = node.leaf()  # type: ignore[attr-defined]
            grad = None if leaf is None else leaf._grad
            old = leaf is not None and leaf._grad_is_old
            self._before = (None if grad is None else self._take(grad._data, node), old)
        for name, array in node.saved_items():
            yield self._emit(
                events.Unpack, self._observer.number(node), name, self._take(array, node)
            )

    def after_run(
        self, node: Node, gradients: Sequence[Any], results: Sequence[Any]
    ) -> Iterator[Event]:
        number = self._observer.number(node)
        if node.is_accumulation:
            yield self._leaf(node, number, gradients[0])
        if self._alarmed:
            return
        for edge, result in enumerate(results):
            if result is None:
                continue
            value = self._take(result, node)
            count = _not_finite(value)
            if count:
                self._alarmed = True
                yield self._emit(events.Nan, number, edge, count)
                return

    def _leaf(self, node: Node, number: int, gradient: Any) -> Event:
        before, cleared = self._before
        leaf = node.leaf()  # type: ignore[attr-defined]
        after = before
        if gradient is None or leaf is None:
            how = "undefined"
        else:
            how = "moved" if before is None else "replaced" if cleared else "added"
            after = self._take(leaf._grad._data, node, changed=how == "added")
        made: Event = self._emit(
            events.Leaf, number, self._take(gradient, node), before, after, how
        )
        return made

    def free(self, node: Node) -> Iterator[Event]:
        if not node.is_accumulation:
            number = self._observer.number(node)
            size = sum(saved[3] for saved in self._observer.nodes[number].saved)
            yield self._emit(events.Free, number, size)

    def fitted(self, node: Node, edge: int, before: Any, after: Any) -> Iterator[Event]:
        number = self._observer.number(node)
        old, new = self._take(before, node), self._take(after, node)
        if tuple(before.shape) != tuple(after.shape):
            yield self._emit(events.Reduce, number, edge, old, new)
        if dtype_name(before.dtype) != dtype_name(after.dtype):
            yield self._emit(events.Cast, number, edge, old, new)

    def arrive(
        self, node: Node, number: int, edge: Edge, gradient: Any, holder: GradientHolder
    ) -> Event:
        target, slot = edge
        source, place = self._observer.number(node), (self._observer.number(target), slot)
        contribution = self._take(gradient, target)
        before = self._held.get(place)
        if gradient is None:
            how, after = "undefined", before
        elif before is None:
            how, after = "moved", contribution
        else:
            how, after = "added", self._take(holder.gradients[slot], target, changed=True)
        self._held[place] = after
        made: Event = self._emit(
            events.Arrive,
            source,
            number,
            *place,
            contribution,
            before,
            after,
            how,
            holder.waiting,
        )
        return made

    def node_end(self, node: Node) -> Event:
        made: Event = self._emit(events.NodeEnd, self._observer.number(node))
        return made

    def error(self, node: Node, error: BaseException) -> Event:
        self._leave()
        made: Event = self._emit(
            events.Error, self._observer.number(node), type(error).__name__, str(error)
        )
        return made

    def pass_end(self) -> Event:
        self._leave()
        made: Event = self._emit(events.PassEnd)
        return made

    def _leave(self) -> None:
        running = self._observer.running
        self._observer.running = [entry for entry in running if entry[0] is not self._record]


def _not_finite(value: Value | None) -> int:
    """How many elements of a snapshot are NaN or infinite."""
    if value is None:
        return 0
    if value.data is not None:
        return sum(1 for v in value.data if isinstance(v, float) and (not math.isfinite(v)))
    return value.nan + value.inf


def _attribute_text(value: Any) -> str:
    """An attribute for people: without addresses, and short."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{dtype_name(value.dtype)}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_attribute_text, value))}]"
    if isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
        return ":".join("" if p is None else str(p) for p in parts[: 3 if parts[2] else 2])
    return str(value) if hasattr(value, "kind") else repr(value)
