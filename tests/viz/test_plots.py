from __future__ import annotations

import subprocess
import sys

import pytest
from matplotlib import pyplot as plt

import minigrad as mg
from minigrad.tracing.memory import memory_over_time
from minigrad.viz.plots import plot_gradients, plot_memory
from tests.tracing.example import network, trace_of


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def recorded():
    a = mg.to_tensor([3.0, 4.0], stop_gradient=False)
    b = mg.to_tensor([1.0], stop_gradient=False)
    c = mg.to_tensor([1.0], stop_gradient=False)
    with mg.record() as trace:
        ((a * mg.to_tensor([3.0, 4.0])).sum() + b * 1000.0 + c * float("inf")).sum().backward()
    return trace


def test_memory_ends_where_the_trace_does():
    trace = trace_of(network())
    ax = plot_memory(trace)
    assert ax.get_xlim() == (0, len(trace.events) - 1)
    assert trace.peak_bytes == 208
    assert ax.get_ylim()[1] > 208
    assert [text.get_text() for text in ax.texts] == ["peak 208 B"]
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["saved tensors", "gradient holders", "leaf gradients"]


def test_memory_is_stacked_by_what_holds_it():
    trace = trace_of(network())
    saved, holders, gradients = plot_memory(trace).collections
    memory = memory_over_time(trace)
    tops = [max(y for _, y in part.get_paths()[0].vertices) for part in (saved, holders, gradients)]
    assert tops[0] == max(one.saved for one in memory)
    assert tops[1] == max(one.saved + one.holders for one in memory)
    assert tops[2] == max(one.total for one in memory)


def test_gradients_by_leaf():
    ax = plot_gradients(recorded())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a.grad", "b.grad", "c.grad"]
    assert [bar.get_width() for bar in ax.patches] == [5.0, 1000.0, 0.0]
    assert [text.get_text().strip() for text in ax.texts] == ["nan"]
    assert ax.get_xscale() == "log"


def test_draws_where_it_is_told():
    _, ax = plt.subplots()
    trace = trace_of(network())
    assert plot_memory(trace, ax=ax) is ax
    assert plot_gradients(trace, ax=ax) is ax


def test_an_empty_trace():
    with mg.record() as trace:
        pass
    plot_memory(trace)
    plot_gradients(trace)


def test_matplotlib_is_imported_when_needed():
    code = "import sys, minigrad.viz.plots; print('matplotlib' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
