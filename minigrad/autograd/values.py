"""Snapshots of arrays, and the names by which sentences call nodes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

__all__ = ["Book", "Value", "count_of", "text_of"]


@dataclass(frozen=True, slots=True)
class Value:
    """A snapshot of an array: whole (`data`) when small, else its statistics.

    Attributes
    ----------
    shape, dtype: those of the array.
    data: all elements in row-major order, or None.
    min, max, mean, norm: of the finite elements; None when `data` is there, or nothing was kept.
    nan, inf: how many elements are not numbers, and infinite.
    thumbnail: rows of block means, at most 16 x 16.
    """

    shape: tuple[int, ...]
    dtype: str
    data: tuple[Any, ...] | None = None
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    norm: float | None = None
    nan: int = 0
    inf: int = 0
    thumbnail: tuple[tuple[float, ...], ...] | None = None

    @property
    def nbytes(self) -> int:
        """Bytes that the array's elements take."""
        return math.prod(self.shape) * _item_size(self.dtype)

    def text(self) -> str:
        """In a few words: `3`, `[1, 2]`, `float32[64, 10] of norm 0.3`."""
        data = self.data
        if data:
            if all(item == data[0] for item in data):
                return _number(data[0])
            if len(data) <= 6 and len(self.shape) == 1:
                return f"[{', '.join(map(_number, data))}]"
        if self.min is not None and self.min == self.max and not (self.nan or self.inf):
            return _number(self.min)  # one number everywhere
        norm = "" if self.norm is None else f" of norm {_number(self.norm)}"
        return f"{self.dtype}{list(self.shape)}{norm}"


def _item_size(dtype: str) -> int:
    if dtype == "bool":
        return 1
    digits = "".join(c for c in dtype if c.isdigit())
    return int(digits or 8) // 8


def _number(value: Any) -> str:
    return str(value) if isinstance(value, (bool, int)) else f"{value:.4g}"


def text_of(value: Value | None) -> str:
    """A value in a few words."""
    return "undefined" if value is None else value.text()


def count_of(count: int, noun: str) -> str:
    """`1 node`, `2 nodes`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


class Book:
    """The names that sentences use: those of the nodes, and of the user's variables.

    Attributes
    ----------
    names: of each node, by number: `multiply1`, or the name of a leaf.
    leaves: the numbers of accumulation nodes.
    variables: the user's name for a slot of a node.
    """

    __slots__ = ("leaves", "names", "variables")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.leaves: set[int] = set()
        self.variables: dict[tuple[int, int], str] = {}

    def node(self, number: int) -> str:
        """What a sentence calls a node."""
        name = self.names[number]
        return f"{name}.grad" if number in self.leaves else name

    def slot(self, node: int, slot: int) -> str:
        """What a sentence calls a slot: the variable whose gradient it holds."""
        return self.variables.get((node, slot)) or self.names[node]
