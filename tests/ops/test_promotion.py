"""Which dtypes meet, and in which dtype: what Paddle 3.3.1 gives for `x + y`, pair by pair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import minigrad as mg
from minigrad import errors
from minigrad.ops import OPS

WHOLE = ["uint8", "int8", "int16", "int32", "int64"]
FLOATING = ["float16", "bfloat16", "float32", "float64"]
DTYPES = ["bool", *WHOLE, *FLOATING]
PROMOTING = [name for name, op in OPS.items() if op.promotes and name != "where"]

every_pair = pytest.mark.parametrize("a,b", list(itertools.product(DTYPES, DTYPES)))

# Of two tensors with axes, only floating ones promote: to the one further down, with one exception.
WIDER = {
    ("float16", "bfloat16"): "float32",
    ("float16", "float32"): "float32",
    ("bfloat16", "float32"): "float32",
    ("float16", "float64"): "float64",
    ("bfloat16", "float64"): "float64",
    ("float32", "float64"): "float64",
}

# Of two tensors without axes, the higher kind wins; integers meet where both have room.
ROOMY = {
    ("uint8", "int8"): "int16",
    ("uint8", "int16"): "int16",
    ("int8", "int16"): "int16",
    **{(a, "int32"): "int32" for a in ("uint8", "int8", "int16")},
    **{(a, "int64"): "int64" for a in ("uint8", "int8", "int16", "int32")},
}


def kind(name):
    return 0 if name == "bool" else 1 if name in WHOLE else 2


def known(table, a, b):
    return a if a == b else table.get((a, b)) or table.get((b, a))


def tensor(dtype, shape=(2,)):
    return mg.ones(shape, "float32").astype(dtype)


@every_pair
def test_two_tensors_with_axes(a, b):
    expected = known(WIDER, a, b)
    if expected is not None:
        assert (tensor(a) + tensor(b)).dtype == expected
        return
    with pytest.raises(errors.DtypeError, match="Type promotion only support") as caught:
        _ = tensor(a) + tensor(b)
    assert isinstance(caught.value, TypeError)
    for part in (a, b, f"astype('{a}')", "test_promotion.py"):
        assert part in str(caught.value)


@every_pair
def test_a_tensor_without_axes_adapts(a, b):
    expected = b if kind(b) > kind(a) else a
    assert (tensor(a) + tensor(b, ())).dtype == expected
    assert (tensor(b, ()) + tensor(a)).dtype == expected


@every_pair
def test_two_tensors_without_axes(a, b):
    higher = a if kind(a) > kind(b) else b
    expected = known(WIDER | ROOMY, a, b) if kind(a) == kind(b) else higher
    assert (tensor(a, ()) + tensor(b, ())).dtype == expected


@pytest.mark.parametrize("name", PROMOTING)
def test_every_op_that_promotes_does(name):
    op = OPS[name]
    out = op(tensor("float32"), tensor("float64"))
    assert out.dtype == op(tensor("float64"), tensor("float64")).dtype
    with pytest.raises(errors.DtypeError):
        op(tensor("float32"), tensor("int64"))


def test_where_promotes_its_branches_and_not_its_condition():
    out = mg.where(tensor("bool"), tensor("float32"), tensor("float64"))
    assert out.dtype == "float64"


@pytest.mark.parametrize("a,b", list(itertools.product(FLOATING, FLOATING)))
def test_gradients_come_back_in_the_dtype_of_the_leaf(a, b):
    x, y = tensor(a), tensor(b)
    x.stop_gradient = y.stop_gradient = False
    (x * y * 2).sum().backward()
    assert (str(x.grad.dtype), str(y.grad.dtype)) == (a, b)
    assert x.grad.tolist() == y.grad.tolist() == [2.0, 2.0]
    again = mg.grad(x * y, [x, y], create_graph=True)
    assert [str(g.dtype) for g in again] == [a, b]


def test_a_promotion_is_a_cast_in_the_graph():
    x, y = tensor("float32"), tensor("float64")
    x.stop_gradient = y.stop_gradient = False
    names = [node.name() for node in (x + y).grad_fn.next_functions]
    assert names == ["CastGradNode", "GradNodeAccumulation"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_python_numbers_adapt(dtype):
    x = tensor(dtype)
    whole = "int64" if dtype == "bool" else dtype
    fraction = dtype if dtype in FLOATING else "float32"
    for out in (x + 2, 2 + x, x * 2, 2 * x, 2 - x, x - 2):
        assert out.dtype == whole
    for out in (x + 1.5, 1.5 * x, x / 2, 2 / x, x / 1.5, x**0.5):
        assert out.dtype == fraction


@pytest.mark.parametrize("number", [np.float64(1.5), np.float32(1.5), np.int64(2)])
def test_numpy_numbers_adapt_too(number):
    x = tensor("float32")
    for out in (x + number, number + x, x * number, number * x, x - number, x / number):
        assert out.dtype == "float32"


def test_matmul_of_different_dtypes():
    x, y = tensor("float32", (2, 2)), tensor("float64", (2, 2))
    assert (x @ y).tolist() == [[2.0, 2.0], [2.0, 2.0]]
    with pytest.raises(errors.DtypeError):
        _ = x @ tensor("int64", (2, 2))
