"""The errors of minigrad: each is a `MinigradError` and the builtin that a Python user expects."""

from __future__ import annotations

__all__ = [
    "ArgumentTypeError",
    "ArgumentValueError",
    "BackendError",
    "DtypeError",
    "GradientError",
    "GraphFreedError",
    "IndexRangeError",
    "InplaceError",
    "MinigradError",
    "ShapeError",
    "TraceError",
    "UnusedInputError",
    "message",
]


class MinigradError(Exception):
    """Base of every error that minigrad raises on its own account."""


class ArgumentTypeError(MinigradError, TypeError):
    """An argument of the wrong type."""


class ArgumentValueError(MinigradError, ValueError):
    """An argument of the right type and a value that cannot be used."""


class ShapeError(MinigradError, ValueError):
    """Shapes that do not fit together."""


class DtypeError(MinigradError, TypeError):
    """Dtypes that do not fit together."""


class BackendError(MinigradError, RuntimeError):
    """A backend that is not there, or tensors of two backends in one op."""


class GraphFreedError(MinigradError, RuntimeError):
    """A second backward through a grad node that is spent."""


class IndexRangeError(MinigradError, IndexError):
    """An index that does not fit the tensor: out of range, or one too many."""


class InplaceError(MinigradError, RuntimeError):
    """A saved tensor was written in place before backward could use it."""


class GradientError(MinigradError, ValueError):
    """A gradient of the wrong shape, dtype or value came out of a hook, a PyLayer or a rule."""


class UnusedInputError(MinigradError, ValueError):
    """`grad` was asked for an input that the outputs do not depend on."""


class TraceError(MinigradError, ValueError):
    """A stored trace that does not fit the schema."""


def message(what: str, *, where: str = "", why: str = "", hint: str = "") -> str:
    """Put the four parts of an error into one text: what failed, where, why, what to try.

    Parameters
    ----------
    what: the failure in one sentence.
    where: the forward line, as `origin.describe()` gives it.
    why: what changed since, or which rule was broken.
    hint: what to try.

    Example
    -------
    >>> print(message("a failed.", where="train.py:3", why="b changed.", hint="Clone b."))
    a failed.
      where: train.py:3
      why:   b changed.
      try:   Clone b.
    """
    lines = [what]
    lines += [f"  where: {where}"] if where else []
    lines += [f"  why:   {why}"] if why else []
    lines += [f"  try:   {hint}"] if hint else []
    return "\n".join(lines)
