"""What a stored trace must look like: a published JSON schema, and a check that says what is wrong.

`SCHEMA` is the JSON schema of version 1, for anyone who reads or writes traces elsewhere.
`validate` is the check that loading uses. It needs no other package, and it goes further than a
schema can: every node, slot, value and pass that a number names must be there, and the graph must
have no cycle.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from minigrad.errors import TraceError, message
from minigrad.tracing._checks import Misfit, fail, shown
from minigrad.tracing._fields import Fields

__all__ = ["SCHEMA", "validate"]

SCHEMA: dict[str, Any]
"""The JSON schema (draft 2020-12), read from `trace.schema.json` when first asked for."""


@cache
def _schema() -> dict[str, Any]:
    text = files("minigrad.tracing").joinpath("trace.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def __getattr__(name: str) -> Any:
    if name == "SCHEMA":
        return _schema()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def validate(data: Any) -> None:
    """Check that JSON types are a trace of version 1.

    Parameters
    ----------
    data: what `json.loads` gave.

    Raises
    ------
    TraceError: they are not; the message says where and why, as in `events[3].node`.

    Example
    -------
    >>> validate({"version": 2})
    Traceback (most recent call last):
        ...
    minigrad.errors.TraceError: This is no trace that can be read.
      where: version
      why:   must be 1, not 2
      try:   give what to_json() or to_dict() of this version of minigrad returned, unchanged.
    """
    try:
        _version(data)
        fields = Fields(data)
        fields.check_all(data)
        _graph(data["nodes"])
        _spans(data)
    except Misfit as misfit:
        raise TraceError(
            message(
                "This is no trace that can be read.",
                where=misfit.path.lstrip(".") or "the outermost level",
                why=misfit.text,
                hint="give what to_json() or to_dict() of this version of minigrad returned, "
                "unchanged.",
            )
        ) from None


def _version(data: Any) -> None:
    """The version comes first: of another one, nothing else can be said."""
    if type(data) is not dict:
        fail(f"must be an object, not {shown(data)}")
    if "version" not in data:
        fail("is missing", ".version")
    if type(data["version"]) is not int or data["version"] != 1:
        fail(f"must be 1, not {shown(data['version'])}", ".version")


def _graph(nodes: list[dict[str, Any]]) -> None:
    """Every edge ends in a slot that is there, and no way leads back to where it began."""
    waiting = [0] * len(nodes)
    for number, node in enumerate(nodes):
        for place, edge in enumerate(node.get("edges", ())):
            if edge is None:
                continue
            target, slot = edge
            if slot >= len(nodes[target].get("slots", ())):
                fail(f"node {target} has no slot {slot}", f".nodes[{number}].edges[{place}]")
            waiting[target] += 1
    ready = [number for number, count in enumerate(waiting) if not count]
    for number in ready:  # grows while it is walked
        for edge in nodes[number].get("edges", ()):
            if edge is not None:
                waiting[edge[0]] -= 1
                if not waiting[edge[0]]:
                    ready.append(edge[0])
    if len(ready) < len(nodes):
        number = next(i for i, count in enumerate(waiting) if count)
        fail("this node is on a cycle, or below one", f".nodes[{number}]")


def _spans(data: dict[str, Any]) -> None:
    """Passes and steps are runs of events; steps follow each other."""
    for table in ("passes", "steps"):
        for number, record in enumerate(data.get(table, ())):
            if record["last"] < record["first"]:
                fail(f"must not be before first, {record['first']}", f".{table}[{number}].last")
    end = -1
    for number, step in enumerate(data["steps"]):
        if step["first"] <= end:
            fail(f"must be after the step before, {end}", f".steps[{number}].first")
        end = step["last"]
    for number, one in enumerate(data["passes"]):
        parent = one.get("parent")
        if parent is not None and parent >= number:
            fail(f"must be an earlier pass, not {parent}", f".passes[{number}].parent")
