"""grad(): pruned, leaves alone, never spends the graph. By hand; torch gives the same."""

from __future__ import annotations

import pytest

import minigrad as mg
from minigrad import errors


def leaf(value, dtype="float64"):
    return mg.to_tensor(value, dtype=dtype, stop_gradient=False)


def values(gradients):
    return [None if g is None else g.item() for g in gradients]


@pytest.mark.parametrize(
    "names", ["a", "c", "d", "e", "ac", "cd", "dc", "ce", "ec", "cde", "ae", "abcde"]
)
def test_interior_roots_that_are_inputs_too(names):
    # PaddlePaddle 3.3.1 loses seeds here; the right answers are a = b = c = 7, d = 3, e = 1.
    a, b = leaf(1.0), leaf(1.0)
    c = a + b
    d = c + c
    e = d + d
    tensors = {"a": a, "b": b, "c": c, "d": d, "e": e}
    right = {"a": 7.0, "b": 7.0, "c": 7.0, "d": 3.0, "e": 1.0}
    found = mg.grad([e, c, d], [tensors[n] for n in names])
    assert values(found) == [right[n] for n in names]


def test_graph_can_be_used_again_and_grad_stays_none():
    x = leaf(3.0)
    y = x * x
    assert values(mg.grad(y, x)) == [6.0]
    assert values(mg.grad(y, x)) == [6.0]
    assert x.grad is None
    y.backward()
    assert x.grad.item() == 6.0


def test_hooks_of_interior_tensors_run_and_those_of_leaves_do_not():
    x = leaf(2.0)
    y = x * 2
    y.register_hook(lambda g: g * 7)
    x.register_hook(lambda g: g * 10)
    assert values(mg.grad(y * 2, x)) == [28.0]
    assert values(mg.grad(y * 2, y)) == [14.0]


def test_unused_inputs():
    x, w = leaf(1.0), leaf(1.0)
    with pytest.raises(errors.UnusedInputError, match="1-th input does not appear"):
        mg.grad(x * 2, [x, w])
    assert values(mg.grad(x * 2, [w, x], allow_unused=True)) == [None, 2.0]
    with pytest.raises(ValueError, match="stops gradients"):
        mg.grad(x * 2, mg.to_tensor(1.0))


def test_no_grad_vars_cut_the_way():
    x = leaf(2.0)
    y = x * x
    z = y * x
    assert values(mg.grad(z, x, retain_graph=True)) == [12.0]
    assert values(mg.grad(z, x, no_grad_vars=[y])) == [4.0]
    with pytest.raises(ValueError, match="does not appear"):
        mg.grad(y * 3, x, no_grad_vars=y)


def test_higher_orders():
    x = leaf(2.0)
    found = []
    g = x * x * x
    for _ in range(3):
        (g,) = mg.grad(g, x, create_graph=True)
        found.append(g.item())
    assert found == [12.0, 12.0, 6.0]
    with pytest.raises(ValueError, match="does not appear"):
        mg.grad(g, x)  # 6 does not depend on x


def test_gradient_penalty():
    # d/dw sum((d/dx sum(w x^2))^2) = d/dw sum(4 w^2 x^2) = 8 w x^2
    x, w = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    (g,) = mg.grad(w * x * x, x, create_graph=True)
    (g * g).sum().backward()
    assert w.grad.tolist() == [24.0, 128.0]


def test_grad_outputs_and_the_gradient_with_respect_to_them():
    x = leaf([1.0, 2.0])
    seed = leaf([10.0, 100.0])
    (g,) = mg.grad(x * x, x, grad_outputs=seed, create_graph=True)
    assert g.tolist() == [20.0, 400.0]
    (h,) = mg.grad(g, seed)
    assert h.tolist() == [2.0, 4.0]


def test_grad_inside_hooks():
    x, w = leaf(3.0), leaf(4.0)
    seen = []
    y = x * 2
    y.register_hook(lambda g: seen.extend(values(mg.grad(w * w, w))))
    mg.grad(y, x)
    y.backward()
    assert seen == [8.0, 8.0]


@pytest.mark.parametrize(
    "call, kind, word",
    [
        (lambda x: mg.grad(x, []), ValueError, "inputs cannot be empty"),
        (lambda x: mg.grad(x, None), TypeError, "inputs should not be None"),
        (lambda x: mg.grad(x, x, only_inputs=False), ValueError, "only_inputs"),
        (lambda x: mg.grad(x, x, create_graph=1), TypeError, "create_graph"),
        (lambda x: mg.grad(x, x, allow_unused=2), TypeError, "allow_unused"),
        (lambda x: mg.grad(x, x, no_grad_vars=3), TypeError, "no_grad_vars"),
        (lambda x: mg.grad(x, [x, x]), ValueError, "duplicate"),
        (lambda x: mg.grad(x, x, grad_outputs=[mg.ones([2])]), ValueError, "shape"),
    ],
)
def test_bad_arguments_are_refused(call, kind, word):
    with pytest.raises(kind, match=word) as caught:
        call(leaf(1.0))
    assert isinstance(caught.value, errors.MinigradError)
