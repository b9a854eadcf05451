"""gradcheck and gradgradcheck: they find wrong rules, say where, and leave everything as it was."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as mg
from minigrad import errors
from minigrad.autograd import gradcheck, gradgradcheck


def leaf(value, dtype="float64"):
    return mg.to_tensor(value, dtype=dtype, stop_gradient=False)


class WrongSquare(mg.autograd.PyLayer):
    """x * x, with a gradient that is wrong where x is negative."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensor()
        return g * 2 * mg.abs(x)


class ForgetsItsGraph(mg.autograd.PyLayer):
    """x * x, with a right gradient that cannot be differentiated again."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensor()
        return g * 2 * x.detach()


def test_right_gradients_pass():
    x, y = leaf([[1.0, -2.0], [0.5, 3.0]]), leaf([0.3, -0.7])
    assert gradcheck(lambda x, y: (x * y).tanh(), [x, y])
    assert gradgradcheck(lambda x, y: (x * y).tanh(), [x, y])


def test_a_wrong_rule_is_found_and_the_element_named():
    x = leaf([[1.0, 2.0], [3.0, -4.0]])
    with pytest.raises(errors.GradientError) as caught:
        gradcheck(lambda scale, x: WrongSquare.apply(x) * scale, [10.0, x])
    text = str(caught.value)
    assert "d output 0[1, 1] / d input 1[1, 1]" in text
    assert "backward gives 80, finite differences give -80" in text
    assert "1 of 16 derivatives" in text
    assert "test_check.py" in text
    assert "try:" in text
    assert isinstance(caught.value, ValueError)


def test_a_number_without_axes_has_no_index():
    with pytest.raises(errors.GradientError, match=r"d output 0 / d input 0\.\n"):
        gradcheck(WrongSquare.apply, leaf(-1.0))


def test_a_gradient_without_a_graph_is_found_at_second_order_only():
    x = leaf([1.0, 2.0])
    assert gradcheck(ForgetsItsGraph.apply, x)
    with pytest.raises(errors.GradientError, match="gradgradcheck found"):
        gradgradcheck(ForgetsItsGraph.apply, x)


def test_returns_false_when_asked_not_to_raise():
    assert gradcheck(WrongSquare.apply, leaf([-1.0]), raise_exception=False) is False
    assert gradgradcheck(ForgetsItsGraph.apply, leaf([1.0]), raise_exception=False) is False


def test_tolerances():
    assert gradcheck(WrongSquare.apply, leaf([-1e-3]), atol=1e-2)
    assert not gradcheck(WrongSquare.apply, leaf([-1e-3]), raise_exception=False)
    assert gradcheck(WrongSquare.apply, leaf([-1.0]), rtol=3.0)


@pytest.mark.parametrize("dtype", ["float32", "int64"])
@pytest.mark.parametrize("check", [gradcheck, gradgradcheck])
def test_only_float64_is_checked(check, dtype):
    with pytest.raises(errors.DtypeError, match=f"input 1 is {dtype}") as caught:
        check(lambda x, y: x * y, [leaf([1.0]), leaf([1.0], dtype)])
    assert isinstance(caught.value, TypeError)
    assert "dtype='float64'" in str(caught.value)


def test_inputs_that_stop_gradients_may_have_any_dtype():
    numbers = mg.to_tensor([1, 0])
    assert gradcheck(lambda x, i: x[i], [leaf([1.0, 2.0]), numbers])


def test_nothing_to_check_is_an_error():
    with pytest.raises(errors.ArgumentValueError, match="no input"):
        gradcheck(lambda x: x, mg.to_tensor([1.0], dtype="float64"))
    with pytest.raises(errors.ArgumentValueError, match="every output stops gradients"):
        gradcheck(lambda x: x.detach(), leaf([1.0]))
    with pytest.raises(errors.ArgumentValueError, match="every output stops gradients"):
        gradgradcheck(lambda x: x.detach(), leaf([1.0]))
    with pytest.raises(errors.ArgumentTypeError, match="returned float"):
        gradcheck(lambda x: x.item(), leaf([1.0]))


def test_several_outputs_of_which_some_have_no_gradient():
    def function(x):
        return [x * 2, mg.argmax(x), x.detach(), x * x]

    assert gradcheck(function, leaf([1.0, 3.0]))
    assert gradgradcheck(function, leaf([1.0, 3.0]))
    with pytest.raises(errors.GradientError, match="d output 1"):
        gradcheck(lambda x: (x * 2, WrongSquare.apply(x)), leaf([-1.0]))


def test_an_input_may_be_used_through_a_closure_or_twice():
    w = leaf([-2.0])
    assert gradcheck(lambda _: w * w, w)
    assert not gradcheck(lambda _: WrongSquare.apply(w), w, raise_exception=False)
    assert gradcheck(lambda a, b: a * b, [w, w])


def test_everything_is_left_as_it_was():
    x = leaf([1.0, 2.0])
    x.grad = mg.to_tensor([7.0, 8.0], dtype="float64")
    inner = x * 3
    kept, memory, version = x.grad, x._data, x.inplace_version
    assert gradcheck(lambda y: y * y, inner)
    assert gradgradcheck(lambda y: y * y, x)
    assert not gradcheck(lambda y: WrongSquare.apply(-y), x, raise_exception=False)
    with pytest.raises(ZeroDivisionError):
        gradcheck(lambda y: y * (1 if memory is y._data else 1 / 0), x)
    assert x._data is memory
    assert (x.tolist(), inner.tolist()) == ([1.0, 2.0], [3.0, 6.0])
    assert x.inplace_version == version
    assert x.grad is kept
    assert kept.tolist() == [7.0, 8.0]
    inner.sum().backward()
    assert x.grad.tolist() == [10.0, 11.0]


def test_works_under_no_grad():
    with mg.no_grad():
        assert gradcheck(lambda x: x * x, leaf([1.0]))
        assert gradgradcheck(lambda x: x * x, leaf([1.0]))
        assert not mg.is_grad_enabled()


def test_the_seeds_of_gradgradcheck_can_be_given():
    seed = mg.to_tensor([0.0, 5.0], dtype="float64")
    cube = lambda x: ForgetsItsGraph.apply(x)  # noqa: E731, PLW0108
    x = leaf([1.0, 2.0])
    with pytest.raises(errors.GradientError, match=r"d output 0\[1\] / d input 0\[1\]") as caught:
        gradgradcheck(cube, x, grad_outputs=seed)
    assert "finite differences give 10" in str(caught.value)
    with pytest.raises(errors.DtypeError):
        gradgradcheck(cube, x, grad_outputs=mg.ones([2], dtype="float32"))


@pytest.mark.parametrize("shape", [(), (0,), (2, 0)])
def test_shapes_without_axes_or_elements(shape):
    x = leaf(np.full(shape, 2.0))
    assert gradcheck(lambda x: x * x, x)
    assert gradgradcheck(lambda x: x * x, x)
