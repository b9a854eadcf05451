from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

import minigrad as mg
from minigrad.viz.svg import to_svg
from tests.tracing.example import add, backward, chain, leaf, network, three_roots, trace_of

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "</text><script>alert(1)</script><img src=x onerror=alert(2)>\x00\x1b\"'&"


def parts(svg):
    """The texts of every node, in the order of node ids, with its classes."""
    tree = ET.fromstring(svg)  # noqa: S314 (our own text)
    groups = [g for g in tree.iter(f"{SVG}g") if "node" in (g.get("class") or "")]
    return [(g.get("class").split(), [t.text for t in g.iter(f"{SVG}text")]) for g in groups]


def test_shows_each_node_with_its_state_and_what_it_holds():
    nodes = parts(to_svg(trace_of(three_roots()), 3))
    assert nodes == [
        (["node", "leaf", "waiting"], ["a.grad", "empty", "1"]),
        (["node", "leaf", "waiting"], ["b.grad", "empty", "1"]),
        (["node", "waiting"], ["add1", "waiting", "c = a + b", "holds 1", "2"]),
        (["node", "ready"], ["add2", "ready", "d = c + c", "holds 3"]),
        (["node", "done"], ["add3", "✓ done", "e = d + d"]),
    ]


def test_the_last_step_when_none_is_asked_for():
    trace = trace_of(three_roots())
    assert to_svg(trace) == to_svg(trace, 7)
    assert [texts[:2] for _, texts in parts(to_svg(trace))][:2] == [
        ["a.grad", "7"],
        ["b.grad", "7"],
    ]


def test_what_was_sent_in_the_step_is_marked():
    svg = to_svg(trace_of(three_roots()), 3)
    assert svg.count('class="edge live"') == 2
    assert svg.count('class="edge"') == 4


@pytest.mark.parametrize("step", [-1, 8])
def test_refuses_steps_that_are_not_there(step):
    with pytest.raises(IndexError, match=f"no step {step}: this trace has 8"):
        to_svg(trace_of(three_roots()), step)


def test_says_the_picture_in_words():
    tree = ET.fromstring(to_svg(trace_of(three_roots()), 3))  # noqa: S314
    assert tree.get("role") == "img"
    assert tree.get("aria-label") == tree.find(f"{SVG}title").text == "backward of e, c, d"
    said = tree.find(f"{SVG}desc").text
    assert "add3 fired." in said
    assert "add1: waiting, holds 1, waits for 2." in said


def test_hostile_text_is_inert():
    record = backward([leaf(EVIL), add(EVIL, EVIL, [[0, 0]])], [[1, 0]])
    record["title"] = EVIL
    for step in record["steps"]:
        step["sentence"] = EVIL
    svg = to_svg(trace_of(record))
    assert "<script" not in svg
    assert "<img" not in svg
    names = {node.tag.removeprefix(SVG) for node in ET.fromstring(svg).iter()}  # noqa: S314
    assert names <= {
        *("svg", "title", "desc", "style", "defs", "marker", "path"),
        *("rect", "text", "g", "circle"),
    }


def test_needs_nothing_from_outside_and_styles_nobody_else():
    svg = to_svg(trace_of(network()))
    assert svg.startswith("<svg")
    assert not re.findall(r'(?:href|src|url)\s*[=(]\s*["\']?(?!#)\w+:', svg.replace("xmlns=", ""))
    style = svg.partition("<style>")[2].partition("</style>")[0]
    selectors = re.findall(r"(?:^|\})\s*([^{}@]+)\{", style, flags=re.MULTILINE)
    assert selectors
    assert all(".minigrad-graph" in part for chosen in selectors for part in chosen.split(","))
    assert "prefers-color-scheme: dark" in style


def test_an_inner_pass_shows_the_node_that_runs():
    class Inner(mg.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 1.0

        @staticmethod
        def backward(ctx, g):
            z = mg.to_tensor([3.0], stop_gradient=False)
            with mg.enable_grad():
                (z * z).backward()
            return g * z.grad

    x = mg.to_tensor([1.0], stop_gradient=False)
    with mg.record() as trace:
        Inner.apply(x).backward()
    inner = next(i for i, step in enumerate(trace.steps) if trace.passes[step.pass_id].parent == 0)
    assert ["node", "running"] in [classes for classes, _ in parts(to_svg(trace, inner))]


def test_without_a_pass_the_bare_graph():
    x = mg.to_tensor([1.0], stop_gradient=False)
    with mg.record() as trace:
        _y = x * x
    nodes = parts(to_svg(trace))
    assert [classes for classes, _ in nodes] == [["node", "leaf", "plain"], ["node", "plain"]]


def test_an_empty_trace_is_a_picture_too():
    with mg.record() as trace:
        pass
    ET.fromstring(to_svg(trace))  # noqa: S314


def test_large_graphs():
    assert to_svg(trace_of(chain(300))).count('class="node done"') == 300
