"""Trace: everything that happened in a recorded block, as records that nothing can change.

A Trace holds no tensors and no graph. It can be written as JSON and read back, asked for the state
after any event, and drawn.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minigrad import _lazy
from minigrad.autograd.events import Event, Value
from minigrad.errors import TraceError, message

__all__ = ["Node", "OpInfo", "Pass", "Saved", "Slot", "Source", "Step", "Trace", "Value"]

VERSION = 1


@dataclass(frozen=True, slots=True)
class Slot:
    """One forward output of a node: the shape and dtype of the gradient that is held there."""

    shape: tuple[int, ...]
    dtype: str
    variable: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved tensor; the same `buffer` means the same memory."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    bytes: int
    buffer: int


@dataclass(frozen=True, slots=True)
class Node:
    """A grad node.

    Attributes
    ----------
    id: its number, in the order in which nodes were made.
    kind: `"op"`, `"pylayer"` or `"accumulation"`.
    op: the name of the op or PyLayer class.
    name: `multiply1`; of an accumulation node, the name of its leaf.
    variable: the user's name for the result.
    expression: the source of the sub-expression that made it.
    source: (index into the sources, line), or None.
    scope: the layers and scopes around it, `net/fc1`.
    slots: one for each forward output.
    operands, inputs, edges: for each input the op's name for it, the user's name for it, and
        (node, slot) where its gradient goes, or None.
    attributes: the op's other arguments, as text.
    saved: what it keeps for backward.
    """

    id: int
    kind: str
    op: str = ""
    name: str = ""
    variable: str = ""
    expression: str = ""
    source: tuple[int, int] | None = None
    scope: str = ""
    slots: tuple[Slot, ...] = ()
    operands: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    edges: tuple[tuple[int, int] | None, ...] = ()
    attributes: dict[str, str] | None = None
    saved: tuple[Saved, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A source file: its lines that made nodes, and the functions they are in."""

    file: str
    lines: dict[int, str]
    functions: dict[int, str]


@dataclass(frozen=True, slots=True)
class OpInfo:
    """The formula of an op, and of the gradient of each operand, in LaTeX."""

    formula: str
    rules: dict[str, str]


@dataclass(frozen=True, slots=True)
class Pass:
    """One backward pass: its events are those from `first` to `last`, inner passes included."""

    id: int
    kind: str
    roots: tuple[tuple[int, int], ...]
    retain_graph: bool
    create_graph: bool
    first: int
    last: int
    parent: int | None = None
    parent_node: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What a person steps by: a seed, a node firing, a leaf; events `first` to `last`."""

    kind: str
    pass_id: int
    node: int | None
    first: int
    last: int
    sentence: str


class Trace:
    """A recorded block; made by `record()` and by `from_json`.

    In a notebook it shows the stepper, in a terminal a table, and where nothing can run, a picture.

    Attributes
    ----------
    events: all events in order; `events[i].index == i`.
    nodes, passes, steps, sources: records, by number.
    ops: the formulas of the ops that occur.
    title: what it is a trace of.
    """

    def __init__(self) -> None:
        self.title = ""
        self.nodes: tuple[Node, ...] = ()
        self.sources: tuple[Source, ...] = ()
        self.ops: dict[str, OpInfo] = {}
        self.passes: tuple[Pass, ...] = ()
        self.events: tuple[Event, ...] = ()
        self.steps: tuple[Step, ...] = ()

    # -- reading ---------------------------------------------------------------------------------

    def at(self, index: int) -> Any:
        """The state right after event `index`: holders, ready queue, in-degrees, leaf gradients.

        Raises
        ------
        IndexError: there is no such event.
        """
        return _lazy.find("at")(self, index)

    @property
    def peak_bytes(self) -> int:
        """The most bytes held at once by saved tensors, holders and leaf gradients."""
        peak: int = _lazy.find("peak_bytes")(self)
        return peak

    def __len__(self) -> int:
        return len(self.events)

    # -- JSON ------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The trace as JSON types, version 1."""
        from minigrad.tracing.encode import encode

        return encode(self)

    def to_json(self, path: str | Path | None = None) -> str:
        """The trace as JSON text, the same for the same program; written to `path` if given."""
        text = json.dumps(self.to_dict(), separators=(",", ":"), allow_nan=False)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    @classmethod
    def from_dict(cls, data: Any) -> Trace:
        """The trace that `to_dict` gave.

        Raises
        ------
        TraceError: it does not fit the schema; the message says where.
        """
        from minigrad.tracing.encode import decode

        _lazy.find("validate")(data)
        return decode(data, cls())

    @classmethod
    def from_json(cls, source: str | Path) -> Trace:
        """Read a trace from JSON text, or from a file. Nothing in it is executed.

        Raises
        ------
        TraceError: it is no JSON, or does not fit the schema; the message says where.

        Example
        -------
        >>> import minigrad as mg
        >>> x = mg.to_tensor(3.0, stop_gradient=False)
        >>> with mg.record() as trace:
        ...     (x * x).backward()
        >>> mg.Trace.from_json(trace.to_json()).to_json() == trace.to_json()
        True
        """
        text = str(source)
        if isinstance(source, Path) or (text.endswith(".json") and "{" not in text):
            text = Path(source).read_text(encoding="utf-8")
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise TraceError(
                message(
                    "This is no trace: it is not valid JSON.",
                    where=str(error),
                    hint="give the text that to_json() returned, or the path of such a file.",
                )
            ) from None
        return cls.from_dict(data)

    # -- drawing ---------------------------------------------------------------------------------

    def __str__(self) -> str:
        return str(_lazy.find("table")(self))

    def __repr__(self) -> str:
        return str(self)

    def to_svg(self, step: int | None = None) -> str:
        """A picture of the graph after a step (the last if not given), as SVG text."""
        return str(_lazy.find("to_svg")(self, step))

    def to_dot(self) -> str:
        """The graph for Graphviz."""
        return str(_lazy.find("to_dot")(self))

    def to_html(self, path: str | Path | None = None) -> str:
        """The stepper as one HTML file that works anywhere, offline; written to `path` if given."""
        return str(_lazy.find("to_html")(self, path))

    def stepper(self) -> Any:
        """The stepper as a widget."""
        return _lazy.find("Stepper")(self)

    def plot_memory(self, **options: Any) -> Any:
        """Bytes over time, in matplotlib; the Axes."""
        return _lazy.find("plot_memory")(self, **options)

    def plot_gradients(self, **options: Any) -> Any:
        """The norms of the leaf gradients, in matplotlib; the Axes."""
        return _lazy.find("plot_gradients")(self, **options)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """The stepper for those who can run it, and a picture and a table for the others."""
        if not self.steps:
            return {"text/plain": str(self)}
        stepper = self.stepper()
        made = stepper._repr_mimebundle_(include=include, exclude=exclude)
        data, metadata = made if isinstance(made, tuple) else (made, {})
        return {**data, "text/plain": str(self), "image/svg+xml": self.to_svg()}, metadata
