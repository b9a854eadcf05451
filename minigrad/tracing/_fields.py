"""The fields of a stored trace, table by table: names, types, and how far their numbers may go."""

from __future__ import annotations

import math
import re
from typing import Any

from minigrad.tracing._checks import (
    Check,
    Misfit,
    below,
    boolean,
    each,
    fail,
    fixed,
    integer,
    map_of,
    number,
    one_of,
    or_null,
    record,
    shown,
    string,
)

__all__ = ["Fields"]

_TABLES = ("nodes", "values", "passes", "events", "steps")
_STATISTICS = ("min", "max", "mean", "norm")
_HOW = ("moved", "added", "undefined")


class Fields:
    """The checks of one trace; they know how many nodes, values, ... it has.

    Parameters
    ----------
    data: an object. That its tables are lists is checked here, what is in them by `check_all`.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        for table in _TABLES:
            if table not in data:
                fail("is missing", f".{table}")
            if type(data[table]) is not list:
                fail(f"must be a list, not {shown(data[table])}", f".{table}")
        self.nodes = data["nodes"]
        self.node = below(len(data["nodes"]), "node")
        self.value = or_null(below(len(data["values"]), "value"))
        self.pass_id = below(len(data["passes"]), "pass")
        self.event = below(len(data["events"]), "event")
        sources = data.get("sources", ())
        self.source = below(len(sources) if isinstance(sources, list) else 0, "source")

    def check_all(self, data: dict[str, Any]) -> None:
        """Check every field of every table."""
        one = record({"file": string}, {"lines": _LINES, "functions": _LINES})
        record(
            {
                "version": integer,
                "nodes": each(self._node()),
                "values": each(_value),
                "passes": each(self._pass()),
                "events": each(self._event()),
                "steps": each(self._step()),
            },
            {"title": string, "sources": each(one), "ops": map_of(_OP)},
        )(data)
        for table in ("nodes", "passes"):
            for place, row in enumerate(data[table]):
                if row["id"] != place:
                    fail(f"must be {place}, its place in the list", f".{table}[{place}].id")

    def _node(self) -> Check:
        strings = each(string)
        return record(
            {"id": integer, "kind": one_of("op", "pylayer", "accumulation")},
            {
                **dict.fromkeys(("op", "name", "variable", "expression", "scope"), string),
                "source": or_null(fixed(self.source, integer)),
                "slots": each(_SLOT),
                "operands": strings,
                "inputs": strings,
                "edges": each(or_null(fixed(self.node, integer))),
                "attributes": or_null(map_of(string)),
                "saved": each(_SAVED),
            },
        )

    def _pass(self) -> Check:
        return record(
            {
                "id": integer,
                "kind": one_of("backward", "grad"),
                "first": self.event,
                "last": self.event,
            },
            {
                "roots": each(fixed(self.node, integer)),
                "parent": or_null(self.pass_id),
                "parent_node": or_null(self.node),
                "retain_graph": boolean,
                "create_graph": boolean,
            },
        )

    def _step(self) -> Check:
        return record(
            {
                "kind": one_of("seed", "node", "leaf", "other"),
                "pass": self.pass_id,
                "first": self.event,
                "last": self.event,
            },
            {"node": or_null(self.node), "sentence": string},
        )

    def _event(self) -> Check:
        checks = self._events()

        def check(value: Any) -> None:
            if type(value) is not dict:
                fail(f"must be an object, not {shown(value)}")
            kind = value.get("kind")
            found = checks.get(kind) if type(kind) is str else None
            if found is None:
                fail(f"{shown(kind)} is no kind of event", ".kind")
            found(value)
            self._places(value)

        return check

    def _events(self) -> dict[str, Check]:
        """For each kind of event, its check."""
        values = each(self.value)
        node: dict[str, Check] = {"node": self.node}
        slot: dict[str, Check] = {**node, "slot": integer}
        edge: dict[str, Check] = {**node, "edge": integer}
        arrive = {"source": self.node, "edge": integer, "target": self.node, "slot": integer}
        change = {"before": self.value, "after": self.value}
        roots = each(fixed(self.node, integer))
        seeded: dict[str, Check] = {"value": self.value, "given": boolean, "how": one_of(*_HOW)}
        kinds: dict[str, tuple[dict[str, Check], dict[str, Check]]] = {
            "op": (node, {"outputs": values}),
            "pass_begin": ({}, {"roots": roots, "waiting": roots}),
            "seed": (slot, {**seeded, **change}),
            "ready": (node, {"front": boolean}),
            "node_begin": (node, {"values": values}),
            "hook": (slot, {"name": string, "changed": boolean, **change}),
            "unpack": (node, {"name": string, "value": self.value}),
            "reduce": (edge, change),
            "cast": (edge, change),
            "nan": ({**edge, "count": integer}, {}),
            "free": ({**node, "bytes": integer}, {}),
            "arrive": (
                {**arrive, "how": one_of(*_HOW), "waits": integer},
                {"contribution": self.value, **change},
            ),
            "leaf": (
                {**node, "how": one_of(*_HOW, "replaced")},
                {"contribution": self.value, **change},
            ),
            "node_end": (node, {}),
            "pass_end": ({}, {}),
            "error": (node, {"type": string, "message": string}),
        }
        always = {kind: {"pass": self.pass_id} if kind != "op" else {} for kind in kinds}
        return {
            kind: record({"kind": string, **always[kind], **required}, optional)
            for kind, (required, optional) in kinds.items()
        }

    def _places(self, event: dict[str, Any]) -> None:
        """Slots and edges are those of the node that the event names."""
        kind = event["kind"]
        if kind in {"seed", "hook", "arrive"}:
            owner = self.nodes[event["target" if kind == "arrive" else "node"]]
            count = len(owner.get("slots", ()))
            if event["slot"] >= count:
                fail(f"the node has no slot {event['slot']}, it has {count}", ".slot")
        if kind in {"reduce", "cast", "nan", "arrive"}:
            owner = self.nodes[event["source" if kind == "arrive" else "node"]]
            count = len(owner.get("edges", ()))
            if event["edge"] >= count:
                fail(f"the node has no edge {event['edge']}, it has {count}", ".edge")


_SIZES = each(integer)
_DTYPE = re.compile("[a-z][a-z0-9_]{0,23}")


def _shape(value: Any) -> None:
    """A shape, of an array that some memory could hold."""
    _SIZES(value)
    if math.prod(value) >= 2**63:
        fail("must be the shape of an array of less than 2**63 elements")


def _dtype(value: Any) -> None:
    """The name of a dtype."""
    if type(value) is not str or not _DTYPE.fullmatch(value):
        fail(f"must be the name of a dtype, not {shown(value)}")


_LINES = map_of(string, numbered=True)
_OP = record({}, {"formula": string, "rules": map_of(string)})
_SLOT = record({"dtype": _dtype}, {"shape": _shape, "variable": string})
_SAVED = record(
    {"name": string, "dtype": _dtype}, {"shape": _shape, "bytes": integer, "buffer": integer}
)


def _whole(value: Any) -> None:
    """An element of an array that is not of floating point."""
    if type(value) is not bool:
        number(value)
        if type(value) is not int:
            fail(f"must be an integer or a truth value, not {shown(value)}")


_NUMBERS = each(number)
_PAIRS = each(fixed(number, number))  # complex numbers: real and imaginary parts
_WHOLE = each(_whole)
_VALUE = record(
    {"shape": _shape, "dtype": _dtype},
    {
        "data": lambda _: None,  # depends on the dtype, see below
        **dict.fromkeys(_STATISTICS, number),
        "nan": integer,
        "inf": integer,
        "thumbnail": each(each(number, most=16), most=16),
    },
)


def _value(value: Any) -> None:
    """A row of the table of values: whole, as statistics, or its shape alone."""
    _VALUE(value)
    if "data" not in value:
        return
    dtype, data = value["dtype"], value["data"]
    floating = dtype.startswith(("float", "bfloat"))
    items = _NUMBERS if floating else _PAIRS if dtype.startswith("complex") else _WHOLE
    try:
        items(data)
    except Misfit as misfit:
        fail(misfit.text, f".data{misfit.path}")
    size = math.prod(value["shape"])
    if len(data) != size:
        fail(f"must have {size} items for its shape, not {len(data)}", ".data")
