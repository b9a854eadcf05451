from __future__ import annotations

from contextlib import suppress

import minigrad as mg
from minigrad.viz.measure import columns
from minigrad.viz.text import table
from tests.tracing.example import add, backward, chain, leaf, network, three_roots, trace_of

THREE_ROOTS = """\
backward of e, c, d
8 steps, 5 nodes, at most 48 B held

step  node       gradient it receives  what it sends           ready queue after
────  ─────────  ────────────────────  ──────────────────────  ─────────────────
   1  seed add3  1, your seed for e
   2  seed add1  1, your seed for c    waits for 2 more
   3  seed add2  1, your seed for d    waits for 2 more        add3
   4  add3       1                     1 → add2 twice          add2
   5  add2       1 + 1 + 1 = 3         3 → add1 twice          add1
   6  add1       1 + 3 + 3 = 7         7 → a.grad, 7 → b.grad  b.grad, a.grad
   7  b.grad     7                     b.grad = 7              a.grad
   8  a.grad     7                     a.grad = 7"""


def test_three_roots():
    assert table(trace_of(three_roots())) == THREE_ROOTS


def test_fits_a_terminal_whatever_is_in_it():
    nodes = [leaf("a_very_long_name_" * 4)]
    nodes += [add("变量" * 20, "f" * 90, [[i, 0], [0, 0], [i, 0]]) for i in range(4)]
    record = backward(nodes, [[4, 0]])
    record["title"] = "\x1b[31mred\n" * 30
    text = table(trace_of(record))
    assert all(columns(line) <= 120 for line in text.splitlines())
    assert "\x1b" not in text
    assert len(text.splitlines()) == 5 + len(record["steps"])


def test_columns_are_aligned_under_wide_characters():
    record = backward([leaf("参数"), add("y", "x", [[0, 0]])], [[1, 0]])
    lines = table(trace_of(record)).splitlines()[3:]
    seed = next(line for line in lines if "1, your" in line)
    leaf_row = next(line for line in lines if "参数.grad = 1" in line)
    heading = columns(lines[0][: lines[0].index("what it sends")])
    assert columns(seed[: seed.index("1, your")]) == lines[0].index("gradient")
    assert columns(leaf_row[: leaf_row.rindex("参数.grad")]) == heading


def test_all_steps_of_long_traces():
    assert len(table(trace_of(chain(500))).splitlines()) == 5 + 502


def test_many_contributions_are_counted():
    text = table(trace_of(backward([leaf("x"), add("y", "x", [[0, 0]] * 7)], [[1, 0]])))
    assert "1 + 1 + … (7 in all) = 7" in text
    assert "1 → x.grad 7 times" in text


def test_large_arrays_have_a_norm():
    x = mg.ones([3, 4])
    x.stop_gradient = False
    with mg.record() as trace:
        (x * mg.arange(12, dtype="float32").reshape([3, 4])).sum().backward()
    assert "3×4, norm 22.49" in table(trace)


def test_one_number_is_not_taken_for_a_shape():
    x = mg.arange(30, dtype="float32")
    x.stop_gradient = False
    with mg.record() as trace:
        (x * x).sum().backward()
    assert "x.grad = 30 numbers" in table(trace)


def test_hooks_cleared_and_added_gradients_and_several_passes():
    def double(g):
        return g * 2.0

    x = mg.to_tensor([3.0], stop_gradient=False)
    y = x * 5.0
    y.register_hook(double)
    with mg.record() as trace:
        y.backward(retain_graph=True)
        y.backward(retain_graph=True)
        mg.grad(y, [x])
    text = table(trace)
    assert "1; hook double makes it 2" in text
    assert "x.grad = 10\n" in text
    assert "x.grad = 20 (was 10)" in text
    assert "nothing: it was asked for" in text
    assert [line for line in text.splitlines() if line.startswith("──")][1:] == [
        "── pass 1 of 3: backward of y",
        "── pass 2 of 3: backward of y",
        "── pass 3 of 3: grad of y",
    ]


def test_errors_are_told():
    def fail(g):
        raise ValueError("no such thing")

    x = mg.to_tensor([3.0], stop_gradient=False)
    y = x * 5.0
    y.register_hook(fail)
    with mg.record() as trace, suppress(ValueError):
        y.backward()
    assert "ValueError: no such thing" in table(trace)


def test_the_shortest_pass_has_more_than_five_lines():
    x = mg.to_tensor(3.0, stop_gradient=False)
    with mg.record() as trace:
        x.backward()
    assert len(str(trace).splitlines()) > 5


def test_without_a_pass_the_ops():
    x = mg.ones([2, 3])
    x.stop_gradient = False
    with mg.record() as trace:
        y = x * x  # noqa: F841 (its name is shown)
    assert "no backward pass, 1 op" in str(trace)
    assert "y = x * x" in str(trace)
    assert "float32[2, 3]" in str(trace)


def test_saved_tensors_count():
    assert "at most 160 B held" in table(trace_of(network(2)))
