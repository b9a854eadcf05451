"""Random shapes and dtypes. The oracle of values is NumPy; that of gradients counts who was used.

Where x was broadcast, `used_from` gives for each element of the result the number of the element
of x that it was made from. The gradient of x is what arrived, added up by that number.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import minigrad as mg
from minigrad import errors
from minigrad.ops import OPS

LOCAL = {  # for each op: NumPy's function, and d z / d x and d z / d y, element by element
    "add": (np.add, lambda x, y: (np.ones_like(x), np.ones_like(y))),
    "subtract": (np.subtract, lambda x, y: (np.ones_like(x), -np.ones_like(y))),
    "multiply": (np.multiply, lambda x, y: (y, x)),
    "divide": (np.divide, lambda x, y: (1 / y, -x / y**2)),
    "maximum": (np.maximum, lambda x, y: (1.0 * (x > y), 1.0 * (y > x))),
    "minimum": (np.minimum, lambda x, y: (1.0 * (x < y), 1.0 * (y < x))),
    "elementwise_pow": (np.power, lambda x, y: (y * x ** (y - 1), x**y * np.log(x))),
}
dtypes = st.sampled_from(["float32", "float64"])
shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
quick = settings(deadline=None, max_examples=40)


def pairs_of_shapes():
    return hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, min_side=0, max_side=4)


def numbers(seed, shape):
    return np.random.default_rng(seed).uniform(0.5, 2.0, shape)


def leaf(values, dtype="float64"):
    return mg.to_tensor(values, dtype=dtype, stop_gradient=False)


def used_from(shape, full):
    return np.broadcast_to(np.arange(np.prod(shape, dtype=int)).reshape(shape), full)


def gathered(shape, full, g):
    """The gradient of an operand of `shape`, from what arrived at a result of shape `full`."""
    count = int(np.prod(shape))
    return np.bincount(used_from(shape, full).ravel(), g.ravel(), count)[:count].reshape(shape)


@pytest.mark.parametrize("name", LOCAL)
@given(both=pairs_of_shapes(), kinds=st.tuples(dtypes, dtypes))
@quick
def test_elementwise(name, both, kinds):
    function, local = LOCAL[name]
    arrays = [numbers(n, shape) for n, shape in enumerate(both.input_shapes)]
    x, y = (leaf(a, kind) for a, kind in zip(arrays, kinds, strict=True))
    z = OPS[name](x, y)
    assert tuple(z.shape) == both.result_shape
    np.testing.assert_allclose(z.numpy(), function(*arrays), rtol=1e-5)
    g = numbers(2, both.result_shape)
    mg.autograd.backward(z, mg.to_tensor(g, dtype="float64"))
    wide = np.broadcast_arrays(*arrays)
    for tensor, kind, slope in zip((x, y), kinds, local(*wide), strict=True):
        assert str(tensor.grad.dtype) == kind
        expected = gathered(tuple(tensor.shape), both.result_shape, g * slope)
        np.testing.assert_allclose(tensor.grad.numpy(), expected, rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply"])
@given(both=pairs_of_shapes())
@quick
def test_the_second_backward_broadcasts_too(name, both):
    x, y = (leaf(numbers(n, shape)) for n, shape in enumerate(both.input_shapes))
    found = mg.grad(OPS[name](x * x, y * y), [x, y], create_graph=True)
    again = mg.grad([(f * f).sum() for f in found], [x, y])
    for tensor, first, second in zip((x, y), found, again, strict=True):
        assert tensor.shape == first.shape == second.shape


@given(shapes, shapes)
@quick
def test_shapes_that_do_not_fit_are_refused(a, b):
    try:
        np.broadcast_shapes(a, b)
    except ValueError:
        with pytest.raises(errors.ShapeError) as caught:
            _ = mg.zeros(list(a)) + mg.zeros(list(b))
        assert isinstance(caught.value, ValueError)
        assert f"float32{list(a)}, float32{list(b)}" in str(caught.value)
    else:
        assert tuple((mg.zeros(list(a)) + mg.zeros(list(b))).shape) == np.broadcast_shapes(a, b)


@given(
    three=hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, min_side=0, max_side=3),
    kinds=st.tuples(dtypes, dtypes),
)
@quick
def test_where(three, kinds):
    c, x, y = (numbers(n, shape) for n, shape in enumerate(three.input_shapes))
    tx, ty = leaf(x, kinds[0]), leaf(y, kinds[1])
    z = mg.where(mg.to_tensor(c > 1.2), tx, ty)
    np.testing.assert_allclose(z.numpy(), np.where(c > 1.2, x, y), rtol=1e-6)
    g = numbers(3, three.result_shape)
    mg.autograd.backward(z, mg.to_tensor(g, dtype="float64"))
    taken = np.broadcast_to(c > 1.2, three.result_shape)
    for tensor, share in ((tx, g * taken), (ty, g * ~taken)):
        expected = gathered(tuple(tensor.shape), three.result_shape, share)
        np.testing.assert_allclose(tensor.grad.numpy(), expected, rtol=1e-5, atol=1e-5)


@given(shape=shapes, extra=hnp.array_shapes(min_dims=0, max_dims=2, max_side=3), data=st.data())
@quick
def test_expand(shape, extra, data):
    full = [data.draw(st.integers(0, 3)) if n == 1 else n for n in shape]
    full = [*extra, *full]
    x = leaf(numbers(0, shape))
    z = mg.expand(x, full)
    np.testing.assert_array_equal(z.numpy(), np.broadcast_to(x.numpy(), full))
    g = numbers(1, full)
    z.backward(mg.to_tensor(g, dtype="float64"))
    np.testing.assert_allclose(x.grad.numpy(), gathered(shape, full, g))


@st.composite
def reductions(draw):
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3))
    rank = len(shape)
    some = st.lists(st.integers(-rank, rank - 1), unique_by=lambda a: a % rank) if rank else None
    axis = draw(st.none() | some if rank else st.none())
    return shape, axis, draw(st.booleans())


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min"])
@given(reduction=reductions(), kind=dtypes)
@quick
def test_reductions(name, reduction, kind):
    shape, axis, keepdim = reduction
    axes = tuple(axis) if axis else tuple(range(len(shape)))  # an empty list means all of them
    reduced = int(np.prod([shape[a] for a in axes]))
    assume(name == "sum" or reduced)
    values = numbers(0, shape)
    x = leaf(values, kind)
    z = getattr(mg, name)(x, axis=axis, keepdim=keepdim)
    expected = getattr(np, name)(values, axis=axes, keepdims=keepdim)
    assert (tuple(z.shape), str(z.dtype)) == (expected.shape, kind)
    np.testing.assert_allclose(z.numpy(), expected, rtol=1e-5)
    g = numbers(1, expected.shape)
    z.backward(mg.to_tensor(g, dtype=kind))
    kept = tuple(1 if i in {a % len(shape) for a in axes} else n for i, n in enumerate(shape))
    spread = np.broadcast_to(g.reshape(kept), shape)
    if name == "mean":
        spread = spread / reduced
    elif name != "sum":
        spread = spread * (values == np.broadcast_to(expected.reshape(kept), shape))
    np.testing.assert_allclose(x.grad.numpy(), spread, rtol=1e-5)


@given(
    shapes=hnp.mutually_broadcastable_shapes(
        signature="(m?,k),(k,n?)->(m?,n?)", max_dims=2, min_side=0, max_side=3
    )
)
@quick
def test_matmul(shapes):
    a, b = (numbers(n, shape) for n, shape in enumerate(shapes.input_shapes))
    x, y = leaf(a), leaf(b)
    z = mg.matmul(x, y)
    np.testing.assert_allclose(z.numpy(), np.matmul(a, b), rtol=1e-10)
    g = numbers(2, shapes.result_shape)
    z.backward(mg.to_tensor(g, dtype="float64"))
    # d(sum(g z)) is linear in each operand: along any direction d it changes by sum(g (d @ y)).
    d = numbers(3, a.shape)
    assert np.isclose((x.grad.numpy() * d).sum(), (g * np.matmul(d, b)).sum())
    d = numbers(4, b.shape)
    assert np.isclose((y.grad.numpy() * d).sum(), (g * np.matmul(a, d)).sum())
    assert (x.grad.shape, y.grad.shape) == (x.shape, y.shape)


@given(st.data(), hnp.array_shapes(max_dims=3, max_side=4))
@quick
def test_indexing(data, shape):
    index = data.draw(
        hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True)
        | hnp.integer_array_indices(shape)
        | hnp.arrays(bool, shape)
    )
    values = numbers(0, shape)
    x = leaf(values)
    z = x[index]
    np.testing.assert_array_equal(z.numpy(), values[index])
    g = numbers(1, values[index].shape)
    z.backward(mg.to_tensor(g, dtype="float64"))
    expected = np.zeros(shape)
    np.add.at(expected, index, g)
    np.testing.assert_allclose(x.grad.numpy(), expected)
