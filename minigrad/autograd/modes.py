"""Whether ops are recorded for backward, and who is watching: one state per thread.

with mg.no_grad(): ...            also as a decorator
with mg.enable_grad(): ...
mg.set_grad_enabled(False)        takes effect at once; as a context it is undone at the end
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from minigrad.errors import ArgumentTypeError, message

__all__ = ["enable_grad", "is_grad_enabled", "mode", "no_grad", "set_grad_enabled"]

P = ParamSpec("P")
R = TypeVar("R")


class _Mode(threading.local):
    """The state of one thread.

    Attributes
    ----------
    grad_enabled: whether an op whose inputs need gradients gets a grad node.
    observer: makes and keeps events while a recorder is active, else None.
    quick: grad is enabled and nobody is watching: the usual case, asked with one look.
    """

    grad_enabled = True
    observer: Any = None
    quick = True

    def set(self, grad_enabled: bool, observer: Any) -> None:
        self.grad_enabled = grad_enabled
        self.observer = observer
        self.quick = grad_enabled and observer is None


mode = _Mode()


def is_grad_enabled() -> bool:
    """Whether ops are being recorded for backward on this thread."""
    return mode.grad_enabled


class set_grad_enabled:  # noqa: N801 (a function to its users, as in Paddle)
    """Switch recording for backward on or off, at once; used with `with`, only within the block.

    Raises
    ------
    ArgumentTypeError: `enabled` is not a bool.

    Example
    -------
    >>> with set_grad_enabled(False):
    ...     is_grad_enabled()
    False
    >>> is_grad_enabled()
    True
    """

    def __init__(self, enabled: bool) -> None:
        if not isinstance(enabled, bool):
            raise ArgumentTypeError(message(f"enabled must be True or False, not {enabled!r}."))
        self._before = mode.grad_enabled
        mode.set(enabled, mode.observer)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        mode.set(self._before, mode.observer)


class _Switch:
    """A context manager and decorator that sets grad mode and restores what was there."""

    _enabled: bool

    def __init__(self) -> None:
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(mode.grad_enabled)
        mode.set(self._enabled, mode.observer)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        mode.set(self._before.pop(), mode.observer)

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        made = type(self)

        @functools.wraps(function)
        def wrapped(*args: P.args, **keywords: P.kwargs) -> R:
            with made():
                return function(*args, **keywords)

        return wrapped


class _NoGrad(_Switch):
    _enabled = False


class _EnableGrad(_Switch):
    _enabled = True


def no_grad(function: Any = None) -> Any:
    """A block, or a decorated function, in which no op is recorded for backward.

    Example
    -------
    >>> with no_grad():
    ...     is_grad_enabled()
    False
    >>> @no_grad()
    ... def evaluate():
    ...     return is_grad_enabled()
    >>> evaluate()
    False
    """
    return _NoGrad() if function is None else _NoGrad()(function)


def enable_grad(function: Any = None) -> Any:
    """A block, or a decorated function, in which ops are recorded, also inside `no_grad`."""
    return _EnableGrad() if function is None else _EnableGrad()(function)
