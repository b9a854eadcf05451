from __future__ import annotations

import jsonschema
import pytest

import minigrad as mg
from minigrad.errors import ArgumentTypeError, ArgumentValueError
from minigrad.tracing.schema import SCHEMA
from minigrad.viz import graph_dict, graph_html


def leaf(value=2.0):
    return mg.to_tensor([value], stop_gradient=False)


def test_nodes_come_after_their_inputs_with_their_names():
    a, b = leaf(), leaf()
    c = a * b
    d = c + a
    graph = graph_dict([d], names={"weight": a, "product": c})
    jsonschema.validate(graph, SCHEMA)
    assert mg.Trace.from_dict(graph).to_dict() == graph
    assert graph["title"] == "graph of d"
    assert [node["name"] for node in graph["nodes"]] == ["weight", "b", "multiply1", "add1"]
    assert graph["nodes"][2]["variable"] == "product"
    assert graph["nodes"][3]["edges"] == [[2, 0], [0, 0]]
    assert not graph["events"]


def test_backward_can_still_run():
    a = leaf()
    loss = (a * a).sum()
    graph_html(loss)
    loss.backward()
    assert a.grad.numpy().tolist() == [4.0]


def test_a_page_that_needs_nothing_from_outside():
    evil = "</title><script>alert(1)</script>"
    a = leaf()
    page = graph_html(a * a, names={evil: a})
    assert page.startswith("<!doctype html>")
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert "multiply1" in page


def test_deep_graphs_meet_no_recursion():
    x = y = leaf()
    for _ in range(3000):
        y = y * 1.0
    assert len(graph_dict(y, names={"x": x})["nodes"]) == 3001


@pytest.mark.parametrize("outputs", [None, 3, ["x"]])
def test_refuses_what_is_no_tensor(outputs):
    with pytest.raises(ArgumentTypeError, match="drawn from Tensors"):
        graph_dict(outputs)


def test_refuses_a_tensor_without_a_graph():
    with pytest.raises(ArgumentValueError, match="stop_gradient is True"):
        graph_dict(mg.ones([2]))


def test_refuses_names_of_something_else():
    with pytest.raises(ArgumentTypeError, match="names has str: int"):
        graph_dict(leaf() * 2.0, names={"x": 1})
