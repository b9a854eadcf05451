"""A still picture of a backward graph, as SVG: for pages where no script runs."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from minigrad.autograd import events as ev
from minigrad.tracing.state import State, at
from minigrad.viz.labels import IN_A_NODE, detail, short_value, title
from minigrad.viz.layout import Layout, NodeBox, layout
from minigrad.viz.measure import shorten, text_width

if TYPE_CHECKING:
    from minigrad.tracing.trace import Node, Trace

__all__ = ["to_svg"]

_MARGIN = 24
_LEAST_WIDTH = 460
_LINE = 21
_SAID = 40  # in the description for screen readers, so many nodes are named


def to_svg(trace: Trace, step: int | None = None) -> str:
    """Draw the graph with the state of its nodes after a step, light or dark as the reader likes.

    Parameters
    ----------
    trace: what was recorded.
    step: which step, from 0; the last one when None.

    Returns
    -------
    The text of an SVG element that needs nothing from outside.

    Raises
    ------
    IndexError: there is no such step.

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.to_tensor(3.0, stop_gradient=False)
    >>> with mg.record() as trace:
    ...     (x * x).backward()
    >>> trace.to_svg().startswith("<svg")
    True
    """
    return _Picture(trace, _number(trace, step)).text()


def _number(trace: Trace, step: int | None) -> int | None:
    count = len(trace.steps)
    if step is None:
        return count - 1 if count else None
    if not 0 <= step < count:
        raise IndexError(f"There is no step {step}: this trace has {count}, counted from 0.")
    return step


class _Picture:
    """One picture: the trace, its layout, and the state at the step; None for a bare graph."""

    def __init__(self, trace: Trace, step: int | None) -> None:
        self.trace = trace
        self.step = step
        self.layout: Layout = layout(trace)
        self.state: State | None = None
        self.live: set[tuple[int, int]] = set()
        if step is not None:
            record = trace.steps[step]
            self.state = at(trace, record.last)
            self.live = {
                (event.source, event.edge)
                for event in trace.events[record.first : record.last + 1]
                if isinstance(event, ev.Arrive)
            }
        self.width = max(self.layout.width, _LEAST_WIDTH)
        self.sentence = _wrapped(self._sentence(), self.width - 2 * _MARGIN)

    def text(self) -> str:
        """The whole element."""
        top = 2 * _MARGIN + _LINE * len(self.sentence) + (6 if self.sentence else 0)
        badges = any(self._waits(box.id) for box in self.layout.nodes)
        height = top + self.layout.height + (30 if badges else 0)
        shift = (self.width - self.layout.width) / 2
        body = "\n".join((*self._edges(), *self._seeds(), *map(self._node, self.layout.nodes)))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="minigrad-graph" role="img" '
            f'width="{self.width:g}" height="{height:g}" viewBox="0 0 {self.width:g} {height:g}" '
            f'aria-label="{_text(self.trace.title or "backward graph")}">\n'
            f"<title>{_text(self.trace.title or 'backward graph')}</title>\n"
            f"<desc>{_text(self._description())}</desc>\n"
            f"<style>{_style()}</style>\n{_ARROWS}\n"
            f'<rect class="page" x=".5" y=".5" rx="10" '
            f'width="{self.width - 1:g}" height="{height - 1:g}"/>\n'
            f"{self._header()}\n"
            f'<g transform="translate({shift:g} {top:g})">\n{body}\n</g>\n'
            f"{self._legend(height) if badges else ''}</svg>\n"
        )

    def _header(self) -> str:
        name = shorten(self.trace.title or "backward graph", int((self.width - 150) / 9))
        lines = [f'<text class="name" x="{_MARGIN}" y="34">{_text(name)}</text>']
        if self.step is not None:
            where = f"step {self.step + 1} of {len(self.trace.steps)}"
            x = self.width - _MARGIN
            lines.append(f'<text class="dim end" x="{x:g}" y="34">{where}</text>')
        for number, line in enumerate(self.sentence):
            y = 34 + 26 + _LINE * number
            lines.append(f'<text class="say" x="{_MARGIN}" y="{y}">{_text(line)}</text>')
        return "\n".join(lines)

    def _legend(self, height: float) -> str:
        y = height - 26
        return (
            f'<circle class="badge" cx="{_MARGIN + 9}" cy="{y:g}" r="9"/>'
            f'<text class="count small" x="{_MARGIN + 9}" y="{y + 4:g}">n</text>'
            f'<text class="dim" x="{_MARGIN + 26}" y="{y + 4.5:g}">contributions still to arrive'
            "</text>\n"
        )

    def _edges(self) -> Iterator[str]:
        # What was sent in this step is drawn last: on top of what it crosses.
        for edge in sorted(self.layout.edges, key=lambda e: (e.source, e.edge) in self.live):
            live = (edge.source, edge.edge) in self.live
            kind, arrow = ("edge live", "live") if live else ("edge", "edge")
            yield f'<path class="{kind}" marker-end="url(#minigrad-{arrow})" d="{edge.path}"/>'

    def _seeds(self) -> Iterator[str]:
        for seed in self.layout.seeds:
            yield (
                f'<path class="seed" marker-end="url(#minigrad-edge)" d="{seed.path}"/>'
                f'<text class="dim" x="{seed.x:g}" y="{seed.y:g}">{_text(seed.text)}</text>'
            )

    def _node(self, box: NodeBox) -> str:
        node = self.trace.nodes[box.id]
        state = self.state.node_state(box.id) if self.state else "plain"
        leaf = node.kind == "accumulation"
        inside = self._leaf_texts(node, box) if leaf else self._op_texts(node, box)
        radius = box.height / 2 if leaf else 9
        return (
            f'<g class="node {"leaf " if leaf else ""}{state}"><rect x="{box.x:g}" y="{box.y:g}" '
            f'width="{box.width:g}" height="{box.height:g}" rx="{radius:g}"/>'
            f"{inside}{self._badge(box, leaf=leaf)}</g>"
        )

    def _op_texts(self, node: Node, box: NodeBox) -> str:
        left, right = box.x + 16, box.x + box.width - 16
        word = _words(self.state.node_state(node.id)) if self.state else ""
        held = self._held(node.id)
        alone = not detail(node) and not held  # one line only: in the middle
        first = box.y + (32 if alone else 23)
        texts = [
            f'<text class="name" x="{left:g}" y="{first:g}">{_text(title(node))}</text>',
            f'<text class="state end" x="{right:g}" y="{first:g}">{word}</text>' if word else "",
            f'<text class="code" x="{left:g}" y="{box.y + 42.5:g}">{_text(detail(node))}</text>'
            if detail(node)
            else "",
            f'<text class="held end" x="{right:g}" y="{box.y + 42.5:g}">{_text(held)}</text>'
            if held
            else "",
        ]
        return "".join(texts)

    def _leaf_texts(self, node: Node, box: NodeBox) -> str:
        left, right, y = box.x + 22, box.x + box.width - 22, box.y + box.height / 2 + 5
        name = f'<text class="name" x="{left:g}" y="{y:g}">{_text(title(node))}</text>'
        if self.state is None:
            return name
        grad = self.state.grads.get(node.id)
        if grad is not None:
            word = _text(short_value(grad, IN_A_NODE))
            value = f'<text class="held end" x="{right:g}" y="{y:g}">{word}'
        else:
            word = "ready" if self.state.node_state(node.id) == "ready" else "empty"
            value = f'<text class="dim end" x="{right:g}" y="{y:g}">{word}'
        return f"{name}{value}</text>"

    def _held(self, node: int) -> str:
        """What an op's holder contains: of several slots, those that are not empty."""
        holder = self.state.holders.get(node) if self.state else None
        if not holder or self._state_of(node) == "running":
            return ""
        values = [held.value for _, held in sorted(holder.items())]
        if len(values) > 1:
            return f"holds {len(values)} slots"
        return f"holds {short_value(values[0], IN_A_NODE)}"

    def _badge(self, box: NodeBox, *, leaf: bool) -> str:
        waits = self._waits(box.id)
        if not waits:
            return ""
        x, y = box.x + box.width - (6 if leaf else 0), box.y + (4 if leaf else 0)
        return (
            f'<circle class="badge" cx="{x:g}" cy="{y:g}" r="13"/>'
            f'<text class="count" x="{x:g}" y="{y + 4.5:g}">{waits}</text>'
        )

    def _waits(self, node: int) -> int:
        if self.state is None or self._state_of(node) != "waiting":
            return 0
        return self.state.in_degree.get(node, 0)

    def _state_of(self, node: int) -> str:
        return self.state.node_state(node) if self.state else ""

    def _sentence(self) -> str:
        return self.trace.steps[self.step].sentence if self.step is not None else ""

    def _description(self) -> str:
        """The picture in words."""
        parts = [self._sentence()] if self.step is not None else []
        for box in self.layout.nodes[:_SAID]:
            waits = self._waits(box.id)
            facts = [self._state_of(box.id), self._held(box.id), f"waits for {waits}" * bool(waits)]
            told = ", ".join(fact for fact in facts if fact)
            parts.append(f"{title(self.trace.nodes[box.id])}: {told}." if told else "")
        more = len(self.layout.nodes) - _SAID
        return " ".join(part for part in (*parts, f"And {more} more nodes." * (more > 0)) if part)


def _words(state: str) -> str:
    return "✓ done" if state == "done" else state


def _text(text: str) -> str:
    """Text that is safe between tags and in attributes, whatever is in it."""
    return escape(shorten(text, 4000), quote=True)


def _wrapped(text: str, width: float) -> list[str]:
    """The text in lines of at most so many pixels, three at most."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and text_width(longer, 14) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    lines += [line] if line else []
    if len(lines) > 3:
        lines = [*lines[:2], lines[2] + " …"]
    return lines


def _style() -> str:
    return files("minigrad.viz").joinpath("graph.css").read_text(encoding="utf-8")


_ARROWS = "<defs>{}</defs>".format(
    "".join(
        f'<marker id="minigrad-{name}" class="arrow {name}" viewBox="0 0 8 8" refX="7" refY="4" '
        f'markerWidth="{size}" markerHeight="{size}" orient="auto" markerUnits="userSpaceOnUse">'
        '<path d="M0 .5L8 4L0 7.5z"/></marker>'
        for name, size in (("edge", 12), ("live", 15))
    )
)
