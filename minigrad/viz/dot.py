"""A backward graph in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from minigrad.viz.labels import detail, shape_text, title
from minigrad.viz.layout import layout
from minigrad.viz.measure import shorten

if TYPE_CHECKING:
    from minigrad.tracing.trace import Node, Trace

__all__ = ["to_dot"]


def to_dot(trace: Trace) -> str:
    r"""The graph of a trace for Graphviz: gradients flow down, leaves are at the bottom.

    Edges are labelled with the operand whose gradient they carry, where there are several.

    Example
    -------
    >>> import minigrad as mg
    >>> a = mg.to_tensor(2.0, stop_gradient=False); a.name = "a"
    >>> with mg.record(title="square") as trace:
    ...     (a * a).backward()
    >>> print(to_dot(trace))
    digraph "square" {
      rankdir=TB;
      node [shape=box, style="rounded", fontname="sans-serif"];
      edge [fontname="sans-serif", fontsize=10];
      n0 [label="a.grad\nfloat32[]", shape=ellipse];
      n1 [label="multiply1\na * a\nfloat32[]"];
      n1 -> n0 [label="x"];
      n1 -> n0 [label="y"];
      s1_0 [label="ones for multiply1", shape=plaintext];
      s1_0 -> n1 [style=dashed];
    }
    <BLANKLINE>
    """
    return "\n".join((f"digraph {_quoted(trace.title or 'backward')} {{", *_lines(trace), "}", ""))


def _lines(trace: Trace) -> Iterator[str]:
    plan = layout(trace)
    yield "  rankdir=TB;"
    yield '  node [shape=box, style="rounded", fontname="sans-serif"];'
    yield '  edge [fontname="sans-serif", fontsize=10];'
    for box in plan.nodes:
        node = trace.nodes[box.id]
        shape = ", shape=ellipse" if node.kind == "accumulation" else ""
        yield f"  n{node.id} [label={_quoted(*_label(node))}{shape}];"
    for edge in plan.edges:
        label = _edge_label(trace, edge.source, edge.edge, edge.target, edge.slot)
        attributes = f" [label={_quoted(label)}]" if label else ""
        yield f"  n{edge.source} -> n{edge.target}{attributes};"
    for seed in plan.seeds:
        name = f"s{seed.node}_{seed.slot}"
        yield f"  {name} [label={_quoted(seed.text)}, shape=plaintext];"
        yield f"  {name} -> n{seed.node} [style=dashed];"


def _label(node: Node) -> tuple[str, ...]:
    shapes = " ".join(shape_text(slot.shape, slot.dtype) for slot in node.slots)
    return tuple(line for line in (title(node), detail(node), shapes) if line)


def _edge_label(trace: Trace, source: int, edge: int, target: int, slot: int) -> str:
    """The operand whose gradient it is, and the slot if the target has several."""
    operands = trace.nodes[source].operands
    name = operands[edge] if edge < len(operands) else str(edge)
    several = len(trace.nodes[source].edges) > 1
    into = f"slot {slot}" if len(trace.nodes[target].slots) > 1 else ""
    return ", ".join(part for part in (name if several else "", into) if part)


def _quoted(*lines: str) -> str:
    """A string of the dot language; nothing in it can end it early."""
    safe = [shorten(line, 200).replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + "\\n".join(safe) + '"'
