"""The graph that forward left behind, without running backward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from minigrad.autograd.observer import Observer
from minigrad.autograd.origin import user_frame
from minigrad.errors import ArgumentTypeError, ArgumentValueError, message
from minigrad.tensor import Tensor
from minigrad.tracing.build import build
from minigrad.tracing.trace import Trace
from minigrad.viz.measure import shorten
from minigrad.viz.svg import to_svg

if TYPE_CHECKING:
    from minigrad.autograd.node import Edge, Node

__all__ = ["graph_dict", "graph_html"]

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>body {{ margin: 16px; }}</style>
</head>
<body>
{picture}</body>
</html>
"""


def graph_dict(
    outputs: Tensor | Sequence[Tensor], names: Mapping[str, Tensor] | None = None
) -> dict[str, Any]:
    """Describe the graph behind some tensors as JSON types.

    Parameters
    ----------
    outputs: the tensors to start from.
    names: names for tensors, as in `{"loss": loss}`; without them, those of the caller's variables.

    Returns
    -------
    A trace in which nothing has happened yet: it fits the schema of traces, and has no passes.

    Raises
    ------
    ArgumentTypeError: something given is no Tensor.
    ArgumentValueError: an output has `stop_gradient=True`, so there is no graph behind it.

    Example
    -------
    >>> import minigrad as mg
    >>> a = mg.to_tensor(2.0, stop_gradient=False)
    >>> graph = graph_dict(a * a + a, names={"a": a})
    >>> [(node["name"], node.get("edges")) for node in graph["nodes"]]
    [('a', None), ('multiply1', [[0, 0], [0, 0]]), ('add1', [[1, 0], [0, 0]])]
    """
    return _graph(outputs, names).to_dict()


def graph_html(
    outputs: Tensor | Sequence[Tensor], names: Mapping[str, Tensor] | None = None
) -> str:
    """Draw the graph behind some tensors as one HTML page that needs nothing from outside.

    Parameters
    ----------
    outputs, names: as for `graph_dict`.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError: as for `graph_dict`.
    """
    trace = _graph(outputs, names)
    return _PAGE.format(title=escape(shorten(trace.title, 200)), picture=to_svg(trace))


def _graph(outputs: Any, names: Mapping[str, Tensor] | None) -> Trace:
    roots = [_edge_of(tensor) for tensor in _tensors(outputs)]
    observer = Observer()
    for node in _inputs_first([node for node, _ in roots]):
        observer.number(node)
    for name, tensor in (names or {}).items():
        edge = _named_edge(name, tensor)
        if edge is not None and edge[0] in observer.numbers:
            observer._name(observer.numbers[edge[0]], edge[1], name)
    observer.name_variables(user_frame())
    trace = Trace()
    build(trace, observer, "graph")
    told = [_name_of(trace, observer.numbers[node], slot) for node, slot in roots]
    trace.title = f"graph of {', '.join(told)}"
    return trace


def _name_of(trace: Trace, node: int, slot: int) -> str:
    return trace.nodes[node].slots[slot].variable or trace.nodes[node].name


def _tensors(outputs: Any) -> list[Any]:
    return list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]


def _edge_of(tensor: Any) -> Edge:
    if not isinstance(tensor, Tensor):
        raise ArgumentTypeError(
            message(
                f"A graph is drawn from Tensors, not from {type(tensor).__name__}.",
                hint="give a Tensor, or a list of Tensors.",
            )
        )
    if tensor._edge is None:
        raise ArgumentValueError(
            message(
                "There is no graph behind this tensor: its stop_gradient is True.",
                hint="set stop_gradient=False on what it is computed from, before it is computed.",
            )
        )
    return tensor._edge


def _named_edge(name: Any, tensor: Any) -> Edge | None:
    if not isinstance(name, str) or not isinstance(tensor, Tensor):
        raise ArgumentTypeError(
            message(
                f"names has {type(name).__name__}: {type(tensor).__name__}.",
                hint='give names of tensors, as in {"loss": loss}.',
            )
        )
    return tensor._edge


def _inputs_first(roots: Sequence[Node]) -> list[Node]:
    """Every node that can be reached, after all those that its gradients go to."""
    found: dict[Node, None] = {}
    entered: set[Node] = set()
    stack = list(reversed(roots))
    while stack:
        node = stack[-1]
        if node in entered:
            found.setdefault(stack.pop())
            continue
        entered.add(node)
        targets = [edge[0] for edge in node.edges if edge is not None]
        stack.extend(target for target in reversed(targets) if target not in entered)
    return list(found)
