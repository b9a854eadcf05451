"""What keeps a graph alive, what ends it, and writing in place."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest

import minigrad as mg
from minigrad import errors


def leaf(value, dtype="float64"):
    return mg.to_tensor(value, dtype=dtype, stop_gradient=False)


@pytest.fixture
def no_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
def test_dropping_the_last_tensor_frees_the_graph_without_the_collector():
    x = leaf([1.0, 2.0])
    y = x
    middle = None
    for i in range(50):
        y = mg.tanh(y * y + x)
        if i == 25:
            middle = weakref.ref(y)
    y.register_hook(lambda g: g)
    assert middle() is None  # the graph keeps arrays, not tensors
    last = weakref.ref(y)
    node = weakref.ref(type("Probe", (), {})())
    del y, node
    assert last() is None


@pytest.mark.usefixtures("no_collector")
def test_leaf_is_freed_with_its_gradient():
    x = leaf([1.0])
    (x * x).sum().backward()
    x.retain_grads()
    gone = weakref.ref(x)
    del x
    assert gone() is None


def test_saved_arrays_are_dropped_by_backward():
    x = leaf(np.ones(3))
    y = x * x
    inner = weakref.ref(y.grad_fn.saved[0])
    assert inner() is not None
    y.sum().backward()
    assert y.grad_fn.saved is None


def test_a_deep_graph_meets_no_recursion():
    x = leaf(1.0)
    y = x
    for _ in range(200_000):
        y = y + 1.0
    y.backward()
    assert x.grad.item() == 1.0
    del y


def test_write_after_save_is_noticed_with_both_lines():
    a = leaf([2.0])
    b = a * 1
    c = b * b
    b.add_(mg.ones([1], dtype="float64"))
    with pytest.raises(errors.InplaceError) as caught:
        c.backward()
    text = str(caught.value)
    assert "version is 1, the expected version is 0" in text
    assert "c = b * b" in text
    assert "b.add_(" in text
    assert "clone()" in text


@pytest.mark.parametrize("share", [lambda b: b.detach(), lambda b: b.reshape([1, 1]).detach()])
def test_write_through_shared_memory_is_noticed(share):
    b = leaf([2.0]) * 1
    c = b * b
    with mg.no_grad():
        share(b).scale_(3.0)
    assert b.tolist() == [6.0]
    with pytest.raises(errors.InplaceError):
        c.backward()


def test_set_value_after_use_is_noticed():
    # PaddlePaddle 3.3.1 uses the new values without a word.
    a = leaf([2.0])
    c = a * a
    a.set_value(np.array([5.0]))
    with pytest.raises(errors.InplaceError):
        c.backward()


def test_write_where_nothing_was_saved_is_fine():
    a = leaf([1.0])
    b = a * 2
    b.add_(mg.ones([1], dtype="float64"))
    assert b.inplace_version == 1
    b.backward()
    assert a.grad.tolist() == [2.0]


def test_leaf_may_be_written_only_without_grad():
    a = leaf([1.0, 2.0])
    with pytest.raises(errors.InplaceError, match="Leaf Var"):
        a.add_(mg.ones([2], dtype="float64"))
    with pytest.raises(errors.InplaceError, match="Leaf Var"):
        a[0] = 5.0
    with mg.no_grad():
        a[0] = 5.0
    assert a.tolist() == [5.0, 2.0]
    assert a.inplace_version == 1


def test_setitem_cuts_the_old_value_and_feeds_the_new():
    x, v = leaf([1.0, 2.0, 3.0]), leaf(7.0)
    y = x * 2
    y[1] = v
    y.sum().backward()
    assert y.tolist() == [2.0, 7.0, 6.0]
    assert (x.grad.tolist(), v.grad.item()) == ([2.0, 0.0, 2.0], 1.0)


def test_in_place_on_a_view_with_a_graph_is_refused():
    # PaddlePaddle 3.3.1 changes the base and gives it the gradient of the old graph.
    base = leaf([1.0, 2.0]) * 1
    view = base.reshape([2, 1])
    with pytest.raises(errors.InplaceError, match="view"):
        view.scale_(3.0)
    assert base.tolist() == [1.0, 2.0]


def test_threads_have_their_own_mode():
    seen = []
    with mg.no_grad():
        thread = threading.Thread(target=lambda: seen.append(mg.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_modes_nest_and_decorate():
    @mg.no_grad()
    def inner():
        with mg.enable_grad():
            middle = mg.is_grad_enabled()
        return middle, mg.is_grad_enabled()

    assert inner() == (True, False)
    mg.set_grad_enabled(False)
    assert not mg.is_grad_enabled()
    mg.set_grad_enabled(True)
    with pytest.raises(TypeError):
        mg.set_grad_enabled(1)
    with mg.no_grad():
        out = leaf(1.0) * 2
    assert (out.stop_gradient, out.is_leaf, out.grad_fn) == (True, True, None)
