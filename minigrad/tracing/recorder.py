"""`record`: keep everything that happens in a block as a Trace."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from minigrad.autograd.modes import mode
from minigrad.autograd.observer import Observer
from minigrad.autograd.origin import user_frame
from minigrad.autograd.snapshot import Snapshots
from minigrad.errors import ArgumentValueError, message
from minigrad.tracing.build import build
from minigrad.tracing.trace import Trace

__all__ = ["name_scope", "record"]


class record:  # noqa: N801 (a function to its users)
    """Record the ops and backward passes of a block; the trace is complete when the block ends.

    Parameters
    ----------
    values: how arrays are kept: `"auto"` (small ones whole, others as statistics), `"full"`,
        `"summary"` or `"none"`.
    budget: bytes that the kept values may take; after that only shapes are kept.
    title: of the trace; made from the roots if not given.

    Raises
    ------
    ArgumentValueError: another word for `values`.

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.to_tensor(3.0, stop_gradient=False)
    >>> with mg.record() as trace:
    ...     (x * x).backward()
    >>> [step.kind for step in trace.steps]
    ['seed', 'node', 'leaf']
    """

    def __init__(
        self, values: str = "auto", budget: int = 64 * 1024 * 1024, title: str = ""
    ) -> None:
        self._observer = Observer(Snapshots(values, budget), keep=True)
        self._title = title
        self._trace = Trace()

    def __enter__(self) -> Trace:
        self._before = mode.observer
        mode.set(mode.grad_enabled, self._observer)
        return self._trace

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        mode.set(mode.grad_enabled, self._before)
        self._observer.name_variables(user_frame())
        build(self._trace, self._observer, self._title)
        del self._observer


class name_scope:  # noqa: N801 (a function to its users)
    """Group the nodes made in a block under a name in traces.

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.to_tensor(3.0, stop_gradient=False)
    >>> with mg.record() as trace:
    ...     with mg.name_scope("square"):
    ...         y = x * x
    ...     y.backward()
    >>> trace.nodes[1].scope
    'square'
    """

    def __init__(self, name: str) -> None:
        if not name or not isinstance(name, str):
            raise ArgumentValueError(message(f"A scope needs a name, not {name!r}."))
        self._name = name
        self._observer: Any = None

    def __enter__(self) -> None:
        self._observer = mode.observer
        if self._observer is not None:
            self._observer.enter_scope(self._name)

    def __exit__(self, *exception: object) -> None:
        if self._observer is not None:
            self._observer.leave_scope()
