"""Random graphs against an oracle that knows no engine: the sum over all paths, node by node."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg

LEAVES = 3


@st.composite
def graphs(draw):
    """Ops as (kind, left, right) on earlier results, and roots with seeds, in any order."""
    ops = []
    for i in range(draw(st.integers(1, 12))):
        earlier = st.integers(0, LEAVES + i - 1)
        ops.append((draw(st.sampled_from("+*-")), draw(earlier), draw(earlier)))
    count = LEAVES + len(ops)
    roots = draw(st.lists(st.integers(0, count - 1), min_size=1, unique=True))
    return ops, [(root, draw(st.integers(-3, 3))) for root in roots]


def by_paths(ops, roots, values):
    """d(sum of seed * root)/d(leaf), by the chain rule over all edges in reverse order."""
    gradient = [0] * len(values)
    for root, seed in roots:
        gradient[root] += seed
    for number in reversed(range(len(ops))):
        kind, left, right = ops[number]
        g = gradient[LEAVES + number]
        gradient[left] += g * values[right] if kind == "*" else g
        gradient[right] += g * values[left] if kind == "*" else -g if kind == "-" else g
    return gradient[:LEAVES]


def compute(kind, left, right):
    return left + right if kind == "+" else left - right if kind == "-" else left * right


@given(graphs(), st.lists(st.integers(-2, 2), min_size=LEAVES, max_size=LEAVES), st.booleans())
@settings(deadline=None, max_examples=150)
def test_backward_and_grad_agree_with_the_sum_over_paths(graph, start, create_graph):
    ops, roots = graph
    tensors = [mg.to_tensor(v, dtype="float64", stop_gradient=False) for v in start]
    values = list(start)
    for kind, left, right in ops:
        tensors.append(compute(kind, tensors[left], tensors[right]))
        values.append(compute(kind, values[left], values[right]))
    expected = by_paths(ops, roots, values)
    outputs = [tensors[root] for root, _ in roots]
    seeds = [mg.to_tensor(seed, dtype="float64") for _, seed in roots]
    leaves = tensors[:LEAVES]
    found = mg.grad(outputs, leaves, seeds, create_graph=create_graph, allow_unused=True)
    assert [0 if g is None else g.item() for g in found] == expected
    mg.autograd.backward(outputs, seeds, create_graph=create_graph)
    assert [0 if t.grad is None else t.grad.item() for t in leaves] == expected
