"""What a Tensor is: its facts, its gradient's life, its flags, its memory.

The expectations were measured on Paddle 3.3.1, except where a comment says that minigrad differs.
"""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import minigrad as mg
from minigrad.errors import InplaceError, MinigradError, ShapeError


def leaf(data, dtype="float64"):
    return mg.to_tensor(data, dtype=dtype, stop_gradient=False)


def constant(data, dtype="float64"):
    return mg.to_tensor(data, dtype=dtype)


# -- facts -------------------------------------------------------------------------------------


def test_shape_is_a_list():
    shape = mg.zeros([2, 3]).shape
    assert isinstance(shape, list)
    assert shape == [2, 3]
    assert shape == (2, 3)
    assert shape != [3, 2]
    assert shape != (2,)
    assert shape[-1] == 3
    assert shape[:1] == [2]
    assert [*shape, 4] == [2, 3, 4]
    assert shape + [4] == [2, 3, 4]  # noqa: RUF005  the operator is the point
    rows, columns = shape
    assert (rows, columns) == (2, 3)
    assert all(type(n) is int for n in shape)
    assert str(shape) == "[2, 3]"
    assert mg.zeros([]).shape == []


def test_a_changed_shape_is_no_change_of_the_tensor():
    x = mg.zeros([2, 3])
    x.shape.append(4)
    assert x.shape == [2, 3]


@pytest.mark.parametrize("shape", [[], [0], [3], [2, 3], [2, 0, 4], [1, 1, 1]])
def test_sizes(shape):
    x = mg.zeros(shape)
    assert x.ndim == x.dim() == len(shape)
    assert x.size == int(np.prod(shape))
    assert type(x.size) is int
    assert x.numel().item() == x.size
    assert x.numel().dtype == mg.int64


def test_dtype():
    x = mg.zeros([2], "float64")
    assert x.dtype == mg.float64
    assert x.dtype == "float64"
    assert x.dtype != mg.float32
    assert str(x.dtype).endswith("float64")


def test_place():
    assert str(mg.zeros([2]).place) == "Place(cpu)"
    assert mg.zeros([2]).cpu().place == mg.zeros([2]).place


def test_names():
    x, y = leaf(1.0), leaf(2.0)
    assert x.name.startswith("generated_tensor_")
    assert x.name == x.name
    assert x.name != y.name
    assert (x * y).name.startswith("eager_tmp_")
    x.name = "weight"
    assert x.name == "weight"
    with pytest.raises(MinigradError, match="name"):
        x.name = 5


def test_item():
    x = constant([[1.0, 2.0], [3.0, 4.0]])
    assert constant(2.5).item() == 2.5
    assert constant([[2.5]]).item() == 2.5
    assert x.item(3) == 4.0
    assert x.item(1, 0) == 3.0
    assert type(constant(1.0).item()) is float
    assert type(constant(1, "int32").item()) is int
    assert type(constant(True, "bool").item()) is bool
    with pytest.raises(ValueError, match="one element"):
        x.item()
    with pytest.raises(ValueError, match="one element"):
        mg.zeros([0]).item()
    with pytest.raises((IndexError, MinigradError)):
        x.item(4)


def test_tolist():
    assert constant([[1.0, 2.0]]).tolist() == [[1.0, 2.0]]
    assert constant(3, "int64").tolist() == 3
    assert constant([True], "bool").tolist() == [True]
    assert mg.zeros([2, 0]).tolist() == [[], []]


def test_repr():
    x = leaf([[-1.0, -3.0, -5.0], [-7.0, -9.0, -11.0]])
    assert repr(x) == str(x)
    assert repr(x) == (
        "Tensor(shape=[2, 3], dtype=float64, place=Place(cpu), stop_gradient=False,\n"
        "       [[-1. , -3. , -5. ],\n"
        "        [-7. , -9. , -11.]])"
    )
    assert repr(x.detach().astype("int64")[0, 0]) == (
        "Tensor(shape=[], dtype=int64, place=Place(cpu), stop_gradient=True,\n       -1)"
    )


def test_repr_of_a_parameter():
    w = mg.create_parameter([1], "float32", is_bias=True)
    assert repr(w) == (
        "Parameter containing:\n"
        "Tensor(shape=[1], dtype=float32, place=Place(cpu), stop_gradient=False,\n"
        "       [0.])"
    )


def test_print_options_reach_tensors():
    mg.set_printoptions(precision=2)
    try:
        assert repr(constant(0.123)).endswith(" 0.12)")
    finally:
        mg.set_printoptions(precision=8)


def test_transposes():
    x = leaf([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert x.T.tolist() == [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
    assert constant([1.0, 2.0]).T.tolist() == [1.0, 2.0]
    assert mg.zeros([2, 3, 4]).T.shape == [4, 3, 2]
    assert mg.zeros([2, 3, 4]).mT.shape == [2, 4, 3]
    (x.T * constant([[1.0, 2.0]])).sum().backward()
    assert x.grad.tolist() == [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]


def test_numpy_is_a_copy():
    x = leaf([1.0, 2.0])
    array = x.numpy()
    array[0] = 99.0
    assert x.tolist() == [1.0, 2.0]
    with mg.no_grad():
        x.add_(constant([1.0, 1.0]))
    assert array.tolist() == [99.0, 2.0]
    assert x.numpy() is not x.numpy()


def test_astype():
    x = leaf([1.5, -2.5], "float32")
    y = x.astype("float64")
    assert y.dtype == mg.float64
    assert not y.stop_gradient
    (y * constant([2.0, 3.0])).sum().backward()
    assert x.grad.dtype == mg.float32
    assert x.grad.tolist() == [2.0, 3.0]
    assert x.astype(mg.int64).tolist() == [1, -2]
    assert x.astype("bool").tolist() == [True, True]
    assert x.cast("float16").dtype == mg.float16


def test_astype_to_integers_cuts_the_gradient():  # minigrad differs: Paddle lets it through
    x = leaf([1.5, 2.5])
    for dtype in ("int64", "int8", "bool"):
        assert x.astype(dtype).stop_gradient
    (x * x.astype("int64").astype("float64")).sum().backward()
    assert x.grad.tolist() == [1.0, 2.0]


def test_clone():
    x = leaf([1.0, 2.0])
    y = x.clone()
    assert not y.is_leaf
    assert not y.stop_gradient
    y.add_(constant([1.0, 1.0]))
    assert x.tolist() == [1.0, 2.0]
    (y * y).sum().backward()
    assert x.grad.tolist() == [4.0, 6.0]
    assert constant([1.0]).clone().stop_gradient


def test_detach_shares_memory_and_version():
    x = leaf([1.0, 2.0])
    y = x.detach()
    assert y.stop_gradient
    assert y.is_leaf
    assert y.grad_fn is None
    y.add_(constant([1.0, 1.0]))
    assert x.tolist() == [2.0, 3.0]
    assert (x.inplace_version, y.inplace_version) == (1, 1)


def test_detach_cuts_the_gradient():
    x = leaf([2.0])
    (x * x.detach()).sum().backward()
    assert x.grad.tolist() == [2.0]


# -- leaves and flags --------------------------------------------------------------------------


def test_is_leaf():
    x, c = leaf([1.0]), constant([1.0])
    assert x.is_leaf
    assert c.is_leaf
    assert not (x * 2).is_leaf
    assert (c * 2).is_leaf
    assert (c * 2).stop_gradient
    with mg.no_grad():
        y = x * 2
    assert y.is_leaf
    assert y.stop_gradient
    assert y.grad_fn is None


def test_grad_fn():
    x = leaf([1.0])
    assert (x * 2).grad_fn is not None
    assert x.grad_fn is not None  # the accumulation node
    assert (constant([1.0]) * 2).grad_fn is None


def test_interior_flag_set_after_a_use():
    a = leaf([2.0])
    b = a * 3
    c = b * 1
    b.stop_gradient = True
    assert (b * 2).stop_gradient
    c.backward()
    assert a.grad.tolist() == [3.0]


def test_interior_flag_set_back():
    a = leaf([2.0])
    b = a * 3
    node = b.grad_fn.node_ptr() if hasattr(b.grad_fn, "node_ptr") else b.grad_fn
    b.stop_gradient = True
    b.stop_gradient = False
    again = b.grad_fn.node_ptr() if hasattr(b.grad_fn, "node_ptr") else b.grad_fn
    assert again == node
    assert not b.is_leaf
    (b * 2).backward()
    assert a.grad.tolist() == [6.0]


def test_leaf_flag_set_after_a_use_still_receives():
    a = leaf([1.0])
    b = a * 2
    a.stop_gradient = True
    b.backward()
    assert a.grad.tolist() == [2.0]
    assert (a * 2).stop_gradient


def test_leaf_flag_cleared_after_a_use_receives_nothing():
    a, w = constant([1.0]), leaf([5.0])
    b = a * w
    a.stop_gradient = False
    b.backward()
    assert a.grad is None
    assert w.grad.tolist() == [1.0]
    (a * w).backward()
    assert a.grad.tolist() == [5.0]


def test_root_flag_makes_backward_do_nothing():
    a = leaf([1.0])
    b = a * 2
    b.stop_gradient = True
    b.backward()
    assert a.grad is None


def test_flags_under_no_grad():
    with mg.no_grad():
        x = leaf([1.0])
        assert not x.stop_gradient
        x.stop_gradient = True
        assert x.stop_gradient
        x.stop_gradient = False
        y = x * 2
    assert y.stop_gradient
    (x * 3).backward()
    assert x.grad.tolist() == [3.0]


@pytest.mark.parametrize("flag", ["a", 1, None])
def test_a_flag_is_a_boolean(flag):
    x = leaf([1.0])
    with pytest.raises(MinigradError, match="stop_gradient") as caught:
        x.stop_gradient = flag
    assert isinstance(caught.value, TypeError)
    assert x.stop_gradient is False


def test_trainable_is_the_flag_of_a_parameter():
    w = mg.create_parameter([1], "float32")
    w.trainable = False
    assert w.stop_gradient
    w.stop_gradient = False
    assert w.trainable


# -- the life of a gradient --------------------------------------------------------------------


def test_before_any_backward():
    x = leaf([1.0])
    assert x.grad is None
    assert x.gradient() is None
    x.clear_grad()
    x.clear_gradient(set_to_zero=False)
    assert x.grad is None


def test_a_gradient_is_a_leaf_of_its_own():
    x = leaf([1.0, 2.0])
    (x * x).sum().backward()
    g = x.grad
    assert g.tolist() == [2.0, 4.0]
    assert g.shape == x.shape
    assert g.dtype == x.dtype
    assert g.stop_gradient is False
    assert g.is_leaf
    array = x.gradient()
    assert type(array) is np.ndarray
    array[0] = 99.0
    assert x.grad.tolist() == [2.0, 4.0]


def test_accumulation_is_seen_by_a_handle():
    x = leaf([1.0])
    (x * 2).backward()
    held = x.grad
    (x * 3).backward()
    assert x.grad.tolist() == [5.0]
    assert held.tolist() == [5.0]


def test_clear_grad_zeroes_and_the_next_gradient_replaces():
    x = leaf([1.0])
    (x * 2).backward()
    held = x.grad
    x.clear_grad()
    assert x.grad.tolist() == [0.0]
    assert held.tolist() == [0.0]
    (x * 3).backward()
    assert x.grad.tolist() == [3.0]
    assert held.tolist() == [0.0]
    (x * 3).backward()
    assert x.grad.tolist() == [6.0]
    assert held.tolist() == [0.0]


def test_clearing_does_not_touch_what_numpy_gave():
    x = leaf([1.0])
    (x * 2).backward()
    array = x.grad.numpy()
    x.clear_grad()
    assert array.tolist() == [2.0]


def test_clear_gradient_that_forgets():
    x = leaf([1.0])
    (x * 2).backward()
    held = x.grad
    x.clear_gradient(False)
    assert x.grad is None
    assert x.gradient() is None
    assert held.tolist() == [2.0]  # minigrad differs: Paddle leaves it uninitialised
    (x * 3).backward()
    assert x.grad.tolist() == [3.0]
    assert held.tolist() == [2.0]


def test_cleared_twice_and_unreached():
    x, y = leaf([1.0]), leaf([1.0])
    (x * y).backward()
    x.clear_grad()
    x.clear_grad()
    (y * 2).backward()
    assert x.grad.tolist() == [0.0]
    assert y.grad.tolist() == [3.0]


def test_an_assigned_gradient():
    x = leaf([1.0, 2.0])
    t = constant([10.0, 20.0])
    memory = t.detach()
    x.grad = t
    assert x.grad.tolist() == [10.0, 20.0]
    (x * 2).sum().backward()
    assert x.grad.tolist() == [12.0, 22.0]
    assert memory.tolist() == [10.0, 20.0]  # minigrad differs: Paddle adds into the memory of t
    x.grad = None
    assert x.grad is None
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_clearing_an_assigned_gradient_leaves_its_memory():
    x = leaf([1.0, 2.0])
    t = constant([10.0, 20.0])
    memory = t.detach()
    x.grad = t
    x.clear_grad()
    assert x.grad.tolist() == [0.0, 0.0]
    assert memory.tolist() == [10.0, 20.0]


def test_an_array_behind_an_assigned_gradient_stays():
    x = leaf([1.0, 2.0])
    array = np.array([1.0, 1.0])
    x.grad = mg.to_tensor(array)
    (x * 2).sum().backward()
    assert array.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("value", [1.0, [1.0, 2.0], np.zeros(2), "a"], ids=str)
def test_a_gradient_must_be_a_tensor(value):
    x = leaf([1.0, 2.0])
    with pytest.raises(MinigradError, match="Tensor") as caught:
        x.grad = value
    assert isinstance(caught.value, TypeError)
    assert x.grad is None


def test_a_gradient_must_have_the_shape():  # minigrad differs: Paddle takes it
    x = leaf([1.0, 2.0])
    with pytest.raises(ShapeError, match="shape"):
        x.grad = constant([1.0, 2.0, 3.0])


def test_a_gradient_must_have_the_dtype():  # minigrad differs: Paddle takes it
    x = leaf([1.0, 2.0])
    with pytest.raises(MinigradError, match="float32"):
        x.grad = constant([1.0, 2.0], "float32")


def test_two_leaves_never_share_a_gradient():
    x, y = leaf([1.0]), leaf([1.0])
    (x + y).backward()
    (x * 10).backward()
    assert x.grad.tolist() == [11.0]
    assert y.grad.tolist() == [1.0]


def test_a_seed_is_copied():
    x = leaf([1.0, 2.0])
    seed = constant([3.0, 4.0])
    x.backward(seed)
    x.backward(seed)
    assert x.grad.tolist() == [6.0, 8.0]
    assert seed.tolist() == [3.0, 4.0]


def test_a_gradient_written_by_its_user():
    x = leaf([1.0, 2.0])
    (x * 2).sum().backward()
    with mg.no_grad():
        x.grad.scale_(0.5)
    assert x.grad.tolist() == [1.0, 1.0]
    (x * 2).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_interior_gradients_are_not_kept():
    x = leaf([1.0])
    y = x * 2
    (y * 3).backward()
    assert y.grad is None


def test_retain_grads():
    x = leaf([1.0])
    y = x * 2
    y.retain_grads()
    y.retain_grads()
    z = y * 3
    z.backward(retain_graph=True)
    assert y.grad.tolist() == [3.0]
    z.backward()
    assert y.grad.tolist() == [3.0]  # overwritten, not summed
    assert x.grad.tolist() == [12.0]
    y.clear_grad()
    assert y.grad.tolist() == [0.0]


def test_retain_grads_where_it_does_nothing():
    x, c = leaf([1.0]), constant([1.0])
    x.retain_grads()
    c.retain_grads()
    (x * c).backward()
    (x * c).backward()
    assert x.grad.tolist() == [2.0]
    assert c.grad is None


# -- writing in place --------------------------------------------------------------------------

WRITES = {
    "add_": (lambda a: a.add_(constant([1.0, 1.0])), [3.0, 5.0]),
    "subtract_": (lambda a: a.subtract_(constant([1.0, 1.0])), [1.0, 3.0]),
    "multiply_": (lambda a: a.multiply_(constant([2.0, 3.0])), [4.0, 12.0]),
    "divide_": (lambda a: a.divide_(constant([2.0, 4.0])), [1.0, 1.0]),
    "scale_": (lambda a: a.scale_(3.0), [6.0, 12.0]),
    "exp_": (lambda a: a.exp_(), [np.exp(2.0), np.exp(4.0)]),
    "sqrt_": (lambda a: a.sqrt_(), [np.sqrt(2.0), 2.0]),
    "tanh_": (lambda a: a.tanh_(), [np.tanh(2.0), np.tanh(4.0)]),
    "zero_": (lambda a: a.zero_(), [0.0, 0.0]),
    "fill_": (lambda a: a.fill_(7.0), [7.0, 7.0]),
    "set item": (lambda a: a.__setitem__(0, 9.0), [9.0, 4.0]),
    "set slice": (lambda a: a.__setitem__(slice(None), constant([5.0, 6.0])), [5.0, 6.0]),
    "set mask": (lambda a: a.__setitem__(a > 3, 0.0), [2.0, 0.0]),
    "set list": (lambda a: a.__setitem__([1, 0], constant([8.0, 9.0])), [9.0, 8.0]),
    "set array": (lambda a: a.__setitem__(slice(0, 2), np.array([1.0, 2.0])), [1.0, 2.0]),
    "set numpy scalar": (lambda a: a.__setitem__(1, np.float32(2.5)), [2.0, 2.5]),
    "set_value": (lambda a: a.set_value(np.array([1.0, 2.0])), [1.0, 2.0]),
}
GRADIENTS = {  # of the sum of what was written into 2x, by x
    "add_": [2.0, 2.0],
    "subtract_": [2.0, 2.0],
    "multiply_": [4.0, 6.0],
    "divide_": [1.0, 0.5],
    "scale_": [6.0, 6.0],
    "exp_": [2 * np.exp(2.0), 2 * np.exp(4.0)],
    "sqrt_": [1 / np.sqrt(2.0), 0.5],
    "tanh_": [2 / np.cosh(2.0) ** 2, 2 / np.cosh(4.0) ** 2],
    "zero_": [0.0, 0.0],
    "fill_": [0.0, 0.0],
    "set item": [0.0, 2.0],
    "set slice": [0.0, 0.0],
    "set mask": [2.0, 0.0],
    "set list": [0.0, 0.0],
    "set array": [0.0, 0.0],
    "set numpy scalar": [2.0, 0.0],
}


@pytest.mark.parametrize("name", WRITES)
def test_writes_on_a_constant(name):
    write, expected = WRITES[name]
    a = constant([2.0, 4.0])
    assert a.inplace_version == 0
    result = write(a)
    assert result is None or result is a
    np.testing.assert_allclose(a.numpy(), expected)
    assert a.inplace_version == 1
    assert a.stop_gradient
    assert a.is_leaf


@pytest.mark.parametrize("name", GRADIENTS)
def test_writes_on_a_result_change_its_history(name):
    write, expected = WRITES[name]
    x = leaf([1.0, 2.0])
    a = x * 2  # saves nothing that a write could spoil
    write(a)
    np.testing.assert_allclose(a.numpy(), expected)
    a.sum().backward()
    got = [0.0, 0.0] if x.grad is None else x.grad.tolist()
    np.testing.assert_allclose(got, GRADIENTS[name])


@pytest.mark.parametrize("name", GRADIENTS)
def test_writes_on_a_leaf_that_wants_a_gradient(name):
    write, expected = WRITES[name]
    a = leaf([2.0, 4.0])
    with pytest.raises(MinigradError, match=r"(?i)leaf") as caught:
        write(a)
    assert "no_grad" in str(caught.value)
    assert a.tolist() == [2.0, 4.0]
    assert a.inplace_version == 0
    with mg.no_grad():
        write(a)
    np.testing.assert_allclose(a.numpy(), expected)
    assert a.inplace_version == 1
    assert a.is_leaf
    assert not a.stop_gradient


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("through", ["itself", "detach", "no_grad leaf"])
def test_a_saved_tensor_written_before_backward(name, through):
    write, _ = WRITES[name]
    x = leaf([2.0, 4.0])
    b = x if through == "no_grad leaf" else x * 1
    c = b * b
    with mg.no_grad():
        write(b.detach() if through == "detach" else b)
    with pytest.raises(InplaceError) as caught:
        c.sum().backward()
    text = str(caught.value)
    assert "in place" in text or "inplace" in text
    assert "test_tensor.py" in text  # the forward line, or the line of the write
    assert "clone" in text or "before" in text  # what to try


def test_a_write_that_spoils_nothing():
    x = leaf([1.0])
    b = x * 2
    c = b * 3  # scale saves nothing
    b.add_(constant([1.0]))
    (b + c).backward()
    assert x.grad.tolist() == [8.0]


def test_versions_are_counted():
    a = constant([1.0, 2.0])
    for count in range(1, 5):
        a.add_(constant([1.0, 1.0]))
        assert a.inplace_version == count
    assert (a + 1).inplace_version == 0
    assert a.clone().inplace_version == 0


def test_a_reshaped_view_counts_together():
    a = constant([1.0, 2.0])
    view = a.reshape([2, 1])
    view.add_(constant([[1.0], [1.0]]))
    assert a.tolist() == [2.0, 3.0]
    assert a.inplace_version == 1


def test_shape_changes_in_place():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    y = x * 2
    z = y.reshape_([4])
    assert z is y
    assert y.shape == [4]
    (y * constant([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert x.grad.tolist() == [[2.0, 4.0], [6.0, 8.0]]


def test_a_value_with_history_set_into_a_constant():
    a, b = constant([1.0, 2.0, 3.0]), leaf([1.0, 2.0, 3.0])
    a[0] = b[1] * 2
    assert a.tolist() == [4.0, 2.0, 3.0]
    assert not a.stop_gradient
    assert not a.is_leaf
    (a * constant([10.0, 1.0, 1.0])).sum().backward()
    assert b.grad.tolist() == [0.0, 20.0, 0.0]


def test_a_value_broadcast_into_a_slice():
    x, v = leaf([[1.0, 2.0], [3.0, 4.0]]), leaf([5.0])
    y = x * 1
    y[:, 1] = v
    assert y.tolist() == [[1.0, 5.0], [3.0, 5.0]]
    (y * constant([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    assert x.grad.tolist() == [[1.0, 0.0], [3.0, 0.0]]
    assert v.grad.tolist() == [6.0]


def test_set_items_of_an_integer_tensor():
    a = constant([1, 2, 3], "int64")
    a[0] = 2.7
    a[1] = True
    assert a.tolist() == [2, 1, 3]
    assert a.dtype == mg.int64


MISFITS = {
    "another shape into an item": lambda a: a.__setitem__(0, constant([1.0, 2.0])),
    "an item that is not there": lambda a: a.__setitem__(9, 0.0),
    "a string into an item": lambda a: a.__setitem__(0, "a"),
    "a string as index": lambda a: a.__setitem__("a", 0.0),
    "None into an item": lambda a: a.__setitem__(0, None),
    "add_ that broadcasts": lambda a: a.add_(constant([[1.0], [2.0]])),
    "add_ of another shape": lambda a: a.add_(constant([1.0, 2.0])),
    "set_value of another shape": lambda a: a.set_value(np.zeros(2)),
    "set_value of a string": lambda a: a.set_value("a"),
    "fill_ with a string": lambda a: a.fill_("a"),
    "a float added to integers": lambda a: a.astype("int64").add_(constant(1.5)),
}


@pytest.mark.parametrize("write", MISFITS.values(), ids=MISFITS)
def test_writes_that_do_not_fit(write):
    a = constant([1.0, 2.0, 3.0])
    with pytest.raises(MinigradError):
        write(a)
    assert a.tolist() == [1.0, 2.0, 3.0]
    assert a.inplace_version == 0


def test_augmented_assignment_makes_a_new_tensor():
    x = leaf([1.0, 2.0])
    y = x
    y += 1
    y *= 2
    assert y is not x
    assert x.tolist() == [1.0, 2.0]
    assert x.inplace_version == 0
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_hooks_belong_to_the_node_of_their_time():
    x = leaf([1.0])
    b = x * 2
    seen = []
    b.register_hook(lambda g: seen.append(("before", g.tolist())))
    b.scale_(10.0)
    b.register_hook(lambda g: seen.append(("after", g.tolist())))
    (b * 3).backward()
    assert seen == [("after", [3.0]), ("before", [30.0])]
    assert x.grad.tolist() == [60.0]


def test_set_value():
    x = leaf([1.0, 2.0])
    x.set_value(np.array([3.0, 4.0]))
    assert x.tolist() == [3.0, 4.0]
    assert not x.stop_gradient
    assert x.is_leaf
    x.set_value(constant([5.0, 6.0]))
    assert x.tolist() == [5.0, 6.0]
    (x * x).sum().backward()
    assert x.grad.tolist() == [10.0, 12.0]


def test_set_value_copies():
    x, array, t = leaf([1.0, 2.0]), np.array([3.0, 4.0]), constant([5.0, 6.0])
    x.set_value(array)
    array[:] = 0.0
    assert x.tolist() == [3.0, 4.0]
    x.set_value(t)
    t.zero_()
    assert x.tolist() == [5.0, 6.0]


@pytest.mark.parametrize("value", [np.zeros(3), np.zeros((1, 2)), 5.0])
def test_set_value_of_another_shape(value):
    with pytest.raises(MinigradError, match="shape"):
        leaf([1.0, 2.0]).set_value(value)


def test_expanded_tensors_are_written_safely():
    a = constant([1.0])
    b = a.expand([2, 3])
    try:
        b.add_(mg.ones([2, 3], "float64"))
    except MinigradError:
        assert b.tolist() == [[1.0] * 3] * 2
    else:
        assert b.tolist() == [[2.0] * 3] * 2
    assert a.tolist() == [1.0]


# -- memory ------------------------------------------------------------------------------------


def test_dropping_the_result_frees_the_graph_without_the_collector():
    gc.disable()
    try:
        x = leaf([1.0, 2.0])
        y = x * x
        seen = [weakref.ref(y)]
        z = (y * y + y).sum()
        seen.append(weakref.ref(z))
        z.backward(retain_graph=True)
        del y, z
        assert [ref() for ref in seen] == [None, None]
        seen = weakref.ref(x)
        del x
        assert seen() is None
    finally:
        gc.enable()
