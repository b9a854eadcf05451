"""Gradient hooks: functions that see, and may replace, the summed gradient of a tensor."""

from __future__ import annotations

import itertools
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from minigrad.autograd.modes import enable_grad
from minigrad.autograd.origin import describe
from minigrad.dtype import dtype_name
from minigrad.errors import ArgumentTypeError, GradientError, message

if TYPE_CHECKING:
    from minigrad.autograd.node import Node

__all__ = ["Hook", "HookHandle", "add_hook", "keep_gradient", "run_hooks"]

_ids = itertools.count()


class Hook:
    """One registered function and the slot of the node that it belongs to."""

    __slots__ = ("function", "id", "keeps", "slot")

    def __init__(self, function: Callable[[Any], Any], slot: int, *, keeps: bool = False) -> None:
        self.id = next(_ids)
        self.function = function
        self.slot = slot
        self.keeps = keeps  # of retain_grads: it keeps the gradient and changes nothing

    @property
    def name(self) -> str:
        """What the user calls the function."""
        if self.keeps:
            return "retain_grads"
        return str(getattr(self.function, "__name__", type(self.function).__name__))


class HookHandle:
    """What `register_hook` returns: `remove()` takes the hook away again."""

    def __init__(self, node: Node, hook: Hook, owner: str) -> None:
        self._node, self._hook, self._owner = node, hook, owner

    def remove(self) -> bool:
        """Remove the hook; True, or False with a warning when it is not there any more."""
        hooks = self._node.hooks or []
        if self._hook in hooks:
            # A new list, so that a hook may remove itself while the old one is being walked.
            self._node.hooks = [hook for hook in hooks if hook is not self._hook]
            return True
        warnings.warn(
            f"The backward hook (ID: {self._hook.id}) of Tensor `{self._owner}` you want to remove "
            "does not exist or has been removed.",
            RuntimeWarning,
            stacklevel=2,
        )
        return False


def add_hook(tensor: Any, function: Callable[[Any], Any], *, keeps: bool = False) -> HookHandle:
    """Register `function` on the gradient of `tensor`, after the hooks that are there.

    Raises
    ------
    ArgumentTypeError: `function` is not callable.
    """
    if not callable(function):
        raise ArgumentTypeError(
            message(
                f"A hook must be callable, not {type(function).__name__}.",
                hint="pass a function of one Tensor that returns a Tensor or None.",
            )
        )
    node, slot = tensor._edge
    hook = Hook(function, slot, keeps=keeps)
    node.hooks = [*(node.hooks or []), hook]
    return HookHandle(node, hook, tensor.name)


def run_hooks(node: Node, gradients: list[Any]) -> Iterator[tuple[Hook, Any, Any]]:
    """Run a node's hooks in order on its summed gradients, which they change in place.

    Yields (hook, gradient before, gradient after) after each call. A hook registered by a hook runs
    too; one with an undefined gradient is not called.

    Raises
    ------
    GradientError: a hook gave a gradient of another shape or dtype.
    ArgumentTypeError: a hook gave something that is no Tensor.
    """
    done: set[int] = set()
    while True:
        hook = next((h for h in node.hooks or () if h.id not in done), None)
        if hook is None:
            return
        done.add(hook.id)
        before = gradients[hook.slot]
        if before is not None:
            gradients[hook.slot] = _call(node, hook, before)
            yield hook, before, gradients[hook.slot]


def _call(node: Node, hook: Hook, gradient: Any) -> Any:
    """The gradient that flows on after one hook has seen `gradient` (an array or a Tensor)."""
    from minigrad.tensor import Tensor, lend

    on_tensors = isinstance(gradient, Tensor)
    shown = gradient if on_tensors else lend(gradient, node.backend)
    with enable_grad():
        answer = hook.function(shown)
    if hook.keeps or answer is None:
        return shown if on_tensors else shown._data  # the hook may have written into it
    if not isinstance(answer, Tensor):
        raise ArgumentTypeError(
            message(
                f"The hook {hook.name} returned {type(answer).__name__}, not a Tensor or None.",
                where=describe(node.origin),
                hint="return the new gradient as a Tensor, or None to keep it.",
            )
        )
    _check(node, hook, shown, answer)
    return answer if on_tensors else node.backend.copy(answer._data)


def _check(node: Node, hook: Hook, before: Any, after: Any) -> None:
    for what, was, now in (
        ("shape", list(before.shape), list(after.shape)),
        ("dtype", dtype_name(before.dtype), dtype_name(after.dtype)),
    ):
        if was != now:
            raise GradientError(
                message(
                    f"The hook {hook.name} changed the {what} of a gradient: {was} became {now}.",
                    where=describe(node.origin),
                    why=f"a gradient has the {what} of its tensor.",
                    hint="return a gradient of the same shape and dtype.",
                )
            )


def keep_gradient(tensor: Any) -> Callable[[Any], None]:
    """The hook that `retain_grads` registers: `.grad` becomes the gradient of each backward."""
    kept = weakref.ref(tensor)

    def keep(gradient: Any) -> None:
        owner = kept()
        if owner is not None:
            owner._grad, owner._grad_is_old = gradient, False

    return keep
