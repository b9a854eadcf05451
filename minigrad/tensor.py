"""Tensor: an array, and its place in the graph.

A Tensor's `_edge` says where its gradient goes: `(node, slot)`, or None. That is all there is to
`stop_gradient`: it is true exactly when there is no edge. For a leaf the node is an accumulation
node, which adds what arrives to `.grad`. The operators only delegate to ops.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from minigrad import backend as backends
from minigrad import tensor_operators as _operators
from minigrad.autograd.hooks import HookHandle, add_hook
from minigrad.autograd.node import AccumulationNode, Edge, Node
from minigrad.autograd.origin import describe, find_origin
from minigrad.autograd.saved import Version, version_of
from minigrad.backend import Backend
from minigrad.dtype import dtype_name
from minigrad.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    ShapeError,
    message,
)
from minigrad.tensor_memory import Memory
from minigrad.tensor_operators import Operators

__all__ = ["Parameter", "Place", "Size", "Tensor", "as_operand", "lend", "wrap"]

_new = object.__new__
_names: dict[str, Iterator[int]] = {}


def _next_name(kind: str) -> str:
    return f"{kind}_{next(_names.setdefault(kind, itertools.count()))}"


class Size(list[int]):
    """A shape: a list, as in Paddle, that also equals the tuple of the same numbers."""

    __slots__ = ()
    __hash__ = None

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, (list, tuple)) else False

    def __ne__(self, other: object) -> bool:
        return not self == other


class Place(str):
    """Where a tensor lives: equal to `"cpu"`, printed `Place(cpu)`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Place({self[:]})"

    __str__ = __repr__


class Tensor(Operators, Memory):
    """An n-dimensional array that remembers how it was computed.

    Made by `to_tensor`, by creation functions and by ops; takes any attribute you set on it.

    Attributes
    ----------
    grad: the gradient, a Tensor of the same shape and dtype, or None before any backward.
    stop_gradient: True when no gradient is wanted (the default of `to_tensor`).

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> (x * x).sum().backward()
    >>> x.grad.tolist()
    [2.0, 4.0]
    """

    _data: Any
    _backend: Backend
    _edge: Edge | None = None
    _parked: Edge | None = None  # the edge that stop_gradient=True put aside
    _grad: Tensor | None = None
    _grad_is_old: bool = False  # cleared: the next gradient replaces it
    _version: Version | None = None
    _name: str | None = None
    _leaf_name = ("generated_tensor", "")
    _made_name: str | None = None  # given when somebody asked for a name and there was none
    _borrowed: bool = False  # others may hold the array: copy it before writing in place
    _view: bool = False  # shares memory with the tensor that it was made from

    # -- what it holds -------------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        """The length of each axis."""
        return Size(self._data.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._data.shape)

    def dim(self) -> int:
        """The number of axes."""
        return len(self._data.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self._data.shape, dtype=np.int64))

    def numel(self) -> Tensor:
        """The number of elements, as a 0-D int64 tensor."""
        return wrap(self._backend.asarray(np.asarray(self.size, np.int64)), self._backend)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the elements."""
        return self._backend.dtype(self._data)

    @property
    def place(self) -> Place:
        """Where it lives, printed as in Paddle."""
        return Place(self._backend.place)

    @property
    def name(self) -> str:
        """The name, made on first look unless you set one."""
        if self._name is not None:
            return self._name
        if self._made_name is None:
            kind, ending = self._leaf_name if self.is_leaf else ("eager_tmp", "")
            self._made_name = _next_name(kind) + ending
        return self._made_name

    @name.setter
    def name(self, name: str) -> None:
        if not isinstance(name, str):
            raise ArgumentTypeError(message(f"A name is a string, not {type(name).__name__}."))
        self._name = name

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy as a NumPy array."""
        return np.array(self._backend.to_numpy(self._data))

    def item(self, *index: int) -> Any:
        """The one element, or the one at `index`, as a Python number.

        Raises
        ------
        ArgumentValueError: there is more than one.
        """
        host = self._backend.to_numpy(self._data)
        if not index and self.size != 1:
            raise ArgumentValueError(
                message(
                    f"item() needs a tensor of one element; this one has shape {list(self.shape)}.",
                    hint="item(i) for one of them, tolist() for all.",
                )
            )
        value = host.item(*index)
        return float(value) if dtype_name(self.dtype) == "bfloat16" else value

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        host = self._backend.to_numpy(self._data)
        return (host.astype(np.float32) if dtype_name(self.dtype) == "bfloat16" else host).tolist()

    def to(self, *targets: Any) -> Tensor:
        """On another backend (`"cpu"`, `"gpu"`, a backend's name) or in another dtype, or both."""
        moved = self
        for target in targets:
            text = str(target) if isinstance(target, (str, Place)) else ""
            plain = target[:] if isinstance(target, Place) else text
            if plain.partition(":")[0] in ("cpu", "gpu", "cuda"):
                moved = moved._moved(backends.get(backends.device_backend(plain)))
            elif text in backends.available():
                moved = moved._moved(backends.get(text))
            else:
                moved = moved.astype(target)
        return moved

    def cpu(self) -> Tensor:
        """A tensor with the same elements on the CPU."""
        return self._moved(backends.get("numpy"))

    def cuda(self) -> Tensor:
        """A tensor with the same elements on the GPU."""
        return self._moved(backends.get("cupy"))

    def _moved(self, target: Backend) -> Tensor:
        if target is self._backend:
            return self
        from minigrad.autograd.transfer import move

        return move(self, target)

    def __repr__(self) -> str:
        from minigrad.printing import tensor_repr

        return tensor_repr(
            self._backend.to_numpy(self._data),
            shape=list(self._data.shape),
            dtype_name=dtype_name(self.dtype),
            place=str(self.place),
            stop_gradient=self.stop_gradient,
        )

    # -- its place in the graph ----------------------------------------------------------------

    @property
    def stop_gradient(self) -> bool:
        """Whether no gradient is wanted here; set True it cuts new uses, False joins them again."""
        return self._edge is None

    @stop_gradient.setter
    def stop_gradient(self, stop: bool) -> None:
        if not isinstance(stop, bool):
            raise ArgumentTypeError(message(f"stop_gradient is True or False, not {stop!r}."))
        if stop:
            if self._edge is not None:
                self._parked, self._edge = self._edge, None
        elif self._edge is None:
            self._edge = self._parked or (AccumulationNode(self), 0)
            self._parked = None

    @property
    def is_leaf(self) -> bool:
        """Whether no op recorded it: gradients end here, or none come."""
        edge = self._edge or self._parked
        return edge is None or edge[0].is_accumulation

    @property
    def grad_fn(self) -> Node | None:
        """The node that this tensor's gradient goes to."""
        edge = self._edge or self._parked
        return None if edge is None else edge[0]

    @property
    def grad(self) -> Tensor | None:
        """The gradient so far; the same object until `clear_grad`."""
        return self._grad

    @grad.setter
    def grad(self, grad: Tensor | None) -> None:
        if grad is not None and not isinstance(grad, Tensor):
            raise ArgumentTypeError(
                message(
                    f"grad must be a Tensor or None, not {type(grad).__name__}.",
                    hint="minigrad.to_tensor(value) makes one.",
                )
            )
        if grad is not None:
            if grad.shape != self.shape:
                raise ShapeError(
                    message(
                        f"A gradient of shape {list(grad.shape)} cannot belong to a tensor of "
                        f"shape {list(self.shape)}."
                    )
                )
            if grad.dtype != self.dtype:
                raise DtypeError(
                    message(
                        f"A gradient of dtype {dtype_name(grad.dtype)} cannot belong to a tensor "
                        f"of dtype {dtype_name(self.dtype)}.",
                        hint="grad.astype(x.dtype), or another attribute: x.main_grad = grad.",
                    )
                )
            grad._borrowed = True
        self._grad, self._grad_is_old = grad, False

    def gradient(self) -> np.ndarray[Any, Any] | None:
        """`.grad` as a NumPy array, or None."""
        return None if self._grad is None else self._grad.numpy()

    def clear_gradient(self, set_to_zero: bool = True) -> None:
        """Zero `.grad` (the next backward replaces it), or forget it with `set_to_zero=False`."""
        if self._grad is None:
            return
        if set_to_zero:
            grad = self._grad
            grad._data = grad._backend.xp.zeros_like(grad._data)
            grad._version, grad._borrowed = None, False
            self._grad_is_old = True
        else:
            self._grad, self._grad_is_old = None, False

    clear_grad = clear_gradient

    def backward(
        self,
        grad_tensor: Tensor | None = None,
        retain_graph: bool = False,
        create_graph: bool = False,
        *,
        dump_backward_graph_path: str | None = None,
    ) -> None:
        """Compute the gradients of all leaves that this tensor was made from.

        `grad_tensor` is the gradient to start from: ones of this shape when not given.

        Raises
        ------
        ArgumentTypeError, ShapeError: `grad_tensor` does not fit.
        GraphFreedError: an earlier backward freed the graph.
        """
        from minigrad.autograd.entry import backward

        seeds = None if grad_tensor is None else [grad_tensor]
        backward(
            [self],
            seeds,
            retain_graph,
            create_graph,
            dump_backward_graph_path=dump_backward_graph_path,
        )

    def retain_grads(self) -> None:
        """Keep the gradient of an interior tensor in `.grad`; it is a hook, and takes its turn."""
        if self.is_leaf or self._edge is None or self.__dict__.get("_retains") is self._edge[0]:
            return
        from minigrad.autograd.hooks import keep_gradient

        self._retains = self._edge[0]
        add_hook(self, keep_gradient(self), keeps=True)

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> HookHandle:
        """Let `hook` see, and replace if it returns one, this tensor's summed gradient.

        Raises
        ------
        ArgumentValueError: this tensor stops gradients.
        """
        if self._edge is None:
            raise ArgumentValueError(
                message(
                    "Cannot register hook on a tensor that stop gradient.",
                    hint="set stop_gradient = False first.",
                )
            )
        return add_hook(self, hook)

    def detach(self) -> Tensor:
        """The same memory without history; writes in place are seen by both."""
        out = wrap(self._data, self._backend)
        out._version, out._borrowed = version_of(self), self._borrowed
        return out

    def _accumulate(self, gradient: Any, *, create_graph: bool) -> None:
        """Add to `.grad`; the first gradient is moved in, and only an own array is written."""
        held = None if self._grad_is_old else self._grad
        if create_graph:
            if held is None:
                self._grad = wrap(gradient._data, self._backend, gradient._edge)
                self._grad._borrowed = True
            else:
                self._grad = held + gradient
        elif held is None:
            self._grad = lend(gradient, self._backend)
        elif held._borrowed or not held.is_leaf:
            if not held.is_leaf:  # its history is that of the old sum
                held = self._grad = lend(held._data, self._backend)
            held._data = _array(held._data + gradient, self._backend)
            held._version, held._borrowed = None, False
        else:
            held._data = self._backend.add_into(held._data, gradient)
            if held._version is not None:
                held._version.step(None)
        self._grad_is_old = False


class Parameter(Tensor):
    """A Tensor that a layer learns: a leaf whose gradient is wanted.

    Example
    -------
    >>> import minigrad as mg
    >>> mg.create_parameter([2], "float32").stop_gradient
    False
    """

    _leaf_name = ("create_parameter", ".w_0")

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"

    @property
    def trainable(self) -> bool:
        """The opposite of `stop_gradient`."""
        return not self.stop_gradient

    @trainable.setter
    def trainable(self, trainable: bool) -> None:
        self.stop_gradient = not trainable


def _array(array: Any, backend: Backend) -> Any:
    """`array`, or the 0-D array of the scalar that NumPy makes of one."""
    return array if array.__class__ is backend.array_type else backend.asarray(array)


def wrap(array: Any, backend: Backend, edge: Edge | None = None) -> Tensor:
    """A Tensor of an array, without a copy."""
    tensor = _new(Tensor)
    tensor._data = _array(array, backend)
    tensor._backend = backend
    tensor._edge = edge
    return tensor


def lend(array: Any, backend: Backend) -> Tensor:
    """A gradient of the engine's as the user sees it: a leaf; writing into it copies first."""
    tensor = wrap(array, backend)
    tensor._borrowed = True
    tensor._edge = (AccumulationNode(tensor), 0)
    return tensor


def as_operand(value: Any, like: Tensor | None, op: str) -> Tensor:
    """A constant Tensor of what stands beside a Tensor in an op: a number or an array.

    Raises
    ------
    ArgumentTypeError: it is neither.
    """
    target = backends.current() if like is None else like._backend
    if isinstance(value, (bool, int, float, np.number, np.bool_)):
        kind = like.dtype if like is not None and _fits(value, like.dtype) else None
        from minigrad.creation import to_tensor

        return to_tensor(value, dtype=kind, place=target.name)
    if isinstance(value, np.ndarray) or backends.backend_of(value) is not None:
        from minigrad.creation import to_tensor

        return to_tensor(value, place=target.name)
    raise ArgumentTypeError(
        message(
            f"{op} takes tensors, not {type(value).__name__}.",
            where=describe(find_origin()),
            hint="make one with minigrad.to_tensor(value).",
        )
    )


def _fits(value: Any, dtype: np.dtype[Any]) -> bool:
    """Whether a number keeps its kind in `dtype`: no float in an int, no int in a bool."""
    name = dtype_name(dtype)
    if isinstance(value, (bool, np.bool_)):
        return True
    if isinstance(value, (int, np.integer)):
        return name != "bool"
    return name.startswith(("float", "bfloat", "complex"))


# At the end: running an op needs the Tensor above.
from minigrad.autograd import apply as _apply  # noqa: E402

_operators.binary = _apply.binary
