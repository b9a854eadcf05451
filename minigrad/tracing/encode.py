"""Traces as JSON types and back. Fields that say nothing (None, False, "", []) are left out."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad.autograd.events import KINDS, Book, Event, Value
from minigrad.tracing.trace import VERSION, Node, OpInfo, Pass, Saved, Slot, Source, Step

if TYPE_CHECKING:
    from minigrad.tracing.trace import Trace

__all__ = ["decode", "encode"]

_VALUE_FIELDS = ("value", "before", "after", "contribution")
_VALUE_LISTS = ("values", "outputs")


def encode(trace: Trace) -> dict[str, Any]:
    """The trace as JSON types."""
    values = _Values()
    events = [_encode_event(event, values) for event in trace.events]
    return {
        "version": VERSION,
        "title": trace.title,
        "nodes": [_plain(node) for node in trace.nodes],
        "sources": [
            {
                "file": source.file,
                "lines": {str(k): v for k, v in source.lines.items()},
                "functions": {str(k): v for k, v in source.functions.items()},
            }
            for source in trace.sources
        ],
        "ops": {name: _plain(op) for name, op in trace.ops.items()},
        "values": values.encoded,
        "passes": [_plain(one, keep=("id",)) for one in trace.passes],
        "events": events,
        "steps": [_renamed(_plain(step)) for step in trace.steps],
    }


class _Values:
    """The table of values, each once."""

    def __init__(self) -> None:
        self.encoded: list[dict[str, Any]] = []
        self._places: dict[Value, int] = {}
        self._by_id: dict[int, int] = {}

    def place(self, value: Value | None) -> int | None:
        if value is None:
            return None
        found = self._by_id.get(id(value))
        if found is None:
            found = self._places.get(value)
            if found is None:
                found = self._places[value] = len(self.encoded)
                self.encoded.append(_encode_value(value))
            self._by_id[id(value)] = found
        return found


def _encode_value(value: Value) -> dict[str, Any]:
    made: dict[str, Any] = {"shape": list(value.shape), "dtype": value.dtype}
    if value.data is not None:
        made["data"] = _short(value.data, value.dtype)
    elif value.norm is not None or value.nan or value.inf:
        for name in ("min", "max", "mean", "norm"):
            number = getattr(value, name)
            if number is not None:
                made[name] = _finite(float(f"{number:.9g}"))
        made["nan"], made["inf"] = value.nan, value.inf
        if value.thumbnail is not None:
            made["thumbnail"] = [[_finite(v) for v in row] for row in value.thumbnail]
    return made


def _short(data: tuple[Any, ...], dtype: str) -> list[Any]:
    """Numbers as the shortest text that their dtype reads back the same."""
    if dtype in ("float32", "float16"):
        kind = np.dtype(dtype).type
        return [_finite(float(str(kind(v)))) for v in data]
    return [_finite(v) for v in data]


def _finite(number: Any) -> Any:
    if not isinstance(number, float):
        return [number.real, number.imag] if isinstance(number, complex) else number
    if math.isfinite(number):
        return int(number) if number == int(number) and abs(number) < 1e15 else number
    return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"


def _encode_event(event: Event, values: _Values) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": event.kind}
    for name in _fields(type(event)):
        content = getattr(event, name)
        if name in _VALUE_FIELDS:
            content = values.place(content)
        elif name in _VALUE_LISTS:
            content = [values.place(value) for value in content]
        elif isinstance(content, tuple):
            content = _lists(content)
        if content is not None and content is not False and content != "":
            made["pass" if name == "pass_id" else name] = content
    return made


_known: dict[type, tuple[str, ...]] = {}


def _fields(kind: type) -> tuple[str, ...]:
    names = _known.get(kind)
    if names is None:
        found = dataclasses.fields(kind)
        names = _known[kind] = tuple(f.name for f in found if f.name not in ("index", "book"))
    return names


def _plain(record: Any, keep: tuple[str, ...] = ()) -> dict[str, Any]:
    """A record as a dictionary, without what says nothing."""
    made = {}
    for name in _fields(type(record)):
        content = getattr(record, name)
        if isinstance(content, tuple):
            content = [_plain(c) if dataclasses.is_dataclass(c) else _lists(c) for c in content]
        empty = content is None or content is False or content in ("", [])
        if not empty or name in keep:
            made[name] = content
    return made


def _lists(content: Any) -> Any:
    return [_lists(item) for item in content] if isinstance(content, tuple) else content


def _renamed(step: dict[str, Any]) -> dict[str, Any]:
    return {"pass" if name == "pass_id" else name: content for name, content in step.items()}


def decode(data: dict[str, Any], trace: Trace) -> Trace:
    """Fill an empty trace from JSON types that are known to fit the schema."""
    values = [_decode_value(value) for value in data["values"]]
    trace.title = data.get("title", "")
    trace.nodes = tuple(map(_decode_node, data["nodes"]))
    trace.sources = tuple(map(_decode_source, data.get("sources", [])))
    trace.ops = {
        name: OpInfo(op.get("formula", ""), op.get("rules", {}))
        for name, op in data.get("ops", {}).items()
    }
    trace.passes = tuple(map(_decode_pass, data["passes"]))
    book = _book(trace.nodes)
    trace.events = tuple(
        _decode_event(index, event, values, book) for index, event in enumerate(data["events"])
    )
    trace.steps = tuple(
        Step(s["kind"], s["pass"], s.get("node"), s["first"], s["last"], s.get("sentence", ""))
        for s in data["steps"]
    )
    return trace


def _book(nodes: tuple[Node, ...]) -> Book:
    """The names of nodes and variables, for the sentences of the events."""
    book = Book()
    book.names = [node.name for node in nodes]
    book.leaves = {node.id for node in nodes if node.kind == "accumulation"}
    book.variables = {
        (node.id, number): slot.variable
        for node in nodes
        for number, slot in enumerate(node.slots)
        if slot.variable
    }
    return book


def _decode_source(source: dict[str, Any]) -> Source:
    lines, functions = source.get("lines", {}), source.get("functions", {})
    return Source(
        source["file"],
        {int(line): text for line, text in lines.items()},
        {int(line): name for line, name in functions.items()},
    )


def _decode_pass(one: dict[str, Any]) -> Pass:
    flags = {"retain_graph": False, "create_graph": False}
    return Pass(**{**flags, **one, "roots": _tuples(one.get("roots", []))})


def _decode_value(value: dict[str, Any]) -> Value:
    made = dict(value, shape=tuple(value["shape"]))
    if "data" in made:
        kind = made["dtype"].rstrip("0123456789")
        read = {"float": float, "bfloat": float, "complex": lambda pair: complex(*pair)}
        made["data"] = tuple(map(read.get(kind, _tuples), made["data"]))
    if "thumbnail" in made:
        made["thumbnail"] = tuple(tuple(float(v) for v in row) for row in made["thumbnail"])
    for name in ("min", "max", "mean", "norm"):
        if name in made:
            made[name] = float(made[name])
    return Value(**made)


def _decode_node(node: dict[str, Any]) -> Node:
    made = {name: _tuples(content) for name, content in node.items()}
    made["slots"] = tuple(
        Slot(tuple(s.get("shape", ())), s["dtype"], s.get("variable", ""))
        for s in node.get("slots", [])
    )
    made["saved"] = tuple(
        Saved(
            s["name"], tuple(s.get("shape", ())), s["dtype"], s.get("bytes", 0), s.get("buffer", 0)
        )
        for s in node.get("saved", [])
    )
    return Node(**made)


def _decode_event(index: int, event: dict[str, Any], values: list[Value], book: Book) -> Event:
    kind = KINDS[event["kind"]]
    made: dict[str, Any] = {}
    for name in _fields(kind):
        content = event.get("pass" if name == "pass_id" else name)
        if name in _VALUE_FIELDS:
            content = None if content is None else values[content]
        elif name in _VALUE_LISTS:
            content = tuple(None if v is None else values[v] for v in content or ())
        elif isinstance(content, list):
            content = _tuples(content)
        elif content is None:
            content = _ABSENT.get(name)
        made[name] = content
    return kind(index, book, **made)


_ABSENT: dict[str, Any] = {
    "given": False,
    "front": False,
    "changed": False,
    "name": "",
    "message": "",
    "waiting": (),
    "roots": (),
}


def _tuples(content: Any) -> Any:
    return tuple(_tuples(item) for item in content) if isinstance(content, list) else content
