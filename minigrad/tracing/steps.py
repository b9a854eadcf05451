"""Group events into the steps that a person steps by, and say each step in one or two sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad.autograd.events import Book, Event
from minigrad.tracing.trace import Step

__all__ = ["steps_of"]


def steps_of(events: Sequence[Event], book: Book) -> tuple[Step, ...]:
    """The steps of a trace: each seed, each node that fires, each leaf.

    They cover all events of backward passes without gaps. A node with another pass inside it
    becomes two steps, with those of the inner pass between.
    """
    starts: list[tuple[int, str, int, int | None]] = []
    open_nodes: list[tuple[int, int]] = []
    fresh_pass = False
    for event in events:
        kind, index = event.kind, event.index
        if kind == "op":
            continue
        now: Any = event
        if kind == "pass_begin":
            starts.append((index, "other", now.pass_id, None))
            fresh_pass = True
        elif kind == "seed":
            if fresh_pass:
                first = starts.pop()[0]
                starts.append((first, "seed", now.pass_id, now.node))
            else:
                starts.append((index, "seed", now.pass_id, now.node))
            fresh_pass = False
        elif kind == "node_begin":
            what = "leaf" if now.node in book.leaves else "node"
            starts.append((index, what, now.pass_id, now.node))
            open_nodes.append((now.pass_id, now.node))
        elif kind in ("node_end", "error"):
            open_nodes = [entry for entry in open_nodes if entry != (now.pass_id, now.node)]
        elif kind == "pass_end" and open_nodes and index + 1 < len(events):
            outer, node = open_nodes[-1]
            what = "leaf" if node in book.leaves else "node"
            starts.append((index + 1, what, outer, node))
    return tuple(_step(number, starts, events, book) for number in range(len(starts)))


def _step(
    number: int, starts: list[tuple[int, str, int, int | None]], events: Sequence[Event], book: Book
) -> Step:
    first, kind, pass_id, node = starts[number]
    last = starts[number + 1][0] - 1 if number + 1 < len(starts) else len(events) - 1
    inside = [event for event in events[first : last + 1] if event.kind != "op"]
    while last > first and events[last].kind == "op" and number + 1 == len(starts):
        last -= 1
    return Step(kind, pass_id, node, first, last, _sentence(kind, node, inside, book))


def _sentence(kind: str, node: int | None, inside: Sequence[Any], book: Book) -> str:
    if kind == "seed":
        return _seed_sentence(inside, book)
    if node is None:
        return " ".join(event.sentence() for event in inside)
    if kind == "leaf":
        told = [e for e in inside if e.kind in ("hook", "leaf", "error", "pass_begin")]
        if told:
            return " ".join(e.sentence() for e in told)
        return f"{book.node(node)} is where the gradient was asked for."
    return _node_sentence(node, inside, book)


def _seed_sentence(inside: Sequence[Any], book: Book) -> str:
    text = next(e for e in inside if e.kind == "seed").sentence()
    ready = [book.node(e.node) for e in inside if e.kind == "ready"]
    if ready:
        verb = "waits for nobody and is" if len(ready) == 1 else "wait for nobody and are"
        text += f" {_list(ready)} {verb} ready."
    return str(text)


def _node_sentence(node: int, inside: Sequence[Any], book: Book) -> str:
    """What a node did: its hooks, what it sent to whom, who became ready."""
    name = book.node(node)
    parts = [f"{name} fired." if inside[0].kind == "node_begin" else f"{name} goes on."]
    parts += [e.sentence() for e in inside if e.kind in ("hook", "reduce", "cast", "nan")]
    arrivals: dict[tuple[int, int], list[Any]] = {}
    for event in inside:
        if event.kind == "arrive":
            arrivals.setdefault((event.target, event.slot), []).append(event)
    if arrivals:
        sent = [_sending(book.node(target), some) for (target, _), some in arrivals.items()]
        parts.append(f"It sends {_list(sent)}.")
    parts += _outcome([some[-1] for some in arrivals.values()], inside, book)
    parts += [e.sentence() for e in inside if e.kind == "error"]
    if not arrivals and len(parts) == 1:
        parts.append("Its gradient is one of those that were asked for.")
    return " ".join(parts)


def _sending(target: str, sent: list[Any]) -> str:
    """What went to one slot: "1 along both its edges to add2, which held 1: now 3"."""
    values = [_text(event.contribution) for event in sent]
    if len(sent) > 1 and len(set(values)) == 1:
        many = "both its edges" if len(sent) == 2 else f"{len(sent)} edges"
        text = f"{values[0]} along {many} to {target}"
    else:
        text = f"{_list(values)} to {target}"
    if sent[0].before is not None:
        text += f", which held {_text(sent[0].before)}"
    if len(sent) > 1 or sent[0].before is not None:
        text += f": now {_text(sent[-1].after)}"
    return text


def _outcome(arrived: list[Any], inside: Sequence[Any], book: Book) -> list[str]:
    """Who has everything now, and who still waits."""
    ready = [event.node for event in inside if event.kind == "ready"]
    if len(arrived) == 1 and ready:
        name = book.node(ready[0])
        where = "goes to the front of" if ready[0] in book.leaves else "joins"
        return [f"Nobody else will send to {name}, so it {where} the ready queue."]
    said = []
    nodes = [book.node(node) for node in ready if node not in book.leaves]
    leaves = [book.node(node) for node in ready if node in book.leaves]
    if nodes:
        said.append(f"{_list(nodes)} {'join' if len(nodes) > 1 else 'joins'} the ready queue.")
    if leaves:
        goes = "being leaves, go" if len(leaves) > 1 else "being a leaf, goes"
        said.append(f"{_list(leaves)}, {goes} to the front of the ready queue.")
    waiting = {e.target: e.waits for e in arrived if e.target not in ready}
    said += [f"{book.node(target)} still waits for {waits}." for target, waits in waiting.items()]
    return said


def _text(value: Any) -> str:
    return "nothing (an undefined gradient)" if value is None else value.text()


def _list(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
