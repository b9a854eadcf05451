"""Every op on other backends: strict, where only what the array standard has runs, and CuPy."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as mg
from minigrad import backend, errors
from minigrad.autograd import gradcheck, gradgradcheck
from tests.backend.strict_backend import StrictBackend
from tests.ops.running import call, gradients, tensors
from tests.ops.test_every_op import every_example, every_flowing_example

every_place = pytest.mark.parametrize(
    "place", ["strict", pytest.param("cupy", marks=pytest.mark.gpu)]
)


def test_it_refuses_what_is_not_in_the_standard():
    xp = StrictBackend().xp
    with pytest.raises(TypeError):
        _ = xp.asarray([1, 2]) * 1.5
    with pytest.raises(AttributeError):
        xp.add.at  # noqa: B018


@every_place
@every_example
def test_forward(example, place):
    outputs = call(example, tensors(example, place=place))
    for out, known in zip(outputs, example.expected(), strict=True):
        assert type(out._data) is backend.get(place).array_type
        assert (tuple(out.shape), str(out.dtype)) == (known.shape, str(known.dtype))
        np.testing.assert_allclose(out.numpy(), known, rtol=1e-12, atol=1e-12)


@every_place
@every_flowing_example
def test_gradients_are_those_of_numpy(example, place):
    known = gradients(example, tensors(example))
    for options in ({}, {"create_graph": True}):
        found = gradients(example, tensors(example, place=place), **options)
        for ours, theirs in zip(found, known, strict=True):
            assert type(ours._data) is backend.get(place).array_type
            np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-12, atol=1e-12)


@every_place
@every_flowing_example
def test_float32_stays_float32(example, place):
    if "dtype" not in example.attributes:
        inputs = tensors(example, "float32", place=place)
        outputs = call(example, inputs)
        found = gradients(example, inputs, create_graph=True)
        assert {str(t.dtype) for t in [*outputs, *found]} == {"float32"}


def test_gradients_are_checked_on_it_too():
    x = mg.to_tensor([[0.5, -1.0]], "float64", place="strict", stop_gradient=False)
    assert gradcheck(lambda x: mg.tanh(x @ x.T), x)
    assert gradgradcheck(lambda x: mg.tanh(x @ x.T), x)


def test_a_dtype_that_the_standard_lacks_is_an_error():
    with pytest.raises(errors.DtypeError, match="no float16"):
        mg.to_tensor([1.0], "float16", place="strict")
