"""A trace as a table for a terminal: one line for each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minigrad.autograd import events as ev
from minigrad.tracing._fold import Fold, Held, PassFold, given
from minigrad.tracing.memory import peak_bytes
from minigrad.viz.labels import (
    byte_text,
    detail,
    norm_of,
    number,
    seed_text,
    shape_text,
    short_value,
    size_text,
    title,
)
from minigrad.viz.measure import columns, shorten

if TYPE_CHECKING:
    from minigrad.tracing.trace import Pass, Trace

__all__ = ["table"]

_HEADINGS = ("step", "node", "gradient it receives", "what it sends", "ready queue after")
_WIDEST = (4, 20, 32, 34, 22)  # 120 columns in all
_GAP = "  "
_TERMS = 4  # so many contributions are written out


def table(trace: Trace) -> str:
    """What every step of a trace did, in aligned columns.

    A node's line has the contributions that it received and their sum, what it then sends to whom,
    and who is ready after that.

    Example
    -------
    >>> import minigrad as mg
    >>> a = mg.to_tensor(2.0, stop_gradient=False); a.name = "a"
    >>> with mg.record(title="the square of a") as trace:
    ...     (a * a).backward()
    >>> print(table(trace))
    the square of a
    3 steps, 2 nodes, at most 8 B held
    <BLANKLINE>
    step  node            gradient it receives  what it sends     ready queue after
    ────  ──────────────  ────────────────────  ────────────────  ─────────────────
       1  seed multiply1  ones for multiply1                      multiply1
       2  multiply1       1                     2 → a.grad twice  a.grad
       3  a.grad          2 + 2 = 4             a.grad = 4
    """
    name = shorten(trace.title or "a trace", 100)
    if not trace.steps:
        return "\n".join((name, *_forward(trace)))
    rows = _rows(trace)
    found = zip(*(_HEADINGS, *rows), strict=True)
    widths = [
        min(max(map(columns, cells)), most) for cells, most in zip(found, _WIDEST, strict=True)
    ]
    rule = tuple("─" * width for width in widths)
    lines = [_line(row, widths) for row in (_HEADINGS, rule, *rows)]
    return "\n".join((name, _counts(trace), "", *_with_passes(trace, lines)))


def _rows(trace: Trace) -> list[tuple[str, ...]]:
    """The cells of every step, from one walk over the events."""
    fold = Fold(trace.nodes, given(trace))
    rows: list[tuple[str, ...]] = []
    first = 0
    for place, step in enumerate(trace.steps):
        for event in trace.events[first : step.first]:
            fold.take(event)
        received = ""
        for event in trace.events[step.first : step.last + 1]:
            if isinstance(event, ev.NodeBegin):
                received = _received(trace, event.node, fold.passes.get(event.pass_id))
            fold.take(event)
        first = step.last + 1
        rows.append(_row(trace, place, received, fold))
    return rows


def _counts(trace: Trace) -> str:
    taking_part = {step.node for step in trace.steps if step.node is not None}
    counts = [_count(len(trace.steps), "step"), _count(len(taking_part), "node")]
    if len(trace.passes) > 1:
        counts.append(f"{len(trace.passes)} passes")
    return ", ".join((*counts, f"at most {byte_text(peak_bytes(trace))} held"))


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _with_passes(trace: Trace, lines: list[str]) -> list[str]:
    """Of several passes, say where each one begins."""
    if len(trace.passes) < 2:
        return lines
    told: list[str] = lines[:2]
    known: set[int] = set()
    for step, line in zip(trace.steps, lines[2:], strict=True):
        if step.pass_id not in known:
            known.add(step.pass_id)
            one = trace.passes[step.pass_id]
            inside = "" if one.parent_node is None else title(trace.nodes[one.parent_node])
            where = f", inside {inside}" if inside else ""
            what = f"{one.kind} of {_roots(trace, one)}"
            told.append(f"── pass {one.id + 1} of {len(trace.passes)}: {what}{where}")
        told.append(line)
    return told


def _roots(trace: Trace, one: Pass) -> str:
    names = [trace.nodes[node].variable or title(trace.nodes[node]) for node, _ in one.roots]
    return shorten(", ".join(names) or "nothing", 60)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    fitted = [shorten(cell, width) for cell, width in zip(cells, widths, strict=True)]
    padded = [
        cell + " " * (width - columns(cell)) for cell, width in zip(fitted, widths, strict=True)
    ]
    return _GAP.join(padded).rstrip()


def _row(trace: Trace, place: int, received: str, fold: Fold) -> tuple[str, ...]:
    step = trace.steps[place]
    events = trace.events[step.first : step.last + 1]
    name = title(trace.nodes[step.node]) if step.node is not None else "pass"
    if step.kind == "seed" and step.node is not None:
        name, received = f"seed {name}", _seeded(trace, events)
        now = fold.passes.get(step.pass_id)
        waits = now.in_degree.get(step.node, 0) if now else 0
        sent = f"waits for {waits} more" if waits else ""
    else:
        received = "; ".join(part for part in (received, *_hooked(events)) if part)
        sent = _sent(trace, events)
        if not sent and trace.passes[step.pass_id].kind == "grad":
            sent = "nothing: it was asked for"
    return (
        f"{place + 1:>4}",
        "  " * _depth(trace, step.pass_id) + name,
        received,
        sent,
        _queue(trace, fold.ready_queue()),
    )


def _queue(trace: Trace, nodes: tuple[int, ...]) -> str:
    """The names of as many nodes as there is room for, and how many more there are."""
    text = ""
    for count, node in enumerate(nodes):
        longer = f"{text}, {title(trace.nodes[node])}".removeprefix(", ")
        left = len(nodes) - count - 1
        if count and columns(longer) + (5 if left else 0) > _WIDEST[-1]:
            return f"{text} +{left + 1}"
        text = longer
    return text


def _depth(trace: Trace, number: int) -> int:
    depth, parent = 0, trace.passes[number].parent
    while parent is not None:
        depth, parent = depth + 1, trace.passes[parent].parent
    return depth


def _seeded(trace: Trace, events: Sequence[ev.Event]) -> str:
    parts = []
    for event in events:
        if isinstance(event, ev.Seed):
            what = seed_text(trace, event.node, event.slot, given=event.given)
            added = "" if event.before is None else f", now {short_value(event.after)}"
            parts.append(
                f"{short_value(event.value)}, {what}{added}" if event.given else what + added
            )
    return "; ".join(parts)


def _received(trace: Trace, node: int, now: PassFold | None) -> str:
    """The sum in each slot of a node that begins."""
    holder = now.holders.get(node, {}) if now else {}
    slots = len(trace.nodes[node].slots)
    return "; ".join(
        (f"slot {slot}: " if slots > 1 else "") + _sum(held)
        for slot, held in sorted(holder.items())
    )


def _hooked(events: Sequence[ev.Event]) -> list[str]:
    """What hooks made of it."""
    return [
        f"hook {event.name} makes it {short_value(event.after)}"
        for event in events
        if isinstance(event, ev.HookRun) and event.changed
    ]


def _sum(held: Held) -> str:
    """`1 + 1 + 1 = 3`; of arrays that are too large to be written, the norm as well."""
    total = short_value(held.value)
    if held.value is not None and total == size_text(held.value.shape):
        norm = norm_of(held.value)
        total += "" if norm is None else f", norm {number(norm)}"
    terms = [short_value(one.value) for one in held.contributions]
    if len(terms) < 2:
        return total
    if len(terms) > _TERMS:
        terms = [*terms[: _TERMS - 2], f"… ({len(terms)} in all)"]
    return f"{' + '.join(terms)} = {total}"


def _sent(trace: Trace, events: Sequence[ev.Event]) -> str:
    parts: list[str] = []
    for event in events:
        match event:
            case ev.Arrive():
                parts.append(
                    f"{short_value(event.contribution)} → {title(trace.nodes[event.target])}"
                )
            case ev.Leaf():
                parts.append(_put_away(title(trace.nodes[event.node]), event))
            case ev.Error():
                parts.append(f"{event.type}: {event.message}")
    return ", ".join(_twice(parts))


def _twice(parts: list[str]) -> list[str]:
    """`3 → add1, twice` for two of the same in a row."""
    told: list[str] = []
    place = 0
    while place < len(parts):
        same = 1
        while parts[place + same : place + same + 1] == [parts[place]]:
            same += 1
        times = {1: "", 2: " twice"}.get(same, f" {same} times")
        told.append(parts[place] + times)
        place += same
    return told


def _put_away(leaf: str, event: ev.Leaf) -> str:
    if event.how == "undefined":
        return f"{leaf} stays as it was"
    was = f" (was {short_value(event.before)})" if event.how == "added" else ""
    return f"{leaf} = {short_value(event.after)}{was}"


def _forward(trace: Trace) -> list[str]:
    """Without a backward pass, there are only ops to tell of."""
    ops = [node for node in trace.nodes if node.kind != "accumulation"]
    lines = [f"no backward pass, {_count(len(ops), 'op')}", ""]
    for node in ops:
        shapes = ", ".join(shape_text(slot.shape, slot.dtype) for slot in node.slots)
        lines.append(f"  {title(node):<16}{_GAP}{detail(node):<28}{_GAP}{shapes}".rstrip())
    return lines
