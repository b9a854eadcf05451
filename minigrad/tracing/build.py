"""Make a Trace of what an Observer collected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minigrad.autograd.places import Place, resolve
from minigrad.tracing.steps import steps_of
from minigrad.tracing.trace import Node, OpInfo, Pass, Saved, Slot, Source, Trace

if TYPE_CHECKING:
    from minigrad.autograd.observer import NodeRecord, Observer, PassRecord

__all__ = ["build"]


def build(trace: Trace, observer: Observer, title: str) -> None:
    """Fill an empty trace."""
    numbers = observer.numbers
    places = [resolve(record.node.origin) for record in observer.nodes]
    for number, place in enumerate(places):
        if place is not None and place.target and len(observer.nodes[number].node.slots) == 1:
            observer.book.variables.setdefault((number, 0), place.target)
    sources = _Sources()
    trace.nodes = tuple(
        _node(number, record, place, sources, observer, numbers)
        for number, (record, place) in enumerate(zip(observer.nodes, places))
    )
    trace.sources = sources.made()
    trace.ops = {
        op.name: OpInfo(op.formula, op.rule_formulas)
        for record in observer.nodes
        if (op := getattr(record.node, "op", None)) is not None
    }
    trace.passes = tuple(map(_pass, observer.passes))
    trace.events = tuple(observer.events)
    trace.steps = steps_of(trace.events, observer.book)
    trace.title = title or _title(trace)


def _node(
    number: int,
    record: NodeRecord,
    place: Place | None,
    sources: _Sources,
    observer: Observer,
    numbers: dict[Any, int],
) -> Node:
    node, names = record.node, observer.book.variables
    edges = tuple(
        (numbers[edge[0]], edge[1]) if edge is not None and edge[0] in numbers else None
        for edge in node.edges
    )
    op = getattr(node, "op", None)
    layer = getattr(node, "layer", None)
    operands = tuple(op.operands) if op is not None and not op.variadic else ()
    return Node(
        id=number,
        kind=node.kind,
        op=op.name if op is not None else layer.__name__ if layer is not None else "",
        name=record.name,
        variable=names.get((number, 0), ""),
        expression=place.expression if place is not None else "",
        source=sources.add(place) if place is not None else None,
        scope=record.scope,
        slots=tuple(
            Slot(tuple(shape), str(dtype).rpartition(".")[2], names.get((number, slot), ""))
            for slot, (shape, dtype) in enumerate(node.slots)
        ),
        operands=operands[: len(edges)] or tuple(f"x{i}" for i in range(len(edges))),
        inputs=tuple(names.get(edge, "") if edge is not None else "" for edge in edges),
        edges=edges,
        attributes=record.attributes or None,
        saved=tuple(Saved(*saved) for saved in record.saved),
    )


class _Sources:
    """Collects the source lines of nodes, file by file."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[int, dict[int, str], dict[int, str]]] = {}

    def add(self, place: Place) -> tuple[int, int]:
        if place.file not in self._files:
            self._files[place.file] = (len(self._files), {}, {})
        number, lines, functions = self._files[place.file]
        lines[place.line] = place.text
        if place.function:
            functions[place.line] = place.function
        return number, place.line

    def made(self) -> tuple[Source, ...]:
        return tuple(
            Source(file, lines, functions) for file, (_, lines, functions) in self._files.items()
        )


def _pass(record: PassRecord) -> Pass:
    return Pass(
        id=record.number,
        kind=record.kind,
        roots=tuple(record.roots),
        retain_graph=record.retain_graph,
        create_graph=record.create_graph,
        first=record.first,
        last=record.last,
        parent=record.parent,
        parent_node=record.parent_node,
    )


def _title(trace: Trace) -> str:
    if not trace.passes:
        return "forward only"
    names = [
        trace.nodes[node].slots[slot].variable or trace.nodes[node].name
        for node, slot in trace.passes[0].roots
    ]
    more = f" and {len(trace.passes) - 1} more" if len(trace.passes) > 1 else ""
    return f"{trace.passes[0].kind} of {', '.join(names) or 'nothing'}{more}"
