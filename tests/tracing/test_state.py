from __future__ import annotations

import gc
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.tracing.state import Contribution, at
from tests.tracing.example import chain, network, three_roots, trace_of
from tests.work import calls

A, B, C, D, E = range(5)  # the nodes of three_roots


def after(trace, kind, **fields):
    """The state after the first such event."""
    for event in trace.events:
        if event.kind == kind and all(getattr(event, k) == v for k, v in fields.items()):
            return at(trace, event.index)
    raise AssertionError(f"no {kind} with {fields}")


def numbers(state, node, slot=0):
    return state.holders[node][slot].value.data[0]


def test_seeds_wait_in_their_holders():
    trace = trace_of(three_roots())
    begun = at(trace, 0)
    assert dict(begun.in_degree) == {E: 0, D: 2, C: 2, A: 1, B: 1}
    assert not begun.holders
    assert {begun.node_state(node) for node in range(5)} == {"waiting"}
    seeded = after(trace, "seed", node=D)
    assert [numbers(seeded, node) for node in (E, C, D)] == [1, 1, 1]
    assert seeded.holders[D][0].contributions == (Contribution(seeded.holders[D][0].value),)
    assert seeded.ready_queue == ()
    queued = after(trace, "ready", node=E)
    assert queued.ready_queue == (E,)
    assert queued.node_state(E) == "ready"


def test_a_holder_names_the_sender_of_each_contribution():
    trace = trace_of(three_roots())
    state = after(trace, "ready", node=D)
    assert state.node_state(E) == "running"
    assert state.in_degree[D] == 0
    held = state.holders[D][0]
    assert held.value.data == (3.0, 3.0)
    assert [(c.source, c.edge) for c in held.contributions] == [(None, None), (E, 0), (E, 1)]
    assert [c.value.data for c in held.contributions] == [(1.0, 1.0)] * 3


def test_a_node_is_done_when_it_ends_and_its_holder_is_gone():
    trace = trace_of(three_roots())
    assert numbers(after(trace, "node_begin", node=D), D) == 3
    state = after(trace, "node_end", node=D)
    assert state.node_state(D) == "done"
    assert D not in state.holders
    assert numbers(state, C) == 7


def test_leaves_jump_the_queue_and_keep_their_gradient():
    trace = trace_of(three_roots())
    assert after(trace, "ready", node=B).ready_queue == (B, A)
    state = after(trace, "leaf", node=B)
    assert {node: grad.data for node, grad in state.grads.items()} == {B: (7.0, 7.0)}
    assert B not in state.holders


def test_at_the_end_nobody_waits():
    trace = trace_of(network())
    end = at(trace, len(trace.events) - 1)
    assert end.ready_queue == ()
    assert not any(end.in_degree.values())
    assert not end.holders
    assert {end.node_state(node.id) for node in trace.nodes} == {"done"}


@pytest.mark.parametrize("index", [-1, 28, 10**9])
def test_refuses_events_that_are_not_there(index):
    trace = trace_of(three_roots())
    assert len(trace.events) == 28
    with pytest.raises(IndexError, match=f"no event {index}: this trace has 28"):
        at(trace, index)


def test_what_it_gives_cannot_be_changed():
    trace = trace_of(three_roots())
    state = at(trace, 3)
    with pytest.raises(TypeError):
        state.holders[E] = {}
    with pytest.raises(TypeError):
        state.holders[E][0] = None


@settings(deadline=None)
@given(st.lists(st.integers(0, 806), min_size=1, max_size=8))
def test_any_order_of_questions_gets_the_same_answers(indexes):
    trace = trace_of(_CHAIN)
    for index in indexes:
        assert at(trace, index) == _STATES[index]


_CHAIN = chain(200)
_IN_A_ROW = trace_of(_CHAIN)
_STATES = [at(_IN_A_ROW, index) for index in range(len(_IN_A_ROW.events))]


def walk(length):
    trace = trace_of(chain(length))
    return calls(lambda: [at(trace, index) for index in range(len(trace.events))])


def test_walking_through_all_events_costs_twice_as_much_for_twice_as_many():
    assert walk(400) < 2.5 * walk(200)


def test_a_trace_that_nobody_has_is_forgotten():
    trace = trace_of(three_roots())
    at(trace, 5)
    gone = weakref.ref(trace)
    del trace
    gc.collect()
    assert gone() is None


def recorded(function, *shape):
    x = mg.ones(list(shape) or [3])
    x.stop_gradient = False
    with mg.record() as trace:
        function(x)
    return trace, x


def test_hooks_change_what_a_holder_contains():
    def run(x):
        y = x * 2.0
        y.register_hook(lambda g: g * 10.0)
        y.sum().backward()

    trace, _ = recorded(run)
    hook = next(event for event in trace.events if event.kind == "hook")
    before, state = at(trace, hook.index - 1), at(trace, hook.index)
    assert (numbers(before, hook.node), numbers(state, hook.node)) == (1, 10)
    held = state.holders[hook.node][0]
    assert held.contributions == before.holders[hook.node][0].contributions


def test_the_gradient_that_a_leaf_has_already():
    def run(x):
        (x * 2.0).sum().backward()
        (x * 3.0).sum().backward()

    trace, x = recorded(run)
    first, second = trace.passes
    leaf = next(event.node for event in trace.events if event.kind == "leaf")
    assert leaf not in at(trace, first.first).grads
    assert at(trace, second.first).grads[leaf].data == (2.0, 2.0, 2.0)
    assert at(trace, second.first).node_state(leaf) == "waiting"
    assert at(trace, len(trace.events) - 1).grads[leaf].data == tuple(x.grad.numpy())


def test_a_cleared_gradient_is_gone_when_the_next_pass_begins():
    def run(x):
        (x * 2.0).sum().backward()
        x.clear_grad(set_to_zero=False)
        (x * 3.0).sum().backward()

    trace, _ = recorded(run)
    assert not at(trace, trace.passes[1].first).grads


def test_an_inner_pass_goes_first_and_leaves_the_outer_one_as_it_was():
    class Inner(mg.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 1.0

        @staticmethod
        def backward(ctx, g):
            z = mg.ones([3])
            z.stop_gradient = False
            with mg.enable_grad():
                (z * z).sum().backward()
            return g * z.grad

    def run(x):
        (Inner.apply(x) + x).sum().backward()

    trace, x = recorded(run)
    inner = next(one for one in trace.passes if one.parent is not None)
    before, during = at(trace, inner.first - 1), at(trace, inner.first + 2)
    assert during.node_state(inner.parent_node) == "running"
    assert before.holders.keys() <= during.holders.keys()
    assert during.ready_queue[-len(before.ready_queue) or 99 :] == before.ready_queue
    end = at(trace, len(trace.events) - 1)
    assert not end.ready_queue
    assert not any(end.in_degree.values())
    assert list(x.grad.numpy()) == [3.0, 3.0, 3.0]


def test_a_failed_pass_stays_as_it_failed_until_another_one_begins():
    def fail(g):
        raise ValueError("no")

    def run(x):
        y = x * 2.0
        y.register_hook(fail)
        with pytest.raises(ValueError, match="no"):
            y.sum().backward()
        (x * 3.0).sum().backward()

    trace, _ = recorded(run)
    error = next(event for event in trace.events if event.kind == "error")
    state = at(trace, error.index)
    assert state.node_state(error.node) == "running"
    assert error.node in state.holders
    end = at(trace, len(trace.events) - 1)
    assert not end.holders
    assert end.node_state(error.node) == "waiting"


def test_saved_tensors_are_kept_until_their_node_frees_them():
    def run(x):
        x.exp().sum().backward()

    trace, _ = recorded(run)
    free = next(event for event in trace.events if event.kind == "free" and event.bytes)
    before, state = at(trace, free.index - 1), at(trace, free.index)
    assert [tensor.name for tensor in before.saved[free.node]] == ["out"]
    assert free.node not in state.saved
    assert free.node in state.freed
    assert before.memory - state.memory == free.bytes == 12
