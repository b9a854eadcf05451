"""Small traces that together have everything a stepper can be asked to show."""

from __future__ import annotations

import numpy as np

import minigrad as mg
from minigrad.autograd import PyLayer

__all__ = ["EXAMPLES", "chain", "two_roots"]


def _leaf(*values: float) -> mg.Tensor:
    return mg.to_tensor(np.array(values, "float32"), stop_gradient=False)


def two_roots() -> mg.Trace:
    """A root that is an ancestor of other roots: its seed waits."""
    a, b = _leaf(1, 2, 3), _leaf(4, 5, 6)
    with mg.record() as trace:
        c = a + b
        d = c + c
        e = d + d
        mg.autograd.backward([e, c, d], [mg.ones([3])] * 3)
    return trace


def twice() -> mg.Trace:
    """Two passes over one graph; the leaf accumulates, on top of what it had."""
    x = _leaf(1, -2, 3)
    (x * 0.5).backward()
    with mg.record() as trace:
        y = (x * x).sum()
        y.backward(retain_graph=True)
        y.backward()
    return trace


def hooked() -> mg.Trace:
    """Hooks on an intermediate tensor and on a leaf, and a broadcast input."""
    x, bias = _leaf(1, 2, 3), _leaf(0.5)
    with mg.record() as trace:
        y = x * 2.0 + bias
        y.register_hook(lambda gradient: gradient * 10.0)
        x.register_hook(lambda gradient: gradient + 1.0)
        y.sum().backward()
    return trace


def second_order() -> mg.Trace:
    """A gradient of a gradient."""
    x = _leaf(2)
    with mg.record() as trace:
        (g,) = mg.grad([x * x * x], [x], create_graph=True)
        g.backward()
    return trace


class _Reentrant(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensor()
        with mg.enable_grad():
            inner = x.detach()
            inner.stop_gradient = False
            (inner * inner).backward(gradient)
        return inner.grad


def inner_pass() -> mg.Trace:
    """A PyLayer whose backward runs a backward pass of its own."""
    x = _leaf(3)
    with mg.record() as trace:
        y = _Reentrant.apply(x * 1.0)
        y.sum().backward()
    return trace


def slots() -> mg.Trace:
    """A node with three outputs, of which one is never used: its slot stays empty."""
    x = _leaf(1, 2, 3)
    with mg.record() as trace:
        a, _, c = mg.split(x, 3)
        (a * c + a).sum().backward()
    return trace


def inside_a_hook() -> mg.Trace:
    """A hook that runs a backward pass over a graph of its own."""
    x, other = _leaf(2), _leaf(5)

    def hook(gradient: mg.Tensor) -> mg.Tensor:
        (other * other).backward()
        return gradient * other.grad

    with mg.record() as trace:
        y = x * x
        y.register_hook(hook)
        y.backward()
    return trace


def chain(length: int) -> mg.Trace:
    """`2 * length + 1` op nodes in a row, all adding into one leaf."""
    big = _leaf(1)
    with mg.record() as trace:
        z = big
        for _ in range(length):
            z = z * 1.0001 + big
        z.sum().backward()
    return trace


EXAMPLES = {
    make.__name__: make
    for make in (two_roots, twice, hooked, second_order, inner_pass, slots, inside_a_hook)
}
