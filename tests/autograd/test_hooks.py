"""Hooks: order, what they may do, how they fail. As Paddle 3.3.1, or right where that is not."""

from __future__ import annotations

import pytest

import minigrad as mg
from minigrad import errors


def leaf(value, dtype="float64"):
    return mg.to_tensor(value, dtype=dtype, stop_gradient=False)


def test_order_and_replacement():
    x = leaf(1.0)
    seen = []
    x.register_hook(lambda g: seen.append(g.item()))
    x.register_hook(lambda g: g * 2)
    x.register_hook(lambda g: seen.append(g.item()))
    (x + x).backward()
    assert seen == [2.0, 4.0]  # once, on the sum
    assert x.grad.item() == 4.0


def test_removed_once_and_warns_the_second_time():
    x = leaf(1.0)
    handle = x.register_hook(lambda g: g * 2)
    assert handle.remove() is True
    with pytest.warns(RuntimeWarning, match="does not exist or has been removed"):
        assert handle.remove() is False
    (x * 1).backward()
    assert x.grad.item() == 1.0


def test_hook_may_remove_itself_and_add_another():
    x = leaf(1.0)
    seen = []

    def once(g):
        seen.append("once")
        handle.remove()
        x.register_hook(lambda g: seen.append("new"))

    handle = x.register_hook(once)
    (x * 1).backward()
    (x * 1).backward()
    assert seen == ["once", "new", "new"]


def test_hook_writing_in_place_changes_the_flow_and_nothing_else():
    x, y = leaf([1.0]), leaf([1.0])

    def write(g):
        with mg.no_grad():
            g.add_(mg.to_tensor([5.0], dtype="float64"))

    x.register_hook(write)
    (x + y).backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([6.0], [1.0])


def test_writing_without_no_grad_is_refused_with_a_note():
    x = leaf([1.0])
    x.register_hook(lambda g: g.add_(mg.to_tensor([5.0], dtype="float64")))
    with pytest.raises(errors.InplaceError, match="inplace") as caught:
        (x * 1).backward()
    assert "GradNodeAccumulation" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    "hook, kind, word",
    [
        (lambda g: 5, TypeError, "returned int"),
        (lambda g: mg.ones([3], dtype="float64"), ValueError, "shape"),
        (lambda g: g.astype("float32"), ValueError, "dtype"),
    ],
)
def test_bad_answers_are_refused(hook, kind, word):
    x = leaf([1.0, 2.0])
    x.register_hook(hook)
    with pytest.raises(kind, match=word):
        (x * 2).backward()
    assert x.grad is None


def test_bad_registrations_are_refused():
    with pytest.raises(ValueError, match="stop gradient"):
        mg.to_tensor(1.0).register_hook(lambda g: g)
    with pytest.raises(TypeError, match="callable"):
        leaf(1.0).register_hook(5)


def test_user_exception_is_itself_and_everything_is_as_before():
    x = leaf(1.0)

    def fails(g):
        raise ZeroDivisionError("mine")

    handle = x.register_hook(fails)
    with mg.no_grad(), pytest.raises(ZeroDivisionError, match="mine"):
        mg.autograd.backward([x])
    assert mg.is_grad_enabled()
    handle.remove()
    x.backward()
    assert x.grad.item() == 1.0


def test_gradient_seen_in_a_hook():
    x = leaf(1.0)
    seen = []
    x.register_hook(lambda g: seen.append((g.stop_gradient, g.is_leaf, mg.is_grad_enabled())))
    with mg.no_grad():
        x.backward()
    assert seen == [(False, True, True)]


def test_hook_belongs_to_the_tensor_as_it_was():
    x = leaf([1.0])
    b = x * 1
    log = []
    b.register_hook(lambda g: log.append(("before", g.item())))
    b.scale_(10.0)
    b.register_hook(lambda g: log.append(("after", g.item())))
    (b * 3).backward()
    assert log == [("after", 3.0), ("before", 30.0)]
