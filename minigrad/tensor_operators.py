"""The operators of Tensor. Each of them only delegates to an op."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad import ops
from minigrad.dtype import dtype_name, get_default_dtype
from minigrad.errors import ArgumentTypeError, ArgumentValueError, message

if TYPE_CHECKING:
    from minigrad.tensor import Tensor

__all__ = ["Operators"]

_add, _subtract = ops.elementwise.add, ops.elementwise.subtract
_multiply, _divide = ops.elementwise.multiply, ops.elementwise.divide
_scale, _div_scale = ops.elementwise.scale, ops.elementwise.div_scale
binary: Any = None  # autograd.apply.binary, put here by tensor.py: it needs Tensor, which needs us
_NUMBERS = (bool, int, float, np.number, np.bool_)


def _plain(number: Any) -> Any:
    """A NumPy scalar as the Python number that it is, so that it does not decide the dtype."""
    return number.item() if isinstance(number, np.generic) else number


def _roomy(x: Any, number: Any) -> Any:
    """x in a dtype that can hold the result with a Python number: ints meet floats as floats."""
    name = dtype_name(x.dtype)
    if isinstance(number, float) and name.startswith(("int", "uint", "bool")):
        return x.astype(get_default_dtype())
    return x.astype("int64") if name == "bool" and not isinstance(number, bool) else x


class Operators:
    """`+`, `*`, `@`, `x[i]`, `==`, ... and what Python asks of a number or a sequence."""

    __array_ufunc__ = None  # NumPy scalars and arrays on the left leave the operator to us
    __hash__ = object.__hash__

    if TYPE_CHECKING:
        _data: Any
        _backend: Any
        _edge: Any
        shape: Any
        dtype: Any

        def __getattr__(self, name: str) -> Any: ...

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Operators):
            return binary(_add, self, other)
        if isinstance(other, _NUMBERS):
            other = _plain(other)
            return _scale(_roomy(self, other), 1.0, other)
        return _with_array(_add, self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Operators):
            return binary(_subtract, self, other)
        if isinstance(other, _NUMBERS):
            other = _plain(other)
            return _scale(_roomy(self, other), 1.0, -other)
        return _with_array(_subtract, self, other)

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, _NUMBERS):
            other = _plain(other)
            return _scale(_roomy(self, other), -1, other)
        return _with_array(_subtract, self, other, swap=True)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Operators):
            return binary(_multiply, self, other)
        if isinstance(other, _NUMBERS):
            other = _plain(other)
            return _scale(_roomy(self, other), other)
        return _with_array(_multiply, self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        x = _roomy(self, 1.0)
        if isinstance(other, Operators):
            return binary(_divide, x, _roomy(other, 1.0))
        if isinstance(other, _NUMBERS):
            return _div_scale(x, _plain(other))
        return _with_array(_divide, x, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _with_array(_divide, _roomy(self, 1.0), other, swap=True)

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, _NUMBERS):
            other = _plain(other)
            return ops.elementwise.pow(_roomy(self, other), other)
        return _with_array(ops.elementwise.elementwise_pow, self, other)

    def __rpow__(self, other: Any) -> Any:
        return _with_array(ops.elementwise.elementwise_pow, self, other, swap=True)

    def __floordiv__(self, other: Any) -> Any:
        return _with_array(ops.elementwise.floor_divide, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _with_array(ops.elementwise.floor_divide, self, other, swap=True)

    def __mod__(self, other: Any) -> Any:
        return _with_array(ops.elementwise.remainder, self, other)

    def __rmod__(self, other: Any) -> Any:
        return _with_array(ops.elementwise.remainder, self, other, swap=True)

    def __matmul__(self, other: Any) -> Any:
        return _matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _matmul(self, other, swap=True)

    def __neg__(self) -> Any:
        return _scale(self, -1)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return ops.elementwise.abs(self)

    def __eq__(self, other: object) -> Any:
        return _compared(ops.logic.equal, self, other)

    def __ne__(self, other: object) -> Any:
        return _compared(ops.logic.not_equal, self, other)

    def __lt__(self, other: Any) -> Any:
        return _compared(ops.logic.less_than, self, other)

    def __le__(self, other: Any) -> Any:
        return _compared(ops.logic.less_equal, self, other)

    def __gt__(self, other: Any) -> Any:
        return _compared(ops.logic.greater_than, self, other)

    def __ge__(self, other: Any) -> Any:
        return _compared(ops.logic.greater_equal, self, other)

    def __invert__(self) -> Any:
        return ops.logic.logical_not(self)

    def __and__(self, other: Any) -> Any:
        return _with_array(ops.logic.logical_and, self, other)

    def __or__(self, other: Any) -> Any:
        return _with_array(ops.logic.logical_or, self, other)

    def __xor__(self, other: Any) -> Any:
        return _compared(ops.logic.not_equal, self, other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    # -- indexing --------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Any:
        return ops.indexing.getitem(self, index_on(self._backend, index))

    def __setitem__(self, index: Any, value: Any) -> None:
        where = index_on(self._backend, index)
        if not isinstance(value, Operators):
            from minigrad.creation import to_tensor

            value = to_tensor(value, dtype=self.dtype, place=self._backend.name)
        elif value.dtype != self.dtype:
            value = value.astype(self.dtype)
        self._become(ops.indexing.set_item(self, value, where))

    def __len__(self) -> int:
        if not self.shape:
            raise ArgumentTypeError(message("A 0-D tensor has no length."))
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Tensor]:
        if not self.shape:
            raise ArgumentTypeError(message("A 0-D tensor cannot be iterated over."))
        return (self[i] for i in range(self.shape[0]))

    def __contains__(self, value: Any) -> bool:
        return bool((self == value).any())

    # -- numbers ---------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return bool(self._one("the truth value"))

    def __int__(self) -> int:
        return int(self._one("an int"))

    def __float__(self) -> float:
        return float(self._one("a float"))

    def __index__(self) -> int:
        if self.size != 1 or not isinstance(number := self.item(), int):
            raise ArgumentTypeError(
                message(
                    f"A {dtype_name(self.dtype)} tensor of shape {list(self.shape)} is no index.",
                    hint="one integer is.",
                )
            )
        return number

    def __format__(self, spec: str) -> str:
        if spec and self.shape:
            raise ArgumentTypeError(
                message(
                    f"A tensor of shape {list(self.shape)} cannot be formatted as {spec!r}.",
                    hint="format its elements, or choose with minigrad.set_printoptions.",
                )
            )
        return repr(self) if self.shape else format(self.item(), spec)

    def _one(self, what: str) -> Any:
        if self.size != 1:
            raise ArgumentValueError(
                message(
                    f"{what.capitalize()} of a tensor of shape {list(self.shape)} is ambiguous.",
                    hint="use any(), all(), or pick one element.",
                )
            )
        return self.item()

    # -- arrays ----------------------------------------------------------------------------------

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """The elements for NumPy: a copy, so that NumPy cannot write into the graph.

        Raises
        ------
        ArgumentValueError: `copy=False` was asked for.
        """
        if copy is False:
            raise ArgumentValueError(
                message("A Tensor cannot be made a NumPy array without a copy.")
            )
        host = self.numpy()
        return host if dtype is None else np.asarray(host, dtype)

    def __dlpack__(self, **options: Any) -> Any:
        if self._edge is not None:
            raise BufferError("a tensor that needs a gradient is not exported: detach() it first")
        if options.pop("copy", None) is False:
            raise BufferError("a Tensor is exported as a copy, so that nobody writes into a graph")
        return self._backend.copy(self._data).__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._data.__dlpack_device__()


def _with_array(op: Any, x: Any, other: Any, *, swap: bool = False) -> Any:
    """`x op other`, where other is a tensor, a number or an array; else leave it to `other`."""
    if not isinstance(other, (Operators, *_NUMBERS, np.ndarray)):
        return NotImplemented
    if isinstance(other, _NUMBERS):
        other = _plain(other)
        x = _roomy(x, other)
    return op(other, x) if swap else op(x, other)


def _compared(op: Any, x: Any, other: Any) -> Any:
    if not isinstance(other, (Operators, *_NUMBERS, np.ndarray)):
        return NotImplemented
    return op(x, other)


def _matmul(x: Any, other: Any, *, swap: bool = False) -> Any:
    if not isinstance(other, (Operators, np.ndarray)):
        return NotImplemented
    x, y = (other, x) if swap else (x, other)
    if isinstance(x, Operators) and isinstance(y, Operators) and x.dtype != y.dtype:
        from minigrad.ops.promotion import common_dtype

        dtype = common_dtype(x.dtype, y.dtype, x_number=False, y_number=False)
        x, y = x.astype(dtype), y.astype(dtype)
    return ops.linalg.matmul(x, y)


def index_on(backend: Any, index: Any) -> Any:
    """An index with its tensors and lists as arrays of a backend, its numbers as Python's."""
    if isinstance(index, tuple):
        return tuple(index_on(backend, part) for part in index)
    if isinstance(index, Operators):
        if not index.shape and dtype_name(index.dtype) != "bool":
            return index.__index__()
        return index._data
    if isinstance(index, (list, np.ndarray)):
        return backend.asarray(np.asarray(index))
    return index.item() if isinstance(index, np.integer) else index
