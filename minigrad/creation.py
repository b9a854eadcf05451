"""Making tensors: from data, from a number, from a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad import backend as backends
from minigrad.backend import Backend
from minigrad.dtype import as_dtype, dtype_name, get_default_dtype, is_floating
from minigrad.errors import ArgumentTypeError, ArgumentValueError, DtypeError, message
from minigrad.ops.broadcasting import sizes
from minigrad.tensor import Parameter, Tensor, wrap

__all__ = [
    "arange",
    "create_parameter",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "ones",
    "ones_like",
    "to_tensor",
    "zeros",
    "zeros_like",
]


def _backend_for(place: Any) -> Backend:
    if place is None:
        return backends.current()
    text = place[:] if isinstance(place, str) else str(place)
    if text in backends.available():
        return backends.get(text)
    return backends.get(backends.device_backend(text))


def to_tensor(
    data: Any, dtype: Any = None, place: Any = None, stop_gradient: bool = True
) -> Tensor:
    """A new leaf Tensor with a copy of `data`.

    Parameters
    ----------
    data: a number, nested lists of numbers or tensors, a NumPy array, a Tensor, an array of a
        registered backend.
    dtype: of the tensor; else that of an array, the default floating dtype for Python floats,
        int64 for ints, bool for bools.
    place: `"cpu"`, `"gpu:0"` or a backend's name; the current backend if not given.
    stop_gradient: False for a leaf whose gradient is wanted.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError: the data are no numbers, or ragged.

    Example
    -------
    >>> to_tensor([[1, 2], [3, 4]], dtype="float32", stop_gradient=False)
    Tensor(shape=[2, 2], dtype=float32, place=Place(cpu), stop_gradient=False,
           [[1., 2.],
            [3., 4.]])
    """
    backend = _backend_for(place)
    source = data._data if isinstance(data, Tensor) else data
    owner = backends.backend_of(source)
    if owner is backend and (isinstance(data, Tensor) or not isinstance(data, np.ndarray)):
        array = backend.copy(source)
        if dtype is not None:
            array = backend.xp.astype(array, backend.native(as_dtype(dtype)))
    else:  # NumPy knows dtypes and byte orders that minigrad does not
        host = _host(owner.to_numpy(source) if owner is not None else source)
        kind = _kind(host, data, dtype)
        array = backend.asarray(np.array(host, dtype=kind, order="C"), kind)
    tensor = wrap(array, backend)
    if not stop_gradient:
        tensor.stop_gradient = False
    return tensor


def from_dlpack(x: Any) -> Tensor:
    """A Tensor of another library's array, through DLPack; their memory is never written.

    Raises
    ------
    ArgumentTypeError: x does not speak DLPack.

    Example
    -------
    >>> from_dlpack(np.array([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    if not hasattr(x, "__dlpack__"):
        raise ArgumentTypeError(
            message(
                f"from_dlpack needs an array that speaks DLPack, not {type(x).__name__}.",
                hint="to_tensor takes numbers, lists and NumPy arrays.",
            )
        )
    backend = backends.current()
    if backend.name != "numpy":
        return wrap(backend.copy(backend.xp.from_dlpack(x)), backend)
    tensor = wrap(np.from_dlpack(x), backend)
    tensor._borrowed = True
    return tensor


def _host(data: Any) -> np.ndarray[Any, Any]:
    """`data` as a NumPy array of numbers."""
    if isinstance(data, (list, tuple)):
        data = _without_tensors(data)
    try:
        host = np.asarray(data)
    except ValueError as error:
        raise ArgumentValueError(
            message(
                "These data do not make a tensor.",
                why=f"{error}.",
                hint="nested lists must have equal lengths at each level.",
            )
        ) from None
    if host.dtype.kind not in "biufc" and dtype_name(host.dtype) != "bfloat16":
        raise ArgumentTypeError(
            message(
                f"A tensor cannot be made of {type(data).__name__} with dtype {host.dtype}.",
                hint="give numbers, nested lists of them, or an array; integers must fit int64.",
            )
        )
    return host


def _without_tensors(data: Any) -> Any:
    if isinstance(data, (list, tuple)):
        return [_without_tensors(item) for item in data]
    return data.numpy() if isinstance(data, Tensor) else data


def _kind(host: np.ndarray[Any, Any], data: Any, dtype: Any) -> np.dtype[Any]:
    """The dtype for data whose dtype was not said: Python numbers get Paddle's defaults."""
    if dtype is not None:
        return as_dtype(dtype)
    if isinstance(data, (np.ndarray, np.generic)):
        return as_dtype(host.dtype.newbyteorder("="))
    if host.dtype.kind == "f" and not _has_tensor(data):
        return as_dtype(get_default_dtype())
    if host.dtype.kind == "c" and get_default_dtype() == "float32":
        return as_dtype("complex64")
    return as_dtype(host.dtype)


def _has_tensor(data: Any) -> bool:
    return isinstance(data, Tensor) or (
        isinstance(data, (list, tuple)) and any(_has_tensor(item) for item in data)
    )


def _made(array: np.ndarray[Any, Any]) -> Tensor:
    backend = backends.current()
    return wrap(backend.asarray(array, array.dtype), backend)


def _number(value: Any) -> Any:
    """A Python number from one, a NumPy scalar or a Tensor of one element."""
    number = value.item() if isinstance(value, (Tensor, np.generic)) else value
    if not isinstance(number, (bool, int, float, complex)):
        raise ArgumentTypeError(message(f"{value!r} should be a number."))
    return number


def _count(value: Any) -> int:
    """A whole number that is not negative."""
    (number,) = sizes(int(value) if isinstance(value, float) and value.is_integer() else value)
    return number


def _floating(dtype: Any) -> np.dtype[Any]:
    return as_dtype(get_default_dtype() if dtype is None else dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor with one number everywhere.

    Example
    -------
    >>> full([2], 7.0).tolist()
    [7.0, 7.0]
    """
    value = _number(fill_value)
    if dtype is None:
        dtype = {bool: "bool", complex: "complex128"}.get(type(value), get_default_dtype())
    return _made(np.full(sizes(shape), value, as_dtype(dtype)))


def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor of zeros.

    Example
    -------
    >>> zeros([2]).tolist()
    [0.0, 0.0]
    """
    return _made(np.zeros(sizes(shape), _floating(dtype)))


def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor of ones.

    Example
    -------
    >>> ones([2]).tolist()
    [1.0, 1.0]
    """
    return _made(np.ones(sizes(shape), _floating(dtype)))


def empty(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor to be filled; here it is zeros, so that a lesson runs the same each time."""
    return zeros(shape, dtype)


def full_like(x: Tensor, fill_value: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor like x with one number everywhere, on x's backend.

    Example
    -------
    >>> full_like(zeros([2]), 3).tolist()
    [3.0, 3.0]
    """
    if not isinstance(x, Tensor):
        raise ArgumentTypeError(message(f"x must be a Tensor, not {type(x).__name__}."))
    backend = x._backend
    kind = x.dtype if dtype is None else as_dtype(dtype)
    filled = np.full(tuple(x.shape), _number(fill_value), kind)
    return wrap(backend.asarray(filled, kind), backend)


def zeros_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros like x."""
    return full_like(x, 0, dtype)


def ones_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Tensor:
    """Ones like x."""
    return full_like(x, 1, dtype)


def empty_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros like x."""
    return zeros_like(x, dtype)


def arange(
    start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None
) -> Tensor:
    """Numbers from start (0) up to, not including, end.

    Example
    -------
    >>> arange(3).tolist(), arange(1.0, 2.0, 0.5).tolist()
    ([0, 1, 2], [1.0, 1.5])
    """
    if end is None:
        start, end = 0, start
    bounds = [_number(bound) for bound in (start, end, step)]
    if bounds[2] == 0:
        raise ArgumentValueError(message("arange needs a step that is not 0."))
    if dtype is None:
        dtype = "int64" if all(isinstance(b, int) for b in bounds) else get_default_dtype()
    return _made(np.arange(*bounds).astype(as_dtype(dtype)))


def linspace(start: Any, stop: Any, num: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """`num` numbers from start to stop, both included.

    Example
    -------
    >>> linspace(0, 1, 3).tolist()
    [0.0, 0.5, 1.0]
    """
    numbers = np.linspace(_number(start), _number(stop), _count(num))
    return _made(numbers.astype(_floating(dtype)))


def eye(
    num_rows: int, num_columns: int | None = None, dtype: Any = None, name: str | None = None
) -> Tensor:
    """Ones on the diagonal, zeros elsewhere.

    Example
    -------
    >>> eye(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    columns = None if num_columns is None else _count(num_columns)
    return _made(np.eye(_count(num_rows), columns, dtype=_floating(dtype)))


def create_parameter(
    shape: Sequence[int],
    dtype: Any = None,
    name: str | None = None,
    is_bias: bool = False,
    default_initializer: Any = None,
) -> Parameter:
    """A Parameter: zeros if it is a bias, else uniform in ±sqrt(6 / (fan in + fan out)) (Glorot).

    `default_initializer` is a function from a shape to an array or Tensor.

    Raises
    ------
    DtypeError: `dtype` is not floating.
    """
    from minigrad import random

    lengths, kind = sizes(shape), _floating(dtype)
    if not is_floating(kind):
        raise DtypeError(message(f"A Parameter must be floating, not {dtype_name(kind)}."))
    if default_initializer is not None:
        first = default_initializer(list(lengths))
        values = first.numpy() if isinstance(first, Tensor) else np.asarray(first)
    elif is_bias:
        values = np.zeros(lengths)
    else:
        fans = lengths if len(lengths) > 1 else (*lengths, *lengths)
        bound = (6.0 / max(sum(fans[:2]), 1)) ** 0.5
        values = random.uniform(list(lengths), "float64", -bound, bound).numpy()
    backend = backends.current()
    parameter = object.__new__(Parameter)
    parameter._data = backend.asarray(np.array(values, dtype=kind), kind)
    parameter._backend = backend
    parameter.stop_gradient = False
    if name is not None:
        parameter.name = name
    return parameter
