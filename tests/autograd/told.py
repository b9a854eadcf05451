"""Event sequences as short lines, so that a test reads like the pass it describes."""

from __future__ import annotations

from typing import Any


def told(trace: Any) -> list[str]:
    """One line for each event of the backward passes of a trace (`op` and `node_end` left out)."""
    return [line for line in (_line(trace, event) for event in trace.events) if line]


def _name(trace: Any, number: int) -> str:
    node = trace.nodes[number]
    return f"{node.name}.grad" if node.kind == "accumulation" else node.name


def _text(value: Any) -> str:
    return "undefined" if value is None else value.text()


def _line(trace: Any, event: Any) -> str:  # noqa: C901 (one case for each kind)
    kind = event.kind
    if kind in ("op", "node_end"):
        return ""
    if kind in ("pass_begin", "pass_end"):
        waits = ", ".join(f"{_name(trace, n)} {c}" for n, c in getattr(event, "waiting", ()))
        return f"{kind} {waits}".strip()
    if kind == "arrive":
        after = "" if event.how == "moved" else f" = {_text(event.after)}"
        return (
            f"{_name(trace, event.source)} -> {_name(trace, event.target)}"
            f" {event.how} {_text(event.contribution)}{after}, waits {event.waits}"
        )
    name = _name(trace, event.node)
    if kind == "seed":
        after = f" = {_text(event.after)}" if event.before else ""
        return f"seed {name} {_text(event.value)}{after}"
    if kind == "ready":
        return f"ready {name}{' first' if event.front else ''}"
    if kind == "node_begin":
        return f"run {name} {' '.join(map(_text, event.values))}"
    if kind == "hook":
        return f"hook {event.name} {name} {_text(event.before)} to {_text(event.after)}"
    if kind == "unpack":
        return f"unpack {name} {event.name} {_text(event.value)}"
    if kind in ("reduce", "cast"):
        return f"{kind} {name} {event.edge} {_shape(event.before)} to {_shape(event.after)}"
    if kind == "free":
        return f"free {name} {event.bytes}"
    if kind == "leaf":
        return f"leaf {name} {event.how} {_text(event.after)}"
    if kind == "nan":
        return f"nan {name} {event.edge} {event.count}"
    return f"error {name} {event.type}"


def _shape(value: Any) -> str:
    return f"{value.dtype}{list(value.shape)}"
