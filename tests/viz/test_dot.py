from __future__ import annotations

import re

import minigrad as mg
from minigrad.viz.dot import to_dot
from tests.tracing.example import add, backward, leaf, three_roots, trace_of

STRING = r'"(?:[^"\\]|\\.)*"'


def test_nodes_edges_and_seeds():
    lines = to_dot(trace_of(three_roots())).splitlines()
    assert lines[0] == 'digraph "backward of e, c, d" {'
    assert lines[-1] == "}"
    assert '  n0 [label="a.grad\\nfloat64[2]", shape=ellipse];' in lines
    assert '  n4 [label="add3\\ne = d + d\\nfloat64[2]"];' in lines
    assert [line.split(" [")[0] for line in lines if re.match(r"  n\d+ ->", line)] == [
        *("  n2 -> n0", "  n2 -> n1", "  n3 -> n2", "  n3 -> n2", "  n4 -> n3", "  n4 -> n3")
    ]
    assert '  s4_0 [label="your seed for e", shape=plaintext];' in lines
    assert "  s4_0 -> n4 [style=dashed];" in lines


def test_labels_cannot_end_their_string():
    evil = '"]; evil -> graph; x [label="\\'
    record = backward([leaf(evil), add(evil, evil + "\n}", [[0, 0]])], [[1, 0]])
    record["title"] = evil
    for line in to_dot(trace_of(record)).splitlines():
        outside = re.sub(STRING, "S", line)
        assert '"' not in outside
        assert "evil" not in outside


def test_slots_are_told_where_there_are_several():
    x = mg.ones([4])
    x.stop_gradient = False
    with mg.record() as trace:
        first, second = mg.split(x, 2)
        (first * second).sum().backward()
    labels = re.findall(r'-> n\d+ \[label="([^"]*)"', to_dot(trace))
    assert {"x, slot 0", "y, slot 1"} <= set(labels)
