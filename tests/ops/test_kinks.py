"""Gradients where there is no derivative, and values at the edge: what minigrad has decided."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as mg
from minigrad.ops import OPS


def gradient(function, value):
    x = mg.to_tensor(value, dtype="float64", stop_gradient=False)
    (found,) = mg.grad(function(x), x)
    return found.tolist()


@pytest.mark.parametrize("name", ["relu", "abs", "sign", "floor"])
def test_zero_at_zero(name):
    assert gradient(OPS[name], [0.0]) == [0.0]


def test_extremes_share_among_ties():
    for name in ("max", "amax"):
        assert gradient(OPS[name], [1.0, 3.0, 3.0, 3.0]) == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])
    for name in ("min", "amin"):
        assert gradient(OPS[name], [1.0, 1.0, 3.0, 2.0]) == [0.5, 0.5, 0.0, 0.0]
    assert gradient(lambda x: mg.max(x, axis=1), [[2.0, 2.0], [1.0, 0.0]]) == [[0.5, 0.5], [1, 0]]


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_two_that_are_equal_get_half_each(name):
    x = mg.to_tensor([2.0, 2.0], stop_gradient=False)
    y = mg.to_tensor([2.0, 2.0], stop_gradient=False)
    gx, gy = mg.grad(OPS[name](x, y), [x, y])
    assert gx.tolist() == gy.tolist() == [0.5, 0.5]


def test_powers_at_zero():
    assert gradient(lambda x: x**2, [0.0]) == [0.0]
    assert gradient(lambda x: x**1, [0.0]) == [1.0]
    assert gradient(lambda x: x**0, [0.0]) == [0.0]
    x = mg.to_tensor([0.0, 0.0, 0.0], dtype="float64", stop_gradient=False)
    y = mg.to_tensor([0.0, 1.0, 2.0], dtype="float64", stop_gradient=False)
    gx, gy = mg.grad(x**y, [x, y])
    assert gx.tolist() == [0.0, 1.0, 0.0]
    assert gy.tolist() == [0.0, 0.0, 0.0]


def test_second_derivative_of_a_square_at_zero():
    x = mg.to_tensor([0.0], dtype="float64", stop_gradient=False)
    (g,) = mg.grad(x**2, x, create_graph=True)
    assert mg.grad(g, x)[0].tolist() == [2.0]


def test_a_negative_base_has_a_gradient():
    x = mg.to_tensor([-3.0], dtype="float64", stop_gradient=False)
    (g,) = mg.grad(x ** mg.to_tensor([2.0], dtype="float64"), x)
    assert g.tolist() == [-6.0]


def test_the_square_root_is_infinitely_steep_at_zero():
    with np.errstate(divide="ignore"):
        assert gradient(mg.sqrt, [0.0]) == [np.inf]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", ["sigmoid", "tanh", "softmax", "log_softmax"])
def test_large_numbers_do_not_overflow(name, dtype):
    x = mg.to_tensor([-3e4, -1.0, 0.0, 3e4], dtype=dtype, stop_gradient=False)
    out = OPS[name](x)
    (g,) = mg.grad(out, x)
    assert np.isfinite(out.numpy()).all()
    assert np.isfinite(g.numpy()).all()


def test_where_keeps_the_side_not_taken_out_of_the_gradient():
    x = mg.to_tensor([0.0, 4.0], dtype="float64", stop_gradient=False)
    safe = mg.where(x > 0, x, mg.ones_like(x))
    (g,) = mg.grad(mg.where(x > 0, mg.sqrt(safe), mg.zeros_like(x)), x)
    assert g.tolist() == [0.0, 0.25]


def test_a_cast_to_whole_numbers_stops_the_gradient():
    x = mg.to_tensor([1.7], stop_gradient=False)
    assert mg.cast(x, "int64").stop_gradient
    assert mg.cast(x, "bool").stop_gradient
    y = mg.cast(x, "float64")
    assert not y.stop_gradient
    (g,) = mg.grad(y * 3, x)
    assert (str(g.dtype), g.tolist()) == ("float32", [3.0])


def test_repeated_places_add_up():
    assert gradient(lambda x: x[[0, 0, 2]], [1.0, 2.0, 3.0]) == [2.0, 0.0, 1.0]
