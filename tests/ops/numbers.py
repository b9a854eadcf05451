"""Numbers for examples: always the same, and away from kinks and from where functions blow up."""

from __future__ import annotations

import numpy as np

_rng = np.random.default_rng(2024)


def signed(*shape):
    """Between 0.2 and 1.5 in size, of either sign; no two are alike."""
    return np.asarray(_rng.uniform(0.2, 1.5, shape) * _rng.choice([-1.0, 1.0], shape))


def positive(*shape):
    """Between 0.3 and 2."""
    return np.asarray(_rng.uniform(0.3, 2.0, shape))


def mask(*shape):
    """True and False."""
    return np.asarray(_rng.integers(0, 2, shape), dtype=bool)


def whole(*shape, low=-9, high=9):
    """Integers from low to high, 0 left out."""
    numbers = np.asarray(_rng.integers(low, high, shape))
    return np.where(numbers == 0, high, numbers)
