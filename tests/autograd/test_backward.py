"""backward: roots, seeds, freeing, the life of `.grad`. By hand, and as Paddle 3.3.1 does it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import minigrad as mg
from minigrad import errors


def leaf(value, dtype="float64"):
    return mg.to_tensor(value, dtype=dtype, stop_gradient=False)


@pytest.mark.parametrize("order", list(itertools.permutations("cde")))
def test_any_order_of_roots_gives_the_same_sums(order):
    a, b = leaf([1.0]), leaf([1.0])
    c = a + b
    d = c + c
    e = d + d
    roots, seeds = {"c": c, "d": d, "e": e}, {"c": 10.0, "d": 100.0, "e": 1000.0}
    c.retain_grads()
    d.retain_grads()
    mg.autograd.backward([roots[k] for k in order], [mg.to_tensor([seeds[k]]) for k in order])
    assert (a.grad.item(), b.grad.item()) == (4210.0, 4210.0)
    assert (c.grad.item(), d.grad.item()) == (4210.0, 2100.0)


def test_two_outputs_of_one_node_as_roots():
    # By hand: d(f*g + f + g)/dx with f = x[:2], g = x[2:].
    x = leaf([1.0, 2.0, 3.0, 4.0])
    f, g = mg.split(x, 2)
    mg.autograd.backward([f * g, f, g])
    assert x.grad.tolist() == [4.0, 5.0, 2.0, 3.0]


def test_leaf_as_root_accumulates_its_seed():
    a = leaf([1.0])
    a.backward()
    a.backward(mg.to_tensor([3.0], dtype="float64"))
    assert a.grad.tolist() == [4.0]


def test_root_that_stops_gradients_is_skipped():
    fixed, x = mg.to_tensor([1.0]), leaf([1.0])
    mg.autograd.backward([fixed, x * 2])
    assert x.grad.tolist() == [2.0]
    assert fixed.grad is None
    fixed.backward()
    assert fixed.grad is None


def test_seed_is_copied_and_cast():
    a = leaf([1.0, 2.0], "float32")
    seed = mg.to_tensor([3.0, 4.0], dtype="float64")
    a.backward(seed)
    (a * 1).backward()
    assert seed.tolist() == [3.0, 4.0]
    assert a.grad.dtype == "float32"
    assert a.grad.tolist() == [4.0, 5.0]


def z():
    x = leaf([1.0, 2.0])
    return x * 2


@pytest.mark.parametrize(
    "call, kind, word",
    [
        (lambda: mg.autograd.backward(None), TypeError, "None"),
        (lambda: mg.autograd.backward([]), ValueError, "empty"),
        (lambda: mg.autograd.backward([1]), TypeError, "must be Tensor"),
        (lambda: mg.autograd.backward(1), TypeError, "list of Tensor"),
        (lambda: mg.autograd.backward([t := z(), t]), ValueError, "duplicate"),
        (lambda: mg.autograd.backward([z(), z()], [mg.ones([2])]), ValueError, "length"),
        (lambda: mg.autograd.backward([z()], [1.0]), TypeError, "Tensor or None"),
        (lambda: mg.autograd.backward([z()], None, 1), TypeError, "retain_graph"),
        (lambda: mg.autograd.backward([z()], None, False, 1), TypeError, "create_graph"),
        (lambda: mg.autograd.backward([z()], [mg.ones([3])]), ValueError, "shape"),
        (lambda: z().backward(1.0), TypeError, "Tensor"),
        (lambda: z().backward(mg.ones([3])), ValueError, "return t|x \\* 2"),
    ],
)
def test_bad_arguments_are_refused(call, kind, word):
    with pytest.raises(kind, match=word) as caught:
        call()
    assert isinstance(caught.value, errors.MinigradError)


def test_second_backward_says_what_freed_the_graph_and_what_to_do():
    x = leaf([2.0])
    y = x * x
    y.backward()
    with pytest.raises(errors.GraphFreedError) as caught:
        y.backward()
    text = str(caught.value)
    assert "MultiplyGradNode" in text
    assert "y = x * x" in text  # the forward line
    assert "y.backward()" in text  # who freed it
    assert "retain_graph=True" in text
    assert x.grad.tolist() == [4.0]


@pytest.mark.parametrize("op", [lambda x: x + x, lambda x: x * 2, lambda x: x.reshape([1])])
def test_every_node_is_spent_also_one_that_saved_nothing(op):
    y = op(leaf([2.0]))
    y.backward()
    with pytest.raises(RuntimeError):
        y.backward()


def test_leaves_that_were_not_reached_are_untouched_by_an_error():
    x, w = leaf([2.0]), leaf([5.0])
    y = x * x
    (y * 1).backward()
    with pytest.raises(RuntimeError):
        (y * w * 1).backward()
    assert x.grad.tolist() == [4.0]


def test_grad_is_one_buffer_until_it_is_cleared():
    a = leaf([1.0])
    (a * 2).backward()
    held = a.grad
    (a * 3).backward()
    assert held.tolist() == [5.0]
    assert a.grad is held
    (a * 1).backward()
    assert held.tolist() == [6.0]
    a.clear_grad()
    assert a.grad.tolist() == held.tolist() == [0.0]
    (a * 4).backward()
    assert (a.grad.tolist(), held.tolist()) == ([4.0], [0.0])
    a.clear_gradient(False)
    assert a.grad is None


def test_two_leaves_never_share_a_gradient():
    # PaddlePaddle 3.3.1 lets a PyLayer's one gradient for two leaves be one buffer.
    x, y = leaf([1.0]), leaf([1.0])
    (x + y).backward()
    (x * 10).backward()
    with mg.no_grad():
        y.grad.add_(mg.to_tensor([100.0], dtype="float64"))
    (y * 1).backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([11.0], [102.0])


def test_array_assigned_to_grad_is_not_written_into():
    a = leaf([1.0])
    mine = mg.to_tensor([7.0], dtype="float64")
    other = mine.detach()
    a.grad = mine
    (a * 2).backward()
    (a * 2).backward()
    assert a.grad is mine
    assert mine.tolist() == [11.0]
    assert other.tolist() == [7.0]


def test_numpy_of_grad_is_a_copy():
    a = leaf([1.0])
    (a * 2).backward()
    a.grad.numpy()[0] = 99.0
    assert a.grad.tolist() == [2.0]


def test_create_graph_makes_gradients_of_gradients():
    x = leaf(2.0)
    (x * x * x).backward(create_graph=True)
    g = x.grad
    assert g.item() == 12.0
    x.clear_gradient(False)
    g.backward()
    assert x.grad.item() == 12.0


def test_zero_sized_and_zero_dimensional():
    x, w = leaf(np.zeros((0, 3))), leaf(np.ones((3, 2)))
    (x @ w).sum().backward()
    assert x.grad.shape == [0, 3]
    assert w.grad.tolist() == np.zeros((3, 2)).tolist()
    s = leaf(3.0)
    (s * s).backward()
    assert (s.grad.shape, s.grad.item()) == ([], 6.0)


def test_retained_grad_is_overwritten_and_sees_hooks_before_it():
    a = leaf([1.0])
    b = a * 3
    b.register_hook(lambda g: g * 10)
    b.retain_grads()
    b.backward(retain_graph=True)
    assert b.grad.tolist() == [10.0]
    b.backward()
    assert b.grad.tolist() == [10.0]
    assert a.grad.tolist() == [60.0]


def test_flips_of_stop_gradient():
    a = leaf([1.0])
    b = a * 2
    c = b * 3
    b.stop_gradient = True
    cut = b * 5
    assert cut.stop_gradient
    c.backward()
    assert a.grad.tolist() == [6.0]
    b.stop_gradient = False
    assert not (b * 5).stop_gradient
