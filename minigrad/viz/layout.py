"""Where everything in the picture of a backward graph stands, in pixels.

Layered: roots on top, gradients flow down, leaves at the bottom. The same trace always gets the
same layout. Rows and their order come from `_order`, places in a row from `_place`, lines from
`_route`; here are the sizes of things.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from minigrad.autograd import events
from minigrad.viz._order import Rows, arrange
from minigrad.viz._place import place
from minigrad.viz._route import LANE, Box, lanes, number, route
from minigrad.viz.labels import IN_A_NODE, detail, seed_text, short_value, title
from minigrad.viz.measure import text_width

if TYPE_CHECKING:
    from minigrad.tracing.trace import Node, Trace, Value

__all__ = ["Edge", "Layout", "NodeBox", "Seed", "layout"]

_MARGIN = 24.0
_HEIGHT = {"op": 54.0, "accumulation": 50.0}
_ROW_GAP = 68.0  # between the bottom of a row and the top of the next: room for arrows that bend
_GAP = 34.0  # between two nodes of a row: a badge reaches 13 into it
_PAD = {"op": 16.0, "accumulation": 22.0}
_LEAST_WIDTH = {"op": 168.0, "accumulation": 132.0}
_BADGE = 16.0
_SEED_ARROW = 66.0  # from the node's side to the seed's text
_SEED_TIP = 8.0
_SEED_LINE = 19.0


@dataclass(frozen=True, slots=True)
class NodeBox:
    """One node: its id in the trace, its top left corner and its size."""

    id: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge of the graph, as the `d` of an SVG path that ends where the arrow's tip is."""

    source: int
    edge: int
    target: int
    slot: int
    path: str


@dataclass(frozen=True, slots=True)
class Seed:
    """The text beside a root, where its left end and baseline are, and the arrow to the root."""

    node: int
    slot: int
    x: float
    y: float
    text: str
    path: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole picture."""

    width: float
    height: float
    nodes: tuple[NodeBox, ...]
    edges: tuple[Edge, ...]
    seeds: tuple[Seed, ...]

    def to_dict(self) -> dict[str, Any]:
        """The layout as the stepper reads it."""
        return {
            "width": self.width,
            "height": self.height,
            "nodes": [_fields(node) for node in self.nodes],
            "edges": [_fields(edge) for edge in self.edges],
            "seeds": [_fields(seed) for seed in self.seeds],
        }


def _fields(record: NodeBox | Edge | Seed) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__slots__}


def layout(trace: Trace) -> Layout:
    """Lay out the nodes of `trace` that take part in a pass; all of them when there is no pass."""
    ids = _taking_part(trace)
    member = set(ids)
    ends = [
        (source, number, edge[0], edge[1])
        for source in ids
        for number, edge in enumerate(trace.nodes[source].edges)
        if edge is not None and edge[0] in member
    ]
    rows = arrange(ids, ends)
    lane_of = lanes(rows)
    left = _MARGIN + LANE * (1 + max(lane_of.values(), default=-1))
    texts = _seed_texts(trace, member)
    boxes = _boxes(trace, rows, _sizes(trace, ids), texts, left)
    paths = route(rows, boxes, lane_of, left)
    return Layout(
        width=_ceil(max((_right_end(boxes[v], texts.get(v)) for v in ids), default=0) + _MARGIN),
        height=_ceil(max((boxes[v].bottom for v in ids), default=0) + _MARGIN),
        nodes=tuple(_node_box(v, boxes[v]) for v in sorted(ids)),
        edges=tuple(Edge(s, n, t, slot, paths[s, n]) for s, n, t, slot in sorted(ends)),
        seeds=tuple(seed for v in sorted(texts) for seed in _seeds(v, boxes[v], texts[v])),
    )


def _taking_part(trace: Trace) -> list[int]:
    """Node ids: the roots in the order of their seeds, then the rest as they were made."""
    if not trace.passes:
        return [node.id for node in trace.nodes]
    found: dict[int, None] = {}
    others: set[int] = set()
    for event in trace.events:
        if isinstance(event, events.PassBegin):
            found.update((node, None) for node, _ in event.roots)
            others.update(node for node, _ in event.waiting)
        elif isinstance(event, events.NodeBegin):
            others.add(event.node)
    found.update((node, None) for node in sorted(others))
    return list(found)


def _seed_texts(trace: Trace, member: set[int]) -> dict[int, list[tuple[int, str]]]:
    """For each root, its seeded slots and what stands beside it for each of them."""
    found: dict[int, dict[int, str]] = {}
    for event in trace.events:
        if isinstance(event, events.Seed) and event.node in member:
            text = seed_text(trace, event.node, event.slot, given=event.given)
            found.setdefault(event.node, {}).setdefault(event.slot, text)
    return {node: sorted(slots.items()) for node, slots in found.items()}


def _sizes(trace: Trace, ids: Iterable[int]) -> dict[int, tuple[float, float]]:
    """Width and height of each node, wide enough for whatever will be written in it."""
    held = {node: _least_held(trace.nodes[node]) for node in ids}
    for event in trace.events:
        for node, value in _holdings(event):
            text = short_value(value, IN_A_NODE) if value is not None else ""
            if len(text) > len(held.get(node, text)):
                held[node] = text
    return {node: _size(trace.nodes[node], text) for node, text in held.items()}


def _least_held(node: Node) -> str:
    """Of several slots only their number is written, as `holds 2 slots`."""
    return f"{len(node.slots)} slots" if len(node.slots) > 1 else ""


def _holdings(event: events.Event) -> tuple[tuple[int, Value | None], ...]:
    """What a node may be seen to hold right before or after an event: (node, value)."""
    match event:
        case events.Arrive():
            return ((event.target, event.after),)
        case events.Seed():
            return ((event.node, event.after or event.value),)
        case events.HookRun() | events.Leaf():
            return ((event.node, event.before), (event.node, event.after))
    return ()


def _size(node: Node, held: str) -> tuple[float, float]:
    shape = "accumulation" if node.kind == "accumulation" else "op"
    name = text_width(title(node), 15, face="bold")
    if shape == "accumulation":
        inside = name + 14 + max(text_width("empty", 13), text_width(held, 13, face="mono"))
    else:
        inside = max(
            name + 16 + text_width("✓ running", 13),
            text_width(detail(node), 12.5, face="mono")
            + 16
            + text_width(f"holds {held or '1'}", 13, face="mono"),
        )
    width = max(_LEAST_WIDTH[shape], inside + 2 * _PAD[shape])
    return float(2 * round(width / 2 + 0.5)), _HEIGHT[shape]


def _boxes(
    trace: Trace,
    rows: Rows,
    sizes: dict[int, tuple[float, float]],
    texts: dict[int, list[tuple[int, str]]],
    left_end: float,
) -> dict[int, Box]:
    """The place of every node, and of every dummy as a box without width."""

    def left(vertex: int) -> float:
        return sizes[vertex][0] / 2 if vertex >= 0 else 0.0

    def right(vertex: int) -> float:
        seeded = texts.get(vertex)
        return left(vertex) + (_seed_room(seeded) if seeded else 0.0)

    middles = place(rows, left, right, partial(_straightness, trace), _GAP)
    shift = left_end - min((x - left(v) for v, x in middles.items()), default=0.0)
    boxes: dict[int, Box] = {}
    top = _MARGIN
    for row in rows.rows:
        height = max(sizes[v][1] if v >= 0 else 0.0 for v in row)
        for vertex in row:
            width, own = sizes[vertex] if vertex >= 0 else (0.0, height)
            x = round(middles[vertex] + shift - width / 2, 1)
            boxes[vertex] = Box(x, top + (height - own) / 2, width, own)
        top += height + _ROW_GAP
    return boxes


def _straightness(trace: Trace, upper: int, lower: int) -> float:
    """Long lines are straight before anything else, and ops stand above ops before leaves do."""
    if upper < 0 or lower < 0:
        return 8.0 if upper < 0 and lower < 0 else 4.0
    return 1.0 if trace.nodes[lower].kind == "accumulation" else 3.0


def _node_box(node: int, box: Box) -> NodeBox:
    return NodeBox(node, box.x, box.y, box.width, box.height)


def _seed_room(seeded: list[tuple[int, str]]) -> float:
    return _SEED_ARROW + max(text_width(text, 13) for _, text in seeded)


def _right_end(box: Box, seeded: list[tuple[int, str]] | None) -> float:
    return box.x + box.width + (_seed_room(seeded) if seeded else _BADGE)


def _seeds(node: int, box: Box, seeded: list[tuple[int, str]]) -> Iterator[Seed]:
    """The seeds of one root, one below the other, beside the middle of its box."""
    right = box.x + box.width
    for place_in_list, (slot, text) in enumerate(seeded):
        y = box.y + box.height / 2 + _SEED_LINE * (place_in_list - (len(seeded) - 1) / 2)
        path = f"M{number(right + _SEED_ARROW - 6)} {number(y)}H{number(right + _SEED_TIP)}"
        yield Seed(node, slot, round(right + _SEED_ARROW, 1), round(y + 4.5, 1), text, path)


def _ceil(length: float) -> float:
    return float(math.ceil(length))
