from __future__ import annotations

from itertools import pairwise

import minigrad as mg
from minigrad.tracing.memory import memory_over_time, peak_bytes
from minigrad.tracing.state import at
from tests.tracing.example import chain, network, three_roots, trace_of


def test_holders_and_gradients_by_hand():
    # Arrays of 16 bytes. Three seeds; e fires into d, d into c, c into a and b.
    trace = trace_of(three_roots())
    memory = memory_over_time(trace)
    seeds = [event.index for event in trace.events if event.kind == "seed"]
    assert [memory[index].holders for index in seeds] == [16, 32, 48]
    ends = [event.index for event in trace.events if event.kind == "node_end"]
    assert [memory[index].holders for index in ends] == [32, 16, 32, 16, 0]
    assert [memory[index].gradients for index in ends] == [0, 0, 0, 16, 32]
    assert memory[-1].saved == 0
    assert peak_bytes(trace) == 48


def test_what_nodes_saved_before_recording_began_counts_from_the_start():
    trace = trace_of(network())
    memory = memory_over_time(trace)
    ops = sum(node.kind == "op" for node in trace.nodes)
    assert memory[0].saved == 16 * ops
    assert memory[-1].saved == 0
    falls = [a.saved - b.saved for a, b in pairwise(memory)]
    frees = {event.index for event in trace.events if event.kind == "free"}
    assert [16 if index in frees else 0 for index in range(1, len(memory))] == falls


def test_the_same_buffer_counts_once():
    x = mg.ones([100])
    x.stop_gradient = False
    with mg.record() as trace:
        y = x * x  # saves x twice, in one buffer
        y.sum().backward()
    memory = memory_over_time(trace)
    assert memory[0].saved == 400
    assert [one.saved for one in memory if one.saved not in (0, 400)] == []
    assert memory[-1].saved == 0


def test_agrees_with_the_state_at_every_event():
    trace = trace_of(network())
    memory = memory_over_time(trace)
    assert [one.total for one in memory] == [at(trace, i).memory for i in range(len(memory))]
    assert peak_bytes(trace) == max(one.total for one in memory) == trace.peak_bytes
    assert peak_bytes(trace_of({**chain(1), "events": [], "steps": [], "passes": []})) == 0
