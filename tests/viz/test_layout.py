from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.viz._order import arrange
from minigrad.viz.layout import layout
from minigrad.viz.measure import text_width
from tests.tracing.example import add, backward, chain, leaf, network, three_roots, trace_of
from tests.work import calls

NUMBER = r"-?\d+(?:\.\d)?"


def ends(path):
    """Where a path begins and ends."""
    assert re.fullmatch(rf"M{NUMBER} {NUMBER}(?:[CVH]{NUMBER}(?: {NUMBER})*)+", path), path
    numbers = [float(text) for text in re.findall(NUMBER, path)]
    return numbers[:2], numbers[-2:]


def boxes(plan):
    return {box.id: box for box in plan.nodes}


def check(plan):
    """What holds of every layout."""
    by_id = boxes(plan)
    rows: dict[float, list] = {}
    for box in plan.nodes:
        assert 0 <= box.x <= box.x + box.width <= plan.width
        assert 0 <= box.y <= box.y + box.height <= plan.height
        rows.setdefault(box.y + box.height / 2, []).append(box)
    for row in rows.values():
        row.sort(key=lambda box: box.x)
        for left, right in pairwise(row):
            assert left.x + left.width + 30 <= right.x
    for edge in plan.edges:
        source, target = by_id[edge.source], by_id[edge.target]
        assert source.y + source.height < target.y, "gradients flow down"
        begin, end = ends(edge.path)
        assert begin[1] == pytest.approx(source.y + source.height, abs=0.1)
        assert end[1] == pytest.approx(target.y, abs=0.1)
        assert source.x < begin[0] < source.x + source.width
        assert target.x < end[0] < target.x + target.width
    for seed in plan.seeds:
        box = by_id[seed.node]
        assert seed.x > box.x + box.width
        assert seed.x + text_width(seed.text, 13) <= plan.width


@pytest.mark.parametrize("made", [three_roots, network, lambda: network(12), lambda: chain(40)])
def test_boxes_do_not_touch_and_edges_join_them(made):
    check(layout(trace_of(made())))


@st.composite
def graphs(draw):
    """Any graph whose edges lead to earlier nodes; some edges over many rows, some parallel."""
    nodes = [leaf(f"w{i}") for i in range(draw(st.integers(1, 4)))]
    for number in range(draw(st.integers(1, 25))):
        inputs = draw(st.lists(st.integers(0, len(nodes) - 1), min_size=1, max_size=4))
        nodes.append(add(f"v{number}", "f(" * draw(st.integers(0, 9)), [[i, 0] for i in inputs]))
    roots = draw(st.lists(st.integers(0, len(nodes) - 1), min_size=1, max_size=3, unique=True))
    return backward(nodes, [[root, 0] for root in roots])


@settings(deadline=None, max_examples=60)
@given(graphs())
def test_any_graph(record):
    trace = trace_of(record)
    plan = layout(trace)
    check(plan)
    assert plan == layout(trace_of(record)), "the same trace, the same layout"
    member = {box.id for box in plan.nodes}
    wanted = {
        (node.id, number)
        for node in trace.nodes
        if node.id in member
        for number, _ in enumerate(node.edges)
    }
    assert {(edge.source, edge.edge) for edge in plan.edges} == wanted


def test_three_roots_look_as_they_should():
    plan = layout(trace_of(three_roots()))
    a, b, c, d, e = (boxes(plan)[number] for number in range(5))
    assert e.y < d.y < c.y < a.y == b.y
    middle = c.x + c.width / 2
    assert {d.x + d.width / 2, e.x + e.width / 2} == {middle}
    assert (a.x + a.width + b.x) / 2 == pytest.approx(middle, abs=1)
    assert [seed.text for seed in plan.seeds] == [f"your seed for {name}" for name in "cde"]


def test_parallel_edges_are_drawn_apart():
    plan = layout(trace_of(three_roots()))
    first, second = (ends(edge.path) for edge in plan.edges if edge.source == 4)
    assert second[0][0] - first[0][0] > 30
    assert second[1][0] - first[1][0] > 30


def test_parallel_edges_over_several_rows_are_drawn_apart():
    nodes = [leaf("x"), add("y", "f(x)", [[0, 0]]), add("z", "g(y)", [[1, 0]])]
    nodes += [add("out", "h(z, x, x)", [[2, 0], [0, 0], [0, 0]])]
    plan = layout(trace_of(backward(nodes, [[3, 0]])))
    one, other = (edge.path for edge in plan.edges if (edge.source, edge.target) == (3, 0))
    assert one.count("V") == other.count("V") == 2, "both pass by y and z"
    turns = [
        [float(x) for x in re.findall(rf"({NUMBER}) {NUMBER}V", path)] for path in (one, other)
    ]
    assert all(abs(a - b) > 15 for a, b in zip(*turns, strict=True))


def test_a_seed_has_room_beside_its_node():
    nodes = [leaf("x"), add("left", "f(x)", [[0, 0]]), add("right", "g(x)", [[0, 0]])]
    plan = layout(trace_of(backward(nodes, [[1, 0], [2, 0]])))
    left, right = sorted((boxes(plan)[number] for number in (1, 2)), key=lambda box: box.x)
    seed = next(seed for seed in plan.seeds if seed.node == left.id)
    assert left.y == right.y
    assert seed.x + text_width(seed.text, 13) < right.x


def test_a_chain_is_straight():
    plan = layout(trace_of(chain(30)))
    assert len({box.x + box.width / 2 for box in plan.nodes}) == 1
    assert all(ends(edge.path)[0][0] == ends(edge.path)[1][0] for edge in plan.edges)


def test_what_hangs_on_one_node_above_is_straight_below_it():
    # The leaves beside v1 and v2 would push them a little to the side, at every row again.
    nodes = [leaf("w0"), leaf("w1"), leaf("w2"), leaf("w3")]
    edges = [[1, 3], [3], [4], [5, 2], [7, 1], [8], [6, 9]]
    nodes += [add(f"v{i}", "f", [[to, 0] for to in targets]) for i, targets in enumerate(edges)]
    plan = layout(trace_of(backward(nodes, [[10, 0]])))
    check(plan)
    middles = {number: box.x + box.width / 2 for number, box in boxes(plan).items()}
    bends = [abs(middles[edge.source] - middles[edge.target]) for edge in plan.edges]
    assert [bend for bend in bends if 0 < bend < 30] == []


def test_fewer_crossings_than_in_the_order_given():
    # Both 0 and 1 lead to 2, and 0 to 3 as well: 3 belongs on the side of 0.
    rows = arrange([0, 1, 2, 3], [(0, 0, 2, 0), (0, 1, 3, 0), (1, 0, 2, 0)])
    assert rows.rows in ([[0, 1], [3, 2]], [[1, 0], [2, 3]])


def test_nodes_are_as_wide_as_what_is_written_in_them():
    long = "relu(x @ weight + bias)"
    record = backward([leaf("x"), add("hidden", long, [[0, 0]])], [[1, 0]])
    box = boxes(layout(trace_of(record)))[1]
    detail = text_width(f"hidden = {long}"[:26], 12.5, face="mono")
    assert box.width >= detail + text_width("holds 1", 13, face="mono") + 32


def test_only_nodes_that_take_part():
    x = mg.to_tensor([1.0], stop_gradient=False)
    with mg.record() as trace:
        _unused = x * 3.0
        (x * 2.0).backward()
    names = {trace.nodes[box.id].name for box in layout(trace).nodes}
    assert names == {"x", "scale2"}


def test_edges_to_nodes_that_a_pass_leaves_out_are_left_out():
    x, y = (mg.to_tensor([value], stop_gradient=False) for value in (1.0, 2.0))
    with mg.record() as trace:
        mg.grad(x.exp() * y.exp(), [x])
    plan = layout(trace)
    names = {node.id: node.name for node in trace.nodes}
    assert {names[box.id] for box in plan.nodes} == {"x", "exp1", "multiply1"}
    found = [(names[edge.source], names[edge.target]) for edge in plan.edges]
    assert sorted(found) == [("exp1", "x"), ("multiply1", "exp1")]


def test_several_slots_have_several_seeds():
    x = mg.ones([4])
    x.stop_gradient = False
    with mg.record() as trace:
        first, second = mg.split(x, 2)
        mg.autograd.backward([first, second])
    plan = layout(trace)
    check(plan)
    assert [seed.text for seed in plan.seeds] == ["ones for first", "ones for second"]
    split = boxes(plan)[plan.seeds[0].node]
    detail = text_width("first = mg.split(x, 2)", 12.5, face="mono")
    assert split.width > detail + text_width("holds 2 slots", 13, face="mono") + 32
    assert abs(plan.seeds[0].y - plan.seeds[1].y) > 13


def test_to_dict_is_json_types():
    plan = layout(trace_of(three_roots())).to_dict()
    assert set(plan) == {"width", "height", "nodes", "edges", "seeds"}
    assert set(plan["nodes"][0]) == {"id", "x", "y", "width", "height"}
    assert set(plan["edges"][0]) == {"source", "edge", "target", "slot", "path"}
    assert set(plan["seeds"][0]) == {"node", "slot", "x", "y", "text", "path"}


def test_twice_as_many_nodes_cost_twice_as_much():
    short, long = trace_of(chain(300)), trace_of(chain(600))
    assert calls(lambda: layout(long)) < 2.4 * calls(lambda: layout(short))


def test_a_residual_stream_over_many_rows_gets_lanes():
    record = [leaf("x"), add("h0", "x", [[0, 0]])]
    record += [add(f"h{number}", "h", [[number, 0], [1, 0]]) for number in range(1, 300)]
    plan = layout(trace_of(backward(record, [[300, 0]])))
    check(plan)
    assert plan.width < 800
