"""Limits on gradients, for an optimizer's `grad_clip`.

Each is called with pairs (parameter, gradient), and gives pairs whose gradients are within it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad.errors import ArgumentValueError, message

__all__ = ["ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue"]

Pairs = Sequence[tuple[Any, Any]]


def _positive(limit: float) -> float:
    if not limit > 0:
        raise ArgumentValueError(
            message(f"A gradient is clipped at a positive number, not {limit}.")
        )
    return float(limit)


def _squares(gradient: Any) -> float:
    return float((gradient * gradient).sum())


class ClipGradByGlobalNorm:
    """Scales all gradients together, so that the norm of them all is at most `clip_norm`.

    Example
    -------
    >>> import minigrad as mg
    >>> g = mg.to_tensor([3.0, 4.0])
    >>> ClipGradByGlobalNorm(1.0)([(None, g)])[0][1].numpy().round(4).tolist()
    [0.6000..., 0.8000...]
    """

    def __init__(self, clip_norm: float = 1.0) -> None:
        self.clip_norm = _positive(clip_norm)

    def __call__(self, pairs: Pairs) -> Pairs:
        """The pairs, with gradients scaled."""
        norm = sum(_squares(g) for _, g in pairs) ** 0.5
        factor = self.clip_norm / max(norm, self.clip_norm)
        return [(p, g * factor) for p, g in pairs]


class ClipGradByNorm:
    """Scales each gradient on its own, so that its norm is at most `clip_norm`."""

    def __init__(self, clip_norm: float) -> None:
        self.clip_norm = _positive(clip_norm)

    def __call__(self, pairs: Pairs) -> Pairs:
        """The pairs, with gradients scaled."""
        limit = self.clip_norm
        return [(p, g * (limit / max(_squares(g) ** 0.5, limit))) for p, g in pairs]


class ClipGradByValue:
    """Puts every element of a gradient between `min` and `max` (-max if not given)."""

    def __init__(self, max: float, min: float | None = None) -> None:
        self.max, self.min = float(max), -_positive(max) if min is None else float(min)
        if self.min > self.max:
            raise ArgumentValueError(
                message(f"min ({self.min}) is above max ({self.max}): nothing lies between them.")
            )

    def __call__(self, pairs: Pairs) -> Pairs:
        """The pairs, with elements in the limits."""
        from minigrad.ops import OPS

        lower, upper = OPS["maximum"], OPS["minimum"]
        return [(p, upper(lower(g, self.min), self.max)) for p, g in pairs]
