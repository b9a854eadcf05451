"""The short texts for a node, a number and a value: every view has them from here."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from minigrad.viz.measure import shorten

if TYPE_CHECKING:
    from minigrad.tracing.trace import Node, Trace, Value

__all__ = [
    "IN_A_NODE",
    "byte_text",
    "detail",
    "norm_of",
    "number",
    "seed_text",
    "shape_text",
    "short_value",
    "size_text",
    "title",
]

IN_A_NODE = 18  # characters of a value that is written in a node; the stepper cuts there too
_SMALL = 4  # arrays of up to so many numbers are written out in a label


def title(node: Node) -> str:
    """The name a node is known by: `add3`, or `a.grad` for the accumulation node of the leaf `a`.

    Example
    -------
    >>> from types import SimpleNamespace
    >>> title(SimpleNamespace(id=4, kind="accumulation", name="a", op=None))
    'a.grad'
    """
    name = node.name or node.op or f"{node.kind} {node.id}"
    return shorten(f"{name}.grad" if node.kind == "accumulation" else name, 28)


def detail(node: Node) -> str:
    """The second line of a node, what the user wrote: `e = d + d`, or as much as is known of it.

    Example
    -------
    >>> from types import SimpleNamespace
    >>> detail(SimpleNamespace(kind="op", variable="e", expression="d + d"))
    'e = d + d'
    """
    if node.kind == "accumulation":
        return ""
    both = node.variable and node.expression
    text = f"{node.variable} = {node.expression}" if both else node.expression or node.variable
    return shorten(text or "", 26)


def seed_text(trace: Trace, node: int, slot: int, *, given: bool) -> str:
    """What stands beside a root: `your seed for e`, or `ones for e` when none was given."""
    record = trace.nodes[node]
    name = record.slots[slot].variable
    if not name:
        name = record.variable or record.name or record.op or str(node)
        name += f" slot {slot}" if len(record.slots) > 1 else ""
    return f"{'your seed' if given else 'ones'} for {shorten(name, 28)}"


def number(value: Any) -> str:
    """A number in at most seven characters or so: `3`, `-0.5`, `1.25e-07`, `nan`.

    Example
    -------
    >>> number(3.0), number(-0.125), number(1234567.0), number("NaN"), number(2e-9)
    ('3', '-0.125', '1.23e+06', 'nan', '2e-09')
    """
    real = float(value)
    if math.isnan(real):
        return "nan"
    if math.isinf(real):
        return "inf" if real > 0 else "-inf"
    if real == int(real) and abs(real) < 100_000:
        return str(int(real))
    if 1e-3 <= abs(real) < 100_000:
        return f"{real:.4g}"
    return f"{real:.2e}".replace(".00e", "e").replace("0e", "e")


def shape_text(shape: tuple[int, ...], dtype: str = "") -> str:
    """A shape as Paddle's users read it, after its dtype when one is given: `float32[64, 256]`.

    Example
    -------
    >>> shape_text((64, 256), "float32"), shape_text(())
    ('float32[64, 256]', '[]')
    """
    return f"{dtype}[{', '.join(map(str, shape))}]"


def short_value(value: Value | None, limit: int = 12) -> str:
    """A value for a label of `limit` characters: its numbers if they fit, else its shape.

    An array that is one number over and over is written as that number.
    """
    if value is None:
        return "undefined"
    constant = _constant(value)
    if constant is not None:
        return number(constant)
    if value.data and len(value.data) <= _SMALL:
        text = f"[{', '.join(number(item) for item in value.data)}]"
        if len(text) <= limit:
            return text
    return shorten(size_text(value.shape), limit)


def _constant(value: Value) -> Any:
    """The number that an array is full of; None when it is not, or when nobody can tell."""
    data = value.data
    if data is None:
        return value.min if value.min == value.max and not (value.nan or value.inf) else None
    return data[0] if data and all(item == data[0] for item in data) else None


def size_text(shape: tuple[int, ...]) -> str:
    """How much there is in an array, so that nobody takes it for a number in it.

    Example
    -------
    >>> size_text((64, 10)), size_text((5,)), size_text(())
    ('64×10', '5 numbers', 'a number')
    """
    if len(shape) < 2:
        return f"{shape[0]} numbers" if shape else "a number"
    return "×".join(map(str, shape))


def norm_of(value: Value) -> float | None:
    """The Euclidean norm of a value; None when nothing was kept to tell it from.

    Example
    -------
    >>> from types import SimpleNamespace
    >>> norm_of(SimpleNamespace(data=(3.0, 4.0), norm=None))
    5.0
    """
    return value.norm if value.data is None else _norm([float(item) for item in value.data])


def _finite(numbers: list[float]) -> bool:
    return all(map(math.isfinite, numbers))


def _norm(numbers: list[float]) -> float:
    return math.sqrt(math.fsum(item * item for item in numbers)) if _finite(numbers) else math.nan


def byte_text(count: int) -> str:
    """A number of bytes for a person: `400 B`, `1.5 KiB`, `3.0 MiB`.

    Example
    -------
    >>> byte_text(400), byte_text(1536), byte_text(3 * 1024**2)
    ('400 B', '1.5 KiB', '3.0 MiB')
    """
    size, unit = float(count), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if abs(size) < 1024:
            break
        size, unit = size / 1024, larger
    return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
