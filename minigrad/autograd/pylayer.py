"""PyLayer: an op whose backward the user writes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from minigrad.autograd.modes import mode, set_grad_enabled
from minigrad.autograd.node import Edge, Node
from minigrad.autograd.origin import describe, find_origin
from minigrad.autograd.saved import version_of
from minigrad.dtype import dtype_name
from minigrad.errors import (
    ArgumentValueError,
    GradientError,
    InplaceError,
    message,
)
from minigrad.tensor import Tensor, wrap

__all__ = ["PyLayer", "PyLayerContext", "once_differentiable"]


class PyLayerContext:
    """What forward leaves for backward: `ctx`. It takes any attribute as well."""

    _node: PyLayerNode | None = None

    def __init__(self) -> None:
        self._saved: Any = None
        self._versions: list[tuple[Any, Any, int]] = []
        self._materialize = True
        self._consistent = True
        self._not_differentiable: list[Tensor] = []
        self._not_inplace: list[Tensor] = []

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors for backward; a second call replaces the first."""
        self._saved = tensors
        counters = [(t, version_of(t)) for t in tensors if isinstance(t, Tensor)]
        self._versions = [(t, version, version.count) for t, version in counters]

    def saved_tensor(self) -> Any:
        """What was saved, as a tuple; None if nothing was.

        Raises
        ------
        InplaceError: one of them was written in place since forward.
        """
        for tensor, version, count in self._versions:
            if version.count != count:
                raise InplaceError(
                    message(
                        f"A tensor of shape {list(tensor.shape)} that this PyLayer saved has been "
                        "modified by an inplace operation.",
                        where=describe(self._node.origin if self._node else None),
                        why=f"its version is {version.count}, the expected version is {count}.",
                        hint="save a clone(), or write after backward.",
                    )
                )
        return self._saved

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs of forward have no gradient."""
        self._not_differentiable += tensors

    def mark_not_inplace(self, *tensors: Tensor) -> None:
        """Say which inputs are returned by forward without having been written."""
        self._not_inplace += tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether backward gets zeros (True) or None for outputs without a gradient."""
        self._materialize = bool(value)

    def set_grad_in_dtype_consistent(self, flag: bool) -> None:
        """Whether gradients reach backward in the dtype of their outputs."""
        self._consistent = bool(flag)


class PyLayer:
    """Subclass it with static methods `forward(ctx, ...)` and `backward(ctx, *gradients)`.

    forward runs without recording. backward gets one gradient for each tensor that forward
    returned, and returns one for each tensor argument of forward (None for no gradient).

    Example
    -------
    >>> import minigrad as mg
    >>> class Cube(mg.autograd.PyLayer):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x * x
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         (x,) = ctx.saved_tensor()
    ...         return g * 3 * x * x
    >>> x = mg.to_tensor(2.0, stop_gradient=False)
    >>> Cube.apply(x).backward()
    >>> x.grad.item()
    12.0
    """

    @staticmethod
    def forward(ctx: PyLayerContext, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; at least one is a Tensor."""
        raise NotImplementedError("You must implement the forward function for PyLayer.")

    @staticmethod
    def backward(ctx: PyLayerContext, *gradients: Any) -> Any:
        """Compute the gradient of each tensor argument of forward."""
        raise NotImplementedError("You must implement the backward function for PyLayer.")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward, and record a node for backward when an argument needs a gradient.

        Raises
        ------
        ArgumentValueError: forward returned no Tensor.
        """
        context = PyLayerContext()
        inputs = _tensor_arguments([*args, *kwargs.values()])
        with set_grad_enabled(False):
            result = cls.forward(context, *args, **kwargs)
        several = isinstance(result, (list, tuple))
        outputs = list(result) if several else [result]
        tensors = [o for o in outputs if isinstance(o, Tensor)]
        if not tensors:
            raise ArgumentValueError(
                message(
                    f"{cls.__name__}: At least one output of `PyLayer.forward` is a `Tensor`.",
                    where=describe(find_origin()),
                )
            )
        flat = [t for group in inputs for t in (group if isinstance(group, list) else [group])]
        if mode.grad_enabled and any(t._edge is not None for t in flat):
            outputs = _record(cls, context, inputs, flat, outputs)
        return type(result)(outputs) if several else outputs[0]


def _tensor_arguments(arguments: Sequence[Any]) -> list[Any]:
    """Each tensor argument, or list of the tensors of a list argument, in order."""
    found: list[Any] = []
    for argument in arguments:
        if isinstance(argument, Tensor):
            found.append(argument)
        elif isinstance(argument, (list, tuple)):
            inner = [t for t in argument if isinstance(t, Tensor)]
            if inner:
                found.append(inner)
    return found


def _record(
    cls: type[PyLayer],
    context: PyLayerContext,
    inputs: list[Any],
    flat: list[Tensor],
    outputs: list[Any],
) -> list[Any]:
    """The outputs of forward with a node behind them."""
    tensors = [o for o in outputs if isinstance(o, Tensor)]
    node = PyLayerNode(cls, context, inputs, flat, tensors)
    context._node = node
    marked = {id(t) for t in context._not_differentiable}
    untouched = {id(t) for t in context._not_inplace}
    slot, made = 0, []
    for output in outputs:
        if not isinstance(output, Tensor):
            made.append(output)
            continue
        edge: Edge | None = None if id(output) in marked else (node, slot)
        slot += 1
        if any(output is t for t in flat) and id(output) not in untouched:
            output._may_be_written(output)
            version_of(output).step(find_origin(2))
            output._edge = edge
            made.append(output)
        else:
            fresh = wrap(output._data, output._backend, edge)
            fresh._version = version_of(output)
            made.append(fresh)
    if mode.observer is not None:
        mode.observer.op(node, flat, [o for o in made if isinstance(o, Tensor)], ())
    return made


class PyLayerNode(Node):
    """The node of one PyLayer call: runs the user's backward.

    Attributes
    ----------
    layer: the PyLayer class.
    saved: its ctx; None when the node is spent.
    groups: for each tensor argument None, or how many tensors a list argument has.
    """

    kind = "pylayer"

    def __init__(
        self,
        layer: type[PyLayer],
        context: PyLayerContext,
        inputs: list[Any],
        flat: list[Tensor],
        outputs: list[Tensor],
    ) -> None:
        slots = tuple((t._data.shape, t._data.dtype) for t in outputs)
        super().__init__(tuple(t._edge for t in flat), slots, outputs[0]._backend, find_origin(3))
        self.layer = layer
        self.saved: PyLayerContext | None = context
        self.groups = [len(i) if isinstance(i, list) else None for i in inputs]

    def name(self) -> str:
        return f"GradNodePyLayer_{self.layer.__name__}"

    def run(
        self, gradients: list[Any], edges: Sequence[Edge | None], *, create_graph: bool
    ) -> Sequence[Any]:
        """Call the user's backward and check what it returns.

        Raises
        ------
        GraphFreedError: the node is spent.
        GradientError: too few or too many gradients, or one of a wrong shape.
        """
        context = self.saved
        if context is None:
            raise self.spent_error()
        given = [self._shown(slot, g, create_graph, context) for slot, g in enumerate(gradients)]
        with set_grad_enabled(create_graph):
            answer = self.layer.backward(context, *given)
        results = self._flatten(answer)
        return [
            None if edge is None or result is None else self._taken(result, number, create_graph)
            for number, (edge, result) in enumerate(zip(edges, results))
        ]

    def saved_items(self) -> list[tuple[str, Any]]:
        saved = (self.saved._saved or ()) if self.saved else ()
        return [(f"saved{i}", t._data) for i, t in enumerate(saved) if isinstance(t, Tensor)]

    def _shown(
        self, slot: int, gradient: Any, create_graph: bool, context: PyLayerContext
    ) -> Tensor | None:
        """A gradient as backward sees it."""
        if gradient is None:
            return wrap(self.undefined(slot), self.backend) if context._materialize else None
        if create_graph:
            shown: Tensor = gradient
            return shown
        shown = wrap(gradient, self.backend)
        shown._borrowed = True
        return shown

    def _flatten(self, answer: Any) -> list[Any]:
        """One entry for each tensor that went into forward."""
        listed = list(answer) if isinstance(answer, tuple) else [answer]
        expected = len(self.groups)
        if len(listed) > expected:
            raise self._error(
                f"The number of outputs of `PyLayer.backward` should be {expected}, "
                f"but received {len(listed)}."
            )
        results: list[Any] = []
        for number, group in enumerate(self.groups):
            own = self.edges[len(results) : len(results) + (1 if group is None else group)]
            if number >= len(listed) and any(own):
                raise self._error(
                    f"backward function should not return empty at {number} position."
                )
            entry = listed[number] if number < len(listed) else None
            results += [entry] if group is None else self._ungrouped(entry, number, group)
        for number, (edge, result) in enumerate(zip(self.edges, results)):
            self._check(number, edge, result)
        return results

    def _ungrouped(self, entry: Any, number: int, group: int) -> list[Any]:
        """The gradients for a list argument of `group` tensors."""
        if entry is None:
            return [None] * group
        if isinstance(entry, (list, tuple)) and len(entry) == group:
            return list(entry)
        raise self._error(
            f"input {number} was a list of {group} tensors; "
            f"its gradient should be a tuple of {group}."
        )

    def _check(self, number: int, edge: Edge | None, result: Any) -> None:
        if result is None:
            return
        if not isinstance(result, Tensor):
            raise self._error(
                f"backward can return Tensor or None, but got {type(result).__name__} "
                f"at {number} position."
            )
        if edge is None:
            raise self._error(
                f"backward function should return None at {number} position, "
                "because it's forward Tensor's stopgradient is true."
            )

    def _taken(self, result: Tensor, number: int, create_graph: bool) -> Any:
        """A returned gradient as the engine's own: a copy, so that nobody else writes into it."""
        edge = self.edges[number]
        shape, dtype = edge[0].slots[edge[1]] if edge is not None else (result.shape, result.dtype)
        if tuple(result.shape) != tuple(shape):
            raise self._error(
                f"backward returned a gradient of shape {list(result.shape)} for input {number}, "
                f"which has shape {list(shape)}."
            )
        if create_graph:
            return result
        copied = self.backend.copy(result._data)
        same = dtype_name(copied.dtype) == dtype_name(dtype)
        return copied if same else self.backend.xp.astype(copied, dtype)

    def _error(self, what: str) -> GradientError:
        return GradientError(message(f"{self.name()}: {what}", where=describe(self.origin)))


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a PyLayer's backward whose gradients have no graph of their own."""

    @functools.wraps(backward)
    def wrapped(ctx: PyLayerContext, *gradients: Any) -> Any:
        with set_grad_enabled(False):
            answer = backward(ctx, *gradients)
        several = isinstance(answer, (list, tuple))
        cut = [
            t.detach() if isinstance(t, Tensor) else t for t in (answer if several else [answer])
        ]
        return tuple(cut) if several else cut[0]

    return wrapped
