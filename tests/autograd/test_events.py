"""The engine's rules as whole event sequences. The orders are those recorded from Paddle 3.3.1."""

from __future__ import annotations

import pytest

import minigrad as mg
from tests.autograd.told import told


def leaf(value, name, dtype="float64"):
    x = mg.to_tensor(value, dtype=dtype, stop_gradient=False)
    x.name = name
    return x


def test_one_op_from_seed_to_leaf():
    x, w = leaf(3.0, "x"), leaf(2.0, "w")
    with mg.record() as trace:
        y = x * w
        y.backward()
    assert told(trace) == [
        "pass_begin x.grad 1, w.grad 1",
        "seed multiply1 1",
        "ready multiply1",
        "run multiply1 1",
        "unpack multiply1 y 2",
        "unpack multiply1 x 3",
        "free multiply1 16",
        "multiply1 -> x.grad moved 2, waits 0",
        "ready x.grad first",
        "multiply1 -> w.grad moved 3, waits 0",
        "ready w.grad first",
        "run w.grad 3",
        "leaf w.grad moved 3",
        "run x.grad 2",
        "leaf x.grad moved 2",
        "pass_end",
    ]


def test_roots_that_are_ancestors_of_other_roots():
    # PaddlePaddle/Paddle#72816: c and d are roots, and e was made from them.
    a, b = leaf([1.0, 1.0], "a"), leaf([1.0, 1.0], "b")
    with mg.record() as trace:
        c = a + b
        d = c + c
        e = d + d
        mg.autograd.backward([e, c, d])
    assert told(trace) == [
        "pass_begin add1 2, add2 2, a.grad 1, b.grad 1",
        "seed add3 1",
        "seed add1 1",
        "seed add2 1",
        "ready add3",
        "run add3 1",
        "free add3 0",
        "add3 -> add2 added 1 = 2, waits 1",
        "add3 -> add2 added 1 = 3, waits 0",
        "ready add2",
        "run add2 3",
        "free add2 0",
        "add2 -> add1 added 3 = 4, waits 1",
        "add2 -> add1 added 3 = 7, waits 0",
        "ready add1",
        "run add1 7",
        "free add1 0",
        "add1 -> a.grad moved 7, waits 0",
        "ready a.grad first",
        "add1 -> b.grad moved 7, waits 0",
        "ready b.grad first",
        "run b.grad 7",
        "leaf b.grad moved 7",
        "run a.grad 7",
        "leaf a.grad moved 7",
        "pass_end",
    ]


def test_leaves_jump_the_queue_and_nodes_join_its_end():
    a, b = leaf(1.0, "a"), leaf(1.0, "b")
    with mg.record() as trace:
        (a.exp().tanh() + b.exp().tanh()).backward()
    runs = [line.split()[1] for line in told(trace) if line.startswith("run")]
    assert runs == ["add1", "tanh1", "tanh2", "exp1", "a.grad", "exp2", "b.grad"]


def test_hook_then_rule_then_leaf_hook():
    x = leaf(2.0, "x")
    with mg.record() as trace:
        y = x * x

        def tenfold(g):
            return g * 10

        y.register_hook(tenfold)
        x.register_hook(lambda g: None)
        y.backward()
    lines = told(trace)
    assert "hook tenfold multiply1 1 to 10" in lines
    assert "hook <lambda> x.grad 40 to 40" in lines
    assert lines.index("hook tenfold multiply1 1 to 10") < lines.index("unpack multiply1 y 2")
    assert x.grad.item() == 40.0


def test_broadcast_is_summed_and_promotion_cast_back():
    x, b = leaf([[1.0], [2.0]], "x", "float32"), leaf([1.0, 2.0, 3.0], "b")
    with mg.record() as trace:
        (x + b).backward()
    lines = told(trace)
    assert "reduce add1 1 float64[2, 3] to float64[3]" in lines
    assert "reduce add1 0 float64[2, 3] to float64[2, 1]" in lines
    assert "cast cast1 0 float64[2, 1] to float32[2, 1]" in lines
    assert x.grad.dtype == "float32"
    assert x.grad.tolist() == [[3.0], [3.0]]
    assert b.grad.tolist() == [2.0, 2.0, 2.0]


def test_undefined_gradient_counts_as_arrived():
    class Nothing(mg.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return None

    x = leaf(1.0, "x")
    with mg.record() as trace:
        Nothing.apply(x).backward()
    lines = told(trace)
    assert "Nothing1 -> x.grad undefined undefined = undefined, waits 0" in lines
    assert "leaf x.grad undefined undefined" in lines
    assert x.grad is None


def test_second_pass_adds_and_cleared_grad_is_replaced():
    x = leaf(1.0, "x")
    with mg.record() as trace:
        (x * 2).backward()
        (x * 3).backward()
        x.clear_grad()
        (x * 4).backward()
    assert [line for line in told(trace) if line.startswith("leaf")] == [
        "leaf x.grad moved 2",
        "leaf x.grad added 5",
        "leaf x.grad replaced 4",
    ]
    assert len(trace.passes) == 3


def test_retain_graph_frees_nothing():
    x = leaf(3.0, "x")
    with mg.record() as trace:
        y = x * x
        y.backward(retain_graph=True)
        y.backward()
    assert [line for line in told(trace) if line.startswith("free")] == ["free multiply1 16"]
    assert x.grad.item() == 12.0


def test_grad_is_pruned_and_touches_no_leaf():
    x, w = leaf(3.0, "x"), leaf(2.0, "w")
    with mg.record() as trace:
        (g,) = mg.grad(x * w, x)
    assert g.item() == 2.0
    assert told(trace) == [
        "pass_begin x.grad 1",
        "seed multiply1 1",
        "ready multiply1",
        "run multiply1 1",
        "unpack multiply1 y 2",
        "unpack multiply1 x 3",
        "multiply1 -> x.grad moved 2, waits 0",
        "ready x.grad first",
        "run x.grad 2",
        "pass_end",
    ]
    assert x.grad is None
    assert trace.passes[0].kind == "grad"


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_first_nan_is_told_once():
    x = leaf([0.0, 1.0], "x")
    with mg.record() as trace:
        (x.sqrt() * 2).sum().backward()
    assert [line for line in told(trace) if line.startswith("nan")] == ["nan sqrt1 0 1"]


def test_error_ends_the_pass_and_is_told():
    x = leaf(1.0, "x")
    y = x * 2

    def fails(g):
        raise KeyError("mine")

    y.register_hook(fails)
    with mg.record() as trace, pytest.raises(KeyError, match="mine") as caught:
        y.backward()
    assert told(trace)[-1] == "error scale1 KeyError"
    assert "ScaleGradNode" in caught.value.__notes__[0]
    assert "y = x * 2" in caught.value.__notes__[0]


def test_a_pass_inside_a_hook_lies_inside_its_parent():
    x, z = leaf(1.0, "x"), leaf(5.0, "z")
    y = x * 2
    y.register_hook(lambda g: (z * z).backward())
    with mg.record() as trace:
        y.backward()
    inner = trace.passes[1]
    assert (inner.parent, trace.nodes[inner.parent_node].name) == (0, "scale1")
    outer = trace.passes[0]
    assert outer.first < inner.first < inner.last < outer.last
    assert z.grad.item() == 10.0
    first, last = inner.first, inner.last
    assert trace.events[first].kind == "pass_begin"
    assert trace.events[last].kind == "pass_end"


def test_live_stepping_runs_only_as_far_as_it_is_iterated():
    x = leaf(3.0, "x")
    steps = mg.autograd.backward_steps(x * x)
    kinds = [next(steps).kind for _ in range(4)]
    assert kinds == ["pass_begin", "seed", "ready", "node_begin"]
    assert x.grad is None
    assert [event.kind for event in steps][-1] == "pass_end"
    assert x.grad.item() == 6.0


def test_steps_cover_the_pass_without_gaps():
    x, w = leaf(3.0, "x"), leaf(2.0, "w")
    with mg.record() as trace:
        y = x * w
        mg.autograd.backward([y + y, y])
    assert [step.kind for step in trace.steps] == ["seed", "seed", "node", "node", "leaf", "leaf"]
    assert trace.steps[0].first == trace.passes[0].first
    assert trace.steps[-1].last == len(trace.events) - 1
    for before, after in zip(trace.steps, trace.steps[1:], strict=False):
        assert after.first == before.last + 1
