"""An example of an op, and the sets of cases that many ops have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.ops.numbers import signed


@dataclass(frozen=True)
class Example:
    """One call of an op, and the function that knows what it gives."""

    op: str
    label: str
    reference: Callable[..., Any]
    inputs: tuple[Any, ...]  # arrays, or one list of arrays
    attributes: dict[str, Any] = field(default_factory=dict)

    def __str__(self):
        return f"{self.op}-{self.label}"

    def arrays(self):
        return self.inputs[0] if isinstance(self.inputs[0], list) else list(self.inputs)

    def expected(self, dtype="float64"):
        """The outputs, as a list."""
        cast = [a.astype(dtype) if a.dtype.kind == "f" else a for a in self.arrays()]
        given = [cast] if isinstance(self.inputs[0], list) else cast
        result = self.reference(*given, **self.attributes)
        return result if isinstance(result, list) else [result]


def case(*inputs, **attributes):
    return inputs, attributes


def unary(make):
    return {
        "matrix": case(make(2, 3)),
        "0-D": case(make()),
        "0-size": case(make(0, 3)),
        "3 axes": case(make(2, 1, 2)),
    }


def binary(x, y=None):
    y = y or x
    return {
        "same shape": case(x(2, 3), y(2, 3)),
        "row on the right": case(x(2, 3), y(3)),
        "row on the left": case(x(3), y(2, 3)),
        "column and row": case(x(2, 1), y(1, 3)),
        "0-D on the right": case(x(2, 2), y()),
        "0-D on the left": case(x(), y(2, 2)),
        "both 0-D": case(x(), y()),
        "axes in front": case(x(2, 1, 2), y(2, 1)),
        "0-size": case(x(0, 3), y(3)),
        "0-size from 1": case(x(0, 1), y(1, 3)),
    }


def reducing(make, *, empty=True):
    cases = {
        "all axes": case(make(2, 3)),
        "first axis": case(make(2, 3), axis=0),
        "negative axis": case(make(2, 3, 2), axis=-1),
        "two axes": case(make(2, 3, 2), axis=[0, -1]),
        "keepdim": case(make(2, 3), axis=1, keepdim=True),
        "keepdim of all": case(make(2, 3), keepdim=True),
        "0-D": case(make()),
        "0-size that stays": case(make(0, 3), axis=-1),
    }
    if empty:
        cases["0-size that goes"] = case(make(0, 3), axis=0)
    return cases


def placing(make):
    return {
        "all": case(make(2, 3)),
        "axis": case(make(2, 3), axis=0),
        "negative axis": case(make(2, 3), axis=-1),
        "keepdim": case(make(2, 3), axis=1, keepdim=True),
        "dtype": case(make(2, 3), axis=1, dtype="int32"),
        "0-size that stays": case(make(0, 3), axis=1),
    }


def softmaxing():
    return {
        "last axis": case(signed(2, 3)),
        "first axis": case(signed(2, 3), axis=0),
        "vector": case(signed(4)),
        "middle": case(signed(2, 3, 2), axis=-2),
        "0-size": case(signed(0, 3)),
        "one class": case(signed(2, 1)),
    }
