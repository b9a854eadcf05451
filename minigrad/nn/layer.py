"""Layer: parameters, buffers and sublayers under one name each, and a forward function.

A layer's state is its attributes: those that are Parameters are its parameters, those that are
Layers are its sublayers, and those registered as buffers are its buffers.
"""

from __future__ import annotations

import itertools
import re
import threading
import warnings
from collections.abc import Callable
from typing import Any

from minigrad import creation
from minigrad.autograd.modes import mode
from minigrad.dtype import as_dtype, dtype_name, get_default_dtype, is_floating
from minigrad.errors import ArgumentTypeError, ShapeError, message
from minigrad.nn.attributes import as_attr
from minigrad.nn.initializer import Constant, XavierUniform
from minigrad.nn.members import Members, joined
from minigrad.tensor import Tensor, _next_name

__all__ = ["ForwardHookHandle", "Layer"]

_hook_ids = itertools.count()


class _Running(threading.local):
    """The layers that are running on this thread, outermost first; kept while recording."""

    def __init__(self) -> None:
        self.layers: list[Layer] = []


_running = _Running()


class ForwardHookHandle:
    """What `register_forward_pre_hook` returns: `remove()` takes the hook away again."""

    def __init__(self, hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any]) -> None:
        self._hooks, self._id = hooks, next(_hook_ids)
        hooks[self._id] = hook

    def remove(self) -> None:
        """Take the hook away; nothing happens when it is gone already."""
        self._hooks.pop(self._id, None)


def _snake(name: str) -> str:
    """`BCELoss` as `bce_loss`, the way Paddle names layers."""
    words = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", words).lower()


class Layer(Members):
    """Base of everything that has parameters and a forward function.

    Parameters
    ----------
    name_scope: what `full_name` begins with; the class name in lower case if not given.
    dtype: of parameters made by `create_parameter`; the default floating dtype if not given.

    Attributes
    ----------
    training: what `train()` and `eval()` set; Dropout, for one, asks it.

    Example
    -------
    >>> import minigrad as mg
    >>> class Scaled(mg.nn.Layer):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = self.create_parameter([1], is_bias=True)
    ...     def forward(self, x):
    ...         return x * self.factor
    >>> layer = Scaled()
    >>> [name for name, _ in layer.named_parameters()], layer(mg.ones([1])).tolist()
    (['factor'], [0.0])
    """

    training: bool

    def __init__(self, name_scope: str | None = None, dtype: Any = None) -> None:
        self.training = True
        self._full_name = _next_name(name_scope or _snake(type(self).__name__))
        self._dtype = dtype_name(as_dtype(get_default_dtype() if dtype is None else dtype))
        self._buffer_names: dict[str, bool] = {}  # and whether state_dict has it
        self._pre_hooks: dict[int, Callable[..., Any]] = {}
        self._post_hooks: dict[int, Callable[..., Any]] = {}

    def __getattr__(self, name: str) -> Any:
        hint = "" if "_full_name" in vars(self) else "call super().__init__() first in __init__."
        raise AttributeError(
            message(f"{type(self).__name__!r} object has no attribute {name!r}.", hint=hint)
        )

    # -- running -------------------------------------------------------------------------------

    def forward(self, *inputs: Any, **keywords: Any) -> Any:
        """Compute the layer's result; every layer of its own defines this."""
        raise NotImplementedError(
            message(f"{type(self).__name__} does not define forward().", hint="write one.")
        )

    def __call__(self, *inputs: Any, **keywords: Any) -> Any:
        """Run `forward`, with the hooks before and after it."""
        observer = mode.observer
        if observer is None:
            return self._run(inputs, keywords)
        name = self._name_inside()
        _running.layers.append(self)
        observer.enter_scope(name)
        try:
            return self._run(inputs, keywords)
        finally:
            observer.leave_scope()
            _running.layers.pop()

    def _run(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        for hook in list(self._pre_hooks.values()):
            answer = hook(self, inputs)
            if answer is not None:
                inputs = answer if isinstance(answer, tuple) else (answer,)
        outputs = self.forward(*inputs, **keywords)
        for hook in list(self._post_hooks.values()):
            answer = hook(self, inputs, outputs)
            if answer is not None:
                outputs = answer
        return outputs

    def _name_inside(self) -> str:
        """What the layer around calls this one, `fc1` or `blocks/0`; else its class's name."""
        if _running.layers:
            for name, layer in _running.layers[-1].named_sublayers():
                if layer is self:
                    return name.replace(".", "/")
        return _snake(type(self).__name__)

    def register_forward_pre_hook(self, hook: Callable[[Layer, Any], Any]) -> ForwardHookHandle:
        """Call `hook(layer, inputs)` before forward; what it returns replaces the inputs."""
        return ForwardHookHandle(self._pre_hooks, _callable(hook))

    def register_forward_post_hook(
        self, hook: Callable[[Layer, Any, Any], Any]
    ) -> ForwardHookHandle:
        """Call `hook(layer, inputs, outputs)` after forward; what it returns is the output."""
        return ForwardHookHandle(self._post_hooks, _callable(hook))

    def train(self) -> Layer:
        """Let this layer and all inside behave as in training; the layer."""
        return self._set_training(training=True)

    def eval(self) -> Layer:
        """Let this layer and all inside behave as in use, not training; the layer."""
        return self._set_training(training=False)

    def _set_training(self, *, training: bool) -> Layer:
        for layer in self.sublayers(include_self=True):
            layer.training = training
        return self

    # -- state and text ------------------------------------------------------------------------

    def create_parameter(
        self,
        shape: Any,
        attr: Any = None,
        dtype: Any = None,
        is_bias: bool = False,
        default_initializer: Any = None,
    ) -> Any:
        """Make a parameter named after this layer: `linear_0.w_0`, `linear_0.b_0`.

        `attr` is a ParamAttr, a name, an initializer, or False for none. Without an initializer a
        bias is zeros and anything else is drawn by XavierUniform.
        """
        said = as_attr(attr)
        if said is None:
            return None
        default = default_initializer or (Constant(0.0) if is_bias else XavierUniform())
        parameter = creation.create_parameter(
            shape,
            self._dtype if dtype is None else dtype,
            said.name or _next_name(f"{self._full_name}.{'b' if is_bias else 'w'}"),
            default_initializer=said.initializer or default,
        )
        parameter.trainable = said.trainable
        vars(parameter)["optimize_attr"] = {"learning_rate": said.learning_rate}
        return parameter

    def state_dict(self, *, structured_name_prefix: str = "") -> dict[str, Tensor]:
        """The parameters and persistable buffers by path: the tensors themselves, not copies."""
        state: dict[str, Tensor] = {}
        for path, layer in self.named_sublayers(structured_name_prefix, True):
            state.update(layer.named_parameters(path, include_sublayers=False))
            for name, buffer in layer.named_buffers(include_sublayers=False):
                if layer._buffer_names[name]:
                    state[joined(path, name)] = buffer
        return state

    def set_state_dict(
        self, state_dict: dict[str, Any], use_structured_name: bool = True
    ) -> tuple[list[str], list[str]]:
        """Take over the elements of a `state_dict`; the names it lacks, and those it has too many.

        Nothing is changed when a shape does not fit; names that are missing are warned about.

        Raises
        ------
        ArgumentTypeError: `state_dict` is no dict.
        ShapeError: a tensor of another shape.
        """
        if not isinstance(state_dict, dict):
            raise ArgumentTypeError(
                message(
                    f"set_state_dict takes a dict, not {type(state_dict).__name__}.",
                    hint="give what state_dict() of a layer returned.",
                )
            )
        mine = self.state_dict()
        if not use_structured_name:
            mine = {tensor.name: tensor for tensor in mine.values()}
        for name in mine.keys() & state_dict.keys():
            _check_shape(name, mine[name], state_dict[name])
        for name in mine.keys() & state_dict.keys():
            mine[name].set_value(state_dict[name])
        missing = [name for name in mine if name not in state_dict]
        if missing:
            warnings.warn(
                f"The state for {type(self).__name__} lacks {', '.join(missing)}; "
                "what is missing keeps its elements.",
                stacklevel=2,
            )
        return missing, [name for name in state_dict if name not in mine]

    load_dict = set_dict = set_state_dict

    def clear_gradients(self, set_to_zero: bool = True) -> None:
        """Zero the gradients of all parameters, or forget them."""
        for parameter in self.parameters():
            parameter.clear_gradient(set_to_zero)

    def apply(self, fn: Callable[[Layer], Any]) -> Layer:
        """Call `fn` with every layer inside, inner ones first, and this one last; the layer."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def to(self, device: str | None = None, dtype: Any = None) -> Layer:
        """Move parameters and buffers to a device, or floating ones to a dtype, or both; the layer.

        The tensors stay the same objects, so an optimizer that has them goes on.
        """
        for tensor in (*self.parameters(), *self.buffers()):
            _move(tensor, device, dtype)
        if dtype is not None:
            for layer in self.sublayers(include_self=True):
                layer._dtype = dtype_name(as_dtype(dtype))
        return self

    def full_name(self) -> str:
        """The name among all layers made so far: `linear_0`."""
        return self._full_name

    def extra_repr(self) -> str:
        """What stands in the parentheses of the repr."""
        return ""

    def __repr__(self) -> str:
        own = self.extra_repr().split("\n")
        inner = [
            f"({name}): " + repr(child).replace("\n", "\n  ")
            for name, child in self.named_children()
        ]
        text = own[0] if len(own) == 1 else _block(own)
        return f"{type(self).__name__}({text}{_block(inner) if inner else ''})"


def _block(lines: list[str]) -> str:
    return "\n  " + "\n  ".join(lines) + "\n"


def _callable(hook: Any) -> Any:
    if not callable(hook):
        raise ArgumentTypeError(message(f"A hook must be callable, not {type(hook).__name__}."))
    return hook


def _check_shape(name: str, tensor: Tensor, value: Any) -> None:
    shape = list(getattr(value, "shape", ()))
    if not hasattr(value, "shape"):
        raise ArgumentTypeError(
            message(f"The state of {name!r} is {type(value).__name__}, not a tensor or array.")
        )
    if tensor.shape != shape:
        raise ShapeError(
            message(
                f"The state of {name!r} has shape {shape}, the layer's has {list(tensor.shape)}.",
                why="nothing was loaded.",
                hint="make the layer with the sizes that the state was saved from.",
            )
        )


def _move(tensor: Tensor, device: str | None, dtype: Any) -> None:
    """Give a leaf another array, with a fresh accumulation node that has its hooks."""
    moved = tensor.detach()
    if device is not None:
        moved = moved.to(device)
    if dtype is not None and is_floating(moved.dtype):
        moved = moved.astype(dtype)
    stop, node = tensor.stop_gradient, tensor.grad_fn
    tensor.stop_gradient, tensor._parked = True, None
    tensor._data, tensor._backend, tensor._version = moved._data, moved._backend, None
    tensor.stop_gradient = stop
    if tensor.grad_fn is not None and node is not None:
        tensor.grad_fn.hooks = node.hooks
    if tensor._grad is not None:
        _move(tensor._grad, device, dtype)
