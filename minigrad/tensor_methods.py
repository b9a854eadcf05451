"""Ops as functions of minigrad and as methods of Tensor: one table for both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.autograd.modes import mode
from minigrad.dtype import as_dtype
from minigrad.ops import OPS
from minigrad.ops.broadcasting import ints
from minigrad.tensor import Tensor

__all__ = ["FUNCTIONS"]

_INSIDE = {
    "div_scale",
    "elementwise_pow",
    "getitem",
    "linear",
    "log_softmax",
    "relu",
    "scatter_add",
    "set_item",
    "softmax",
    "softmax_with_cross_entropy",
}
"""Ops that are reached another way: by an operator, or in nn.functional."""

_CHANGES_SHAPE = {"reshape", "squeeze", "unsqueeze", "transpose"}

FUNCTIONS: dict[str, Any] = {name: op for name, op in OPS.items() if name not in _INSIDE}
"""Every op that is a function of minigrad, by name."""


def cast(x: Tensor, dtype: Any) -> Tensor:
    """x in another dtype; x itself when it has that dtype already is copied all the same.

    A cast to an integer or bool dtype cuts the gradient: its derivative is 0.

    Example
    -------
    >>> import minigrad as mg
    >>> mg.cast(mg.to_tensor([1.7]), "int64").tolist()
    [1]
    """
    made: Tensor = OPS["cast"](x, as_dtype(dtype))
    return made


def pow(x: Tensor, y: Any, name: str | None = None) -> Any:
    """x to the power of y, a number or a tensor.

    Example
    -------
    >>> import minigrad as mg
    >>> mg.pow(mg.to_tensor([3.0]), 2).tolist()
    [9.0]
    """
    return x**y


def t(x: Tensor, name: str | None = None) -> Any:
    """The transpose of a matrix; a vector or number as it is.

    Example
    -------
    >>> import minigrad as mg
    >>> mg.t(mg.to_tensor([[1, 2]])).tolist()
    [[1], [2]]
    """
    return OPS["transpose"](x) if x.ndim == 2 else x


def clone(x: Tensor, name: str | None = None) -> Any:
    """A copy of x through which gradients pass."""
    return OPS["assign"](x)


def increment(x: Tensor, value: float = 1.0) -> Any:
    """Add a number to x in place."""
    return x._become(x + value)


def _in_place(function: Callable[..., Any]) -> Callable[..., Any]:
    """The method that computes `function` and writes the result into its tensor."""

    def method(self: Tensor, *args: Any, **keywords: Any) -> Any:
        return self._become(function(self, *args, **keywords))

    return method


def _reshape_in_place(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same for ops that give the elements another shape."""

    def method(self: Tensor, *args: Any, **keywords: Any) -> Tensor:
        result = function(self, *args, **keywords)
        self._may_be_written(result)
        self._data = result._data
        if self._version is not None:
            self._version.step(None)
        if mode.grad_enabled:
            self._edge = result._edge
        return self

    return method


def _zero(self: Tensor) -> Any:
    """Zero every element, in place."""
    return self._become(self * 0 if self._edge is None else (self * 0).detach())


def _fill(self: Tensor, value: float) -> Any:
    """Set every element to a number, in place."""
    from minigrad.creation import full_like

    return self._become(full_like(self, value))


def _copy(self: Tensor, other: Tensor, blocking: bool = True) -> Any:
    """Take over the elements of another tensor, in place."""
    return self._become(other.astype(self.dtype) if other.dtype != self.dtype else other)


def _reshape(self: Tensor, *shape: Any) -> Any:
    """`x.reshape([2, 3])` or `x.reshape(2, 3)`."""
    return OPS["reshape"](self, ints(shape[0] if len(shape) == 1 else shape))


FUNCTIONS |= {"cast": cast, "pow": pow, "t": t, "clone": clone, "increment": increment}

_METHODS = {
    **FUNCTIONS,
    "relu": OPS["relu"],
    "softmax": OPS["softmax"],
    "astype": cast,
    "reshape": _reshape,
    "mm": OPS["matmul"],
}

for _name, _method in _METHODS.items():
    if not hasattr(Tensor, _name):
        setattr(Tensor, _name, _method)
    if _name in OPS and OPS[_name].differentiable and not OPS[_name].variadic:
        _make = _reshape_in_place if _name in _CHANGES_SHAPE else _in_place
        setattr(Tensor, f"{_name}_", _make(_method))

for _name, _method in {"zero_": _zero, "fill_": _fill, "copy_": _copy}.items():
    setattr(Tensor, _name, _method)


def _matrix_transpose(self: Tensor) -> Any:
    """The last two axes swapped."""
    return OPS["transpose"](self, [*range(self.ndim - 2), -1, -2])


def _transpose(self: Tensor) -> Any:
    """The axes in reverse order."""
    return OPS["transpose"](self)


for _name, _method in {"T": _transpose, "mT": _matrix_transpose}.items():
    setattr(Tensor, _name, property(_method))
