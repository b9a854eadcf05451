"""What the losses share: their checks, their reduction, and a logarithm of probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.errors import ArgumentTypeError, ArgumentValueError, message
from minigrad.ops import OPS
from minigrad.tensor import Tensor

__all__ = ["check_reduction", "check_tensors", "logarithm", "reduced"]

_where = OPS["where"]
_LEAST = float(np.finfo(np.float32).tiny)  # 1 / x is finite from here on


def check_reduction(reduction: str) -> None:
    """Refuse what is not mean, sum or none.

    Raises
    ------
    ArgumentValueError: another word.
    """
    if reduction not in ("mean", "sum", "none"):
        raise ArgumentValueError(
            message(f"reduction={reduction!r} is not known.", hint="use 'mean', 'sum' or 'none'.")
        )


def reduced(losses: Any, reduction: str) -> Any:
    """The mean or the sum of the losses, or the losses."""
    check_reduction(reduction)
    if reduction == "none":
        return losses
    return losses.mean() if reduction == "mean" else losses.sum()


def check_tensors(function: str, **tensors: Any) -> None:
    """Refuse arguments of a function that are neither Tensors nor None."""
    for name, tensor in tensors.items():
        if tensor is not None and not isinstance(tensor, Tensor):
            raise ArgumentTypeError(
                message(
                    f"{function} takes tensors: {name} is {type(tensor).__name__}.",
                    hint="make one with minigrad.to_tensor(value).",
                )
            )


def logarithm(x: Any) -> Any:
    """The logarithm of probabilities: -100, without a gradient, where one is 0."""
    some = x > _LEAST
    return _where(some, _where(some, x, 1.0).log(), -100.0)
