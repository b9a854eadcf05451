"""Tensors among Python's and NumPy's own things: protocols, scalars, arrays, DLPack, copies.

Results of operators and indexing are recorded from Paddle 3.3.1 (golden/tensors.json); the rest was
worked out by hand from what NumPy does.
"""

from __future__ import annotations

import copy
import json
import pickle
import weakref

import numpy as np
import pytest

import minigrad as mg
from minigrad import backend as backends
from minigrad.backend.numpy_backend import NumpyBackend
from minigrad.errors import BackendError, MinigradError
from tests.golden.record_tensors import GOLDEN, describe, evaluate

PADDLE = json.loads(GOLDEN.read_text())


def leaf(data, dtype=None):
    return mg.to_tensor(data, dtype=dtype, stop_gradient=False)


# -- NumPy scalars and arrays beside a tensor --------------------------------------------------


@pytest.mark.parametrize("expression", PADDLE["scalars"])
def test_scalars_and_arrays_in_operators(expression):
    got = describe(evaluate(mg, expression), values=True)
    expected = dict(PADDLE["scalars"][expression])
    np.testing.assert_allclose(got.pop("values"), expected.pop("values"), rtol=1e-6)
    assert got == expected


def test_python_numbers_do_not_decide_the_dtype():
    for number in (2, 2.5, np.float64(2.5), np.float32(2.5), np.int64(2)):
        for dtype in ("float16", "float32", "float64"):
            x = mg.ones([2], dtype)
            for result in (x * number, number * x, x + number, number - x, x / number):
                assert str(result.dtype) == dtype


@pytest.mark.parametrize(
    "compute,gradient",
    [
        (lambda x: np.float64(2) * x, [2.0, 2.0]),
        (lambda x: np.float32(2) + x, [1.0, 1.0]),
        (lambda x: np.float64(2) - x, [-1.0, -1.0]),
        (lambda x: np.float64(8) / x, [-8.0, -2.0]),
        (lambda x: np.int64(3) * x, [3.0, 3.0]),
        (lambda x: np.array([10.0, 20.0]) * x, [10.0, 20.0]),
        (lambda x: np.array([1.0, 1.0]) + x, [1.0, 1.0]),
        (lambda x: np.array([5.0, 5.0]) - x, [-1.0, -1.0]),
        (lambda x: np.array([2.0, 4.0]) / x, [-2.0, -1.0]),
        (lambda x: x * np.array([0.0, 1.0]), [0.0, 1.0]),
        (lambda x: x / np.float64(4), [0.25, 0.25]),
        (lambda x: np.array([[1.0, 2.0], [3.0, 4.0]]) @ x, [4.0, 6.0]),
        (lambda x: x @ np.array([1.0, 2.0]), [1.0, 2.0]),
        (lambda x: np.array(3.0) * x, [3.0, 3.0]),
    ],
)
def test_numpy_beside_a_tensor_keeps_the_gradient(compute, gradient):
    x = leaf([1.0, 2.0], "float64")
    y = compute(x)
    assert type(y) is mg.Tensor
    assert not y.stop_gradient
    y.sum().backward()
    assert x.grad.tolist() == gradient


def test_an_array_beside_a_tensor_is_not_written_nor_kept():
    array = np.array([2.0, 3.0])
    x = leaf([1.0, 1.0], "float64")
    y = x * array
    array[:] = 100.0  # after the forward: the op must have its own copy
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 3.0]
    assert array.tolist() == [100.0, 100.0]


@pytest.mark.parametrize("other", ["a", None, [1.0, 2.0], {}, object], ids=str)
def test_other_objects_in_operators(other):
    x = mg.to_tensor([1.0, 2.0])
    for compute in (
        lambda: x + other,
        lambda: other * x,
        lambda: x - other,
        lambda: x / other,
        lambda: x @ other,
        lambda: x < other,
    ):
        with pytest.raises(TypeError):
            compute()


def test_ufuncs_say_that_they_do_not_take_tensors():
    x = leaf([1.0, 2.0])
    for compute in (lambda: np.sin(x), lambda: np.add(x, 1), lambda: np.add(1, x)):
        with pytest.raises(TypeError, match="Tensor"):
            compute()


# -- as a NumPy array --------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "float32", "float64"])
def test_asarray(dtype):
    x = mg.to_tensor([[1, 0], [2, 3]], dtype=dtype)
    for array in (np.asarray(x), np.array(x), x.numpy()):
        assert type(array) is np.ndarray
        assert array.dtype == dtype
        np.testing.assert_array_equal(array, np.array([[1, 0], [2, 3]]).astype(dtype))
    assert np.asarray(x, dtype="float64").dtype == np.float64


def test_asarray_of_a_number():
    array = np.asarray(mg.to_tensor(2.5))
    assert array.shape == ()
    assert array == 2.5


def test_arrays_made_from_a_tensor_are_copies():
    x = leaf([1.0, 2.0])
    y = x * x
    for array in (np.asarray(x), np.array(x), x.numpy(), np.asarray(y)):
        assert array.flags.writeable
        array[:] = 99.0
    assert x.tolist() == [1.0, 2.0]
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]
    x.grad.numpy()[:] = 99.0
    assert x.grad.tolist() == [2.0, 4.0]


def test_an_array_without_a_copy_is_refused():
    with pytest.raises(ValueError, match="copy"):
        np.asarray(mg.to_tensor([1.0]), copy=False)


def test_numpy_functions_take_tensors_as_arrays():
    x = leaf([3.0, 1.0, 2.0])
    assert np.stack([x, x]).shape == (2, 3)
    assert np.sort(x).tolist() == [1.0, 2.0, 3.0]
    np.testing.assert_allclose(x, [3.0, 1.0, 2.0])
    assert np.array([x, x]).dtype == np.float32


# -- DLPack ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "float32", "float64"])
def test_dlpack_to_numpy(dtype):
    x = mg.to_tensor([[1, 2, 3], [4, 5, 6]], dtype=dtype)
    for tensor in (x, x.T, x[:, ::2], x[1]):
        array = np.from_dlpack(tensor)
        assert array.dtype == dtype
        np.testing.assert_array_equal(array, tensor.numpy())


def test_dlpack_device():
    assert tuple(mg.to_tensor([1.0]).__dlpack_device__()) == (1, 0)  # 1: CPU


def test_dlpack_never_lets_anyone_write_into_the_graph():
    x = mg.to_tensor([1.0, 2.0])
    w = leaf([3.0, 4.0])
    y = x * w
    array = np.from_dlpack(x)
    if array.flags.writeable:
        array[:] = 99.0
    y.sum().backward()
    assert w.grad.tolist() == [1.0, 2.0]


def test_dlpack_of_a_tensor_with_a_gradient():
    x = leaf([1.0, 2.0])
    with pytest.raises(BufferError, match="detach"):
        np.from_dlpack(x)
    assert np.from_dlpack(x.detach()).tolist() == [1.0, 2.0]


def test_dlpack_without_a_copy_is_shared_or_refused():
    x = mg.to_tensor([1.0, 2.0])
    try:
        array = np.from_dlpack(x, copy=False)
    except BufferError:
        return
    with mg.no_grad():
        x.add_(mg.to_tensor([1.0, 1.0]))
    assert array.tolist() == [2.0, 3.0]


def test_dlpack_of_a_dtype_that_it_does_not_know():
    pytest.importorskip("ml_dtypes")
    with pytest.raises(BufferError):
        np.from_dlpack(mg.to_tensor([1.0], dtype="bfloat16"))


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "float32", "float64"])
def test_dlpack_from_numpy(dtype):
    array = np.array([[1, 2, 3], [4, 5, 6]], dtype=dtype)
    for view in (array, array.T, array[:, ::2]):
        x = mg.from_dlpack(view)
        assert type(x) is mg.Tensor
        assert str(x.dtype) == dtype
        assert x.stop_gradient
        np.testing.assert_array_equal(x.numpy(), view)


def test_what_dlpack_gave_is_not_written():
    array = np.array([1.0, 2.0])
    array.flags.writeable = False
    x = mg.from_dlpack(array)
    x.add_(mg.to_tensor([1.0, 1.0], dtype="float64"))
    assert x.tolist() == [2.0, 3.0]
    assert array.tolist() == [1.0, 2.0]


def test_dlpack_from_something_else():
    with pytest.raises(MinigradError, match=r"(?i)dlpack"):
        mg.from_dlpack([1.0, 2.0])


@pytest.mark.parity("torch")
def test_dlpack_with_torch():
    import torch

    x = mg.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    assert torch.from_dlpack(x).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    y = mg.from_dlpack(torch.arange(3, dtype=torch.float64))
    assert y.tolist() == [0.0, 1.0, 2.0]
    assert y.dtype == mg.float64


# -- Python's protocols ------------------------------------------------------------------------


def test_len_and_iteration():
    x = leaf([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    assert len(x) == 3
    rows = list(x)
    assert [row.tolist() for row in rows] == x.tolist()
    assert all(type(row) is mg.Tensor for row in rows)
    first, *_, last = x
    (first * 2 + last).sum().backward()
    assert x.grad.tolist() == [[2.0, 2.0], [0.0, 0.0], [1.0, 1.0]]
    assert [row.tolist() for row in reversed(x)] == x.tolist()[::-1]
    assert [n.item() for n in mg.to_tensor([1, 2])] == [1, 2]
    assert len(mg.zeros([0, 3])) == 0
    assert list(mg.zeros([0, 3])) == []


@pytest.mark.parametrize("ask", [len, list, iter, lambda x: [*x]])
def test_a_number_is_no_sequence(ask):
    with pytest.raises(TypeError, match="0-D"):
        ask(mg.to_tensor(1.0))


@pytest.mark.parametrize("value", [0.0, 2.5, -1.0])
@pytest.mark.parametrize("shape", [[], [1], [1, 1]])
def test_truth(shape, value):
    assert bool(mg.full(shape, value)) is bool(value)


@pytest.mark.parametrize("data", [[1.0, 2.0], [], [[True, False]]])
def test_truth_of_several_or_none(data):
    with pytest.raises(ValueError, match="ambiguous"):
        bool(mg.to_tensor(data))


def test_numbers():
    assert float(mg.to_tensor(2.5)) == 2.5
    assert type(float(mg.to_tensor(2))) is float
    assert int(mg.to_tensor(-2.7)) == -2
    assert type(int(mg.to_tensor(2.0))) is int
    assert complex(mg.to_tensor(2.5)) == 2.5 + 0j
    assert float(leaf(2.5) * 2) == 5.0


@pytest.mark.parametrize("ask", [float, int, complex])
def test_several_numbers_are_no_number(ask):
    with pytest.raises((TypeError, ValueError), match="shape") as caught:
        ask(mg.to_tensor([1.0, 2.0]))
    assert isinstance(caught.value, MinigradError)


@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64"])
def test_index(dtype):
    i = mg.to_tensor(2, dtype=dtype)
    assert [10, 11, 12][i] == 12
    assert range(5)[i] == 2
    assert "abc"[:i] == "ab"
    assert hex(i) == "0x2"


@pytest.mark.parametrize("index", [1.0, [1, 2], [1.0]], ids=str)
def test_what_is_no_index(index):
    with pytest.raises((TypeError, ValueError), match=r"index|ambiguous") as caught:
        [10, 11, 12][mg.to_tensor(index)]
    assert isinstance(caught.value, MinigradError)


def test_format():
    x = leaf(1.23456)
    assert f"{x:.3f}" == "1.235"
    assert f"{x * 2:8.2f}|" == "    2.47|"
    assert f"{mg.to_tensor(7):03d}" == "007"
    assert f"{mg.to_tensor([1.5]).sum():g}" == "1.5"
    assert f"{mg.to_tensor([1.0, 2.0])}" == repr(mg.to_tensor([1.0, 2.0]))


def test_format_of_a_number_alone_is_the_number():
    assert f"{mg.to_tensor(2.5)}" == "2.5"  # as Paddle prints it, and as NumPy does
    assert f"{mg.to_tensor(3)}" == "3"


def test_format_of_several_numbers():
    with pytest.raises(TypeError, match=r"shape|format"):
        format(mg.to_tensor([1.0, 2.0]), ".3f")


def test_membership():
    x = mg.to_tensor([1.0, 2.0, 3.0])
    assert 2.0 in x
    assert 5.0 not in x
    assert mg.to_tensor(3.0) in x
    assert 1.0 not in mg.zeros([0])


def test_equality_is_elementwise():
    x, y = mg.to_tensor([1.0, 2.0]), mg.to_tensor([1.0, 3.0])
    for result, expected in (
        (x == y, [True, False]),
        (x != y, [False, True]),
        (x == 1.0, [True, False]),
        (x == np.array([1.0, 2.0], "float32"), [True, True]),
        (np.array([1.0, 2.0], "float32") == x, [True, True]),
    ):
        assert type(result) is mg.Tensor
        assert result.dtype == mg.bool_
        assert result.stop_gradient
        assert result.tolist() == expected


def test_equality_with_what_is_no_number():
    x = mg.to_tensor([1.0, 2.0])
    assert (x == None) is False  # noqa: E711  the operator is the point
    assert (x != None) is True  # noqa: E711
    assert (x == "a") is False
    assert None not in [x, x]


def test_tensors_are_keys_by_identity():
    x, y = mg.to_tensor([1.0]), mg.to_tensor([1.0])
    names = {x: "x", y: "y"}
    assert names[x] == "x"
    assert names[y] == "y"
    assert len({x, y, x}) == 2
    before = hash(x)
    x.add_(mg.to_tensor([1.0]))
    assert hash(x) == before


def test_any_attribute():
    x = leaf([1.0])
    x.main_grad = mg.to_tensor([2.0])
    x.note = "hello"
    assert x.main_grad.tolist() == [2.0]
    assert x.note == "hello"
    del x.note
    assert not hasattr(x, "note")
    with pytest.raises(AttributeError, match="note"):
        _ = x.note


@pytest.mark.parametrize("name", ["shape", "ndim", "size", "dtype", "is_leaf", "place", "T"])
def test_attributes_that_are_read_only(name):
    with pytest.raises(AttributeError):
        setattr(mg.to_tensor([1.0]), name, 1)


def test_weak_references():
    x = leaf([1.0])
    y = x * x
    seen = weakref.ref(y)
    assert seen() is y
    del y
    assert seen() is None


# -- masks and indices -------------------------------------------------------------------------


@pytest.mark.parametrize("expression", PADDLE["methods"])
def test_methods_and_indexing(expression):
    expected = dict(PADDLE["methods"][expression])
    assert describe(evaluate(mg, expression), values=True) == expected


@pytest.mark.parametrize(
    "mask",
    [
        lambda x: x > 2,
        lambda x: x.numpy() > 2,
        lambda x: (x > 2).tolist(),
    ],
    ids=["tensor", "array", "list"],
)
def test_boolean_masks(mask):
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    picked = x[mask(x)]
    assert picked.tolist() == [3.0, 4.0]
    (picked * mg.to_tensor([10.0, 20.0])).sum().backward()
    assert x.grad.tolist() == [[0.0, 0.0], [10.0, 20.0]]


@pytest.mark.parametrize(
    "index",
    [5, -3, (0, 5), slice(None), "a", 1.5, (0, 0, 0), [0, 7], None, ...],
    ids=str,
)
def test_indices_behave_as_numpys(index):
    x = mg.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    try:
        expected = x.numpy()[index]
    except IndexError:
        with pytest.raises((IndexError, MinigradError)) as caught:
            x[index]
        assert isinstance(caught.value, IndexError | TypeError | ValueError)
    else:
        assert x[index].tolist() == expected.tolist()


def test_index_out_of_range_is_an_index_error():
    with pytest.raises(IndexError, match="out of"):
        mg.to_tensor([1.0, 2.0])[2]


@pytest.mark.parametrize("index", [1.5, 1.0, [0.0, 1.0]], ids=str)
def test_floating_tensors_are_no_indices(index):
    with pytest.raises(MinigradError) as caught:
        mg.to_tensor([1.0, 2.0])[mg.to_tensor(index)]
    assert isinstance(caught.value, TypeError | IndexError)


def test_a_mask_of_another_shape():
    with pytest.raises((IndexError, MinigradError), match=r"mask|bool"):
        mg.to_tensor([1.0, 2.0])[mg.to_tensor([True, False, True])]


# -- copies ------------------------------------------------------------------------------------


def test_deepcopy_of_a_leaf():
    x = leaf([1.0, 2.0])
    x.name = "x"
    (x * 3).sum().backward()
    y = copy.deepcopy(x)
    assert y.tolist() == [1.0, 2.0]
    assert y.dtype == x.dtype
    assert not y.stop_gradient
    assert y.is_leaf
    with mg.no_grad():
        y.add_(mg.to_tensor([1.0, 1.0]))
    assert x.tolist() == [1.0, 2.0]
    (x * 3).sum().backward()
    (y * 5).sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]
    assert y.grad.tolist() in ([5.0, 5.0], [8.0, 8.0])  # without, or with the gradient of x


def test_deepcopy_carries_attributes():
    x = leaf([1.0])
    x.main_grad = mg.to_tensor([5.0])
    x.notes = ["a"]
    y = copy.deepcopy(x)
    assert y.main_grad.tolist() == [5.0]
    assert y.main_grad is not x.main_grad
    y.notes.append("b")
    assert x.notes == ["a"]


def test_deepcopy_of_a_tensor_that_holds_itself():
    x = leaf([1.0])
    x.twin = x
    y = copy.deepcopy(x)
    assert y.twin is y
    del x.twin, y.twin


def test_deepcopy_of_a_parameter():
    w = mg.create_parameter([2], "float32")
    v = copy.deepcopy(w)
    assert type(v) is mg.Parameter
    assert v.trainable
    assert v.tolist() == w.tolist()


def test_deepcopy_keeps_what_is_shared():
    x = leaf([1.0])
    first, second = copy.deepcopy([x, x])
    assert first is second


def test_deepcopy_of_a_result_says_why_not():
    x = leaf([1.0])
    with pytest.raises(MinigradError, match="leaf") as caught:
        copy.deepcopy(x * 2)
    assert "detach()" in str(caught.value)
    assert copy.deepcopy((x * 2).detach()).tolist() == [2.0]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol):
    x = leaf([[1.0, 2.0]], "float64")
    x.name, x.note = "x", {"a": 1}
    y = pickle.loads(pickle.dumps(x, protocol))  # noqa: S301  our own bytes
    assert type(y) is mg.Tensor
    assert y.tolist() == x.tolist()
    assert y.dtype == mg.float64
    assert not y.stop_gradient
    assert y.is_leaf
    assert y.name == "x"
    assert y.note == {"a": 1}
    (y * 2).sum().backward()
    assert y.grad.tolist() == [[2.0, 2.0]]
    assert x.grad is None


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "bfloat16", "float32"])
def test_pickle_of_every_dtype(dtype):
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes")
    x = mg.to_tensor([1, 0, 2], dtype=dtype)
    y = pickle.loads(pickle.dumps(x))  # noqa: S301
    assert y.dtype == x.dtype
    assert y.tolist() == x.tolist()
    assert y.stop_gradient


def test_pickle_of_a_parameter():
    w = mg.create_parameter([2], "float32", name="w")
    v = pickle.loads(pickle.dumps(w))  # noqa: S301
    assert type(v) is mg.Parameter
    assert v.name == "w"
    assert v.tolist() == w.tolist()


def test_pickle_of_a_result_is_a_leaf():
    y = pickle.loads(pickle.dumps(leaf([1.0]) * 2))  # noqa: S301
    assert y.is_leaf
    assert y.tolist() == [2.0]


# -- two backends ------------------------------------------------------------------------------


class _OtherArray(np.ndarray):
    """An array that another backend calls its own."""


class _OtherBackend(NumpyBackend):
    name = "other"
    array_type = _OtherArray

    def asarray(self, data, dtype=None):
        return np.asarray(data, dtype=dtype).view(_OtherArray)

    def copy(self, array):
        return np.array(array).view(_OtherArray)

    def to_numpy(self, array):
        return np.asarray(array).view(np.ndarray)


@pytest.fixture
def other():
    if "other" not in backends.available():
        backends.register("other", _OtherBackend)
    return mg.to_tensor([1.0, 2.0], place="other", stop_gradient=False)


@pytest.mark.parametrize(
    "compute",
    [
        lambda x, y: x + y,
        lambda x, y: y * x,
        lambda x, y: x @ y,
        lambda x, y: x == y,
        lambda x, y: mg.concat([x, y]),
        lambda x, y: mg.where(x > 0, x, y),
        lambda x, y: x.add_(y),
    ],
)
def test_tensors_of_two_backends(compute, other):
    x = mg.to_tensor([3.0, 4.0])
    with pytest.raises(BackendError) as caught:
        compute(x, other)
    assert "numpy" in str(caught.value)
    assert "other" in str(caught.value)
    assert "test_interchange.py" in str(caught.value)  # the line
    assert x.tolist() == [3.0, 4.0]


def test_a_tensor_moves_between_backends_with_its_gradient(other):
    y = other.cpu() * mg.to_tensor([3.0, 4.0])
    assert y.tolist() == [3.0, 8.0]
    y.sum().backward()
    assert other.grad.tolist() == [3.0, 4.0]
    assert type(other.grad._data) is _OtherArray


def test_numbers_and_arrays_join_any_backend(other):
    y = np.float64(2) * other + np.array([1.0, 1.0], "float32") + 1
    assert type(y._data) is _OtherArray
    assert y.tolist() == [4.0, 6.0]
