"""PyLayer: what goes in and out. Behaviour as Paddle 3.3.1, or right where that crashes."""

from __future__ import annotations

import pytest

import minigrad as mg
from minigrad import errors


def leaf(value, dtype="float64"):
    return mg.to_tensor(value, dtype=dtype, stop_gradient=False)


def layer(forward, backward):
    return type(
        "Mine",
        (mg.autograd.PyLayer,),
        {"forward": staticmethod(forward), "backward": staticmethod(backward)},
    )


def keep(ctx, x):
    ctx.save_for_backward(x)
    return x * x


def double(ctx, g):
    (x,) = ctx.saved_tensor()
    return g * 2 * x


def test_first_and_second_order():
    x = leaf(3.0)
    (g,) = mg.grad(layer(keep, double).apply(x), x, create_graph=True)
    (h,) = mg.grad(g, x)
    assert (g.item(), h.item()) == (6.0, 2.0)


def test_second_backward_is_a_clear_error_and_retained_works():
    x = leaf(3.0)
    y = layer(keep, double).apply(x)
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 12.0
    with pytest.raises(errors.GraphFreedError, match="GradNodePyLayer_Mine"):
        y.backward()


def test_forward_runs_without_grad_and_output_follows_inputs():
    modes = []

    def forward(ctx, x, y):
        modes.append(mg.is_grad_enabled())
        return x + y

    made = layer(forward, lambda ctx, g: (g, g))
    assert made.apply(mg.to_tensor(1.0), mg.to_tensor(1.0)).stop_gradient
    assert not made.apply(mg.to_tensor(1.0), leaf(1.0, "float32")).stop_gradient
    assert modes == [False, False]


def test_keyword_and_list_arguments():
    def forward(ctx, scale, pair, x=None):
        return pair[0] * scale + pair[1] + x

    def backward(ctx, g):
        return (g * 3, g), g * 5

    a, b, x = leaf(1.0), leaf(1.0), leaf(1.0)
    layer(forward, backward).apply(3, [a, b], x=x).backward()
    assert (a.grad.item(), b.grad.item(), x.grad.item()) == (3.0, 1.0, 5.0)


def test_undefined_output_gradient_is_zeros_or_none():
    for materialize, expected in ((True, [0.0]), (False, [None])):
        seen = []

        def forward(ctx, x, materialize=materialize):
            ctx.set_materialize_grads(materialize)
            return x * 1, x * 2

        def backward(ctx, g, h, seen=seen):
            seen.append(None if h is None else h.item())
            return g

        x = leaf(1.0)
        first, _ = layer(forward, backward).apply(x)
        first.backward()
        assert seen == expected
        assert x.grad.item() == 1.0


@pytest.mark.parametrize(
    "answer, word",
    [
        (lambda g: (g, g), "should be 1, but received 2"),
        (lambda g: 5, "got int"),
        (lambda g: mg.ones([3], dtype="float64"), r"shape \[3\]"),
        (lambda g: [g], "got list"),
    ],
)
def test_bad_gradients_are_refused_with_the_forward_line(answer, word):
    x = leaf([1.0, 2.0])
    y = layer(lambda ctx, x: x * 2, lambda ctx, g: answer(g)).apply(x)
    with pytest.raises(errors.GradientError, match=word) as caught:
        y.backward()
    assert "y = layer(" in str(caught.value)
    assert x.grad is None


def test_gradient_for_an_input_that_stops_gradients_is_refused():
    y = layer(lambda ctx, x, y: x * y, lambda ctx, g: (g, g)).apply(leaf(1.0), mg.to_tensor(1.0))
    with pytest.raises(ValueError, match="should return None at 1 position"):
        y.backward()


def test_one_gradient_for_two_leaves_is_two_gradients():
    made = layer(lambda ctx, x, y: x + y, lambda ctx, g: (g, g))
    x, y = leaf([1.0]), leaf([1.0])
    made.apply(x, y).backward()
    (x * 10).backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([11.0], [1.0])


def test_returned_and_kept_gradient_does_not_change():
    kept = []

    def backward(ctx, g):
        kept.append(g * 1)
        return kept[0]

    x = leaf([1.0])
    y = layer(lambda ctx, x: x * 1, backward).apply(x)
    (y + x * 3).backward()
    (x * 1).backward()
    assert kept[0].tolist() == [1.0]
    assert x.grad.tolist() == [5.0]


def test_dtype_of_a_returned_gradient_is_the_inputs():
    x = leaf([1.0], "float32")
    layer(lambda ctx, x: x * 1, lambda ctx, g: g.astype("float64")).apply(x).backward()
    assert x.grad.dtype == "float32"


def test_saved_tensor_written_in_place_is_noticed():
    a = leaf([2.0])
    x = a * 1
    y = layer(keep, double).apply(x)
    x.scale_(5.0)
    with pytest.raises(errors.InplaceError, match="version is 1"):
        y.backward()


def test_in_place_and_not():
    made = layer(lambda ctx, x: x, lambda ctx, g: g * 3)
    x = leaf([2.0])
    with pytest.raises(errors.InplaceError, match="Leaf Var"):
        made.apply(x)
    b = x * 1
    assert made.apply(b) is b
    b.backward()
    assert x.grad.tolist() == [3.0]

    def untouched(ctx, x):
        ctx.mark_not_inplace(x)
        return x

    x.clear_gradient(False)
    layer(untouched, lambda ctx, g: g * 3).apply(x).backward()
    assert x.grad.tolist() == [3.0]


def test_no_tensor_out_and_missing_methods():
    with pytest.raises(ValueError, match="At least one output"):
        layer(lambda ctx, x: None, double).apply(leaf(1.0))

    class Empty(mg.autograd.PyLayer):
        pass

    with pytest.raises(NotImplementedError, match="forward"):
        Empty.apply(leaf(1.0))


def test_once_differentiable_has_no_second_order():
    x = leaf(3.0)
    made = layer(keep, mg.autograd.once_differentiable(double))
    (g,) = mg.grad(made.apply(x), x, create_graph=True)
    with pytest.raises(ValueError, match="does not appear"):
        mg.grad(g, x)
