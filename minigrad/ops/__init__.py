"""Ops: everything about each of them in one place. `OPS` lists them by name."""

from minigrad.ops import elementwise, indexing, linalg, logic, nn, reduce, shape
from minigrad.ops.registry import OPS, Op

__all__ = ["OPS", "Op", "elementwise", "indexing", "linalg", "logic", "nn", "reduce", "shape"]
