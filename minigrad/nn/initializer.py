"""Where the first elements of a parameter come from.

An initializer is called with a shape and gives the elements, or with a Tensor and fills it.
"""

from __future__ import annotations

import math
from typing import Any

from minigrad import random
from minigrad.autograd.modes import no_grad
from minigrad.creation import full, to_tensor
from minigrad.errors import ArgumentValueError, ShapeError, message
from minigrad.tensor import Tensor

__all__ = [
    "Assign",
    "Constant",
    "Initializer",
    "KaimingNormal",
    "KaimingUniform",
    "Normal",
    "Uniform",
    "XavierNormal",
    "XavierUniform",
    "calculate_gain",
]


class Initializer:
    """Base of the initializers: a kind of its own says in `values` what the elements are."""

    def values(self, shape: list[int]) -> Any:
        """The elements for a parameter of this shape, as float64."""
        raise NotImplementedError(message(f"{type(self).__name__} does not define values()."))

    def __call__(self, target: Any) -> Any:
        """Fill a Tensor, or give the elements for a shape."""
        if isinstance(target, Tensor):
            target.set_value(self.values(list(target.shape)))
            return target
        return self.values(list(target))


class Constant(Initializer):
    """One number everywhere.

    Example
    -------
    >>> Constant(2.0)([3]).tolist()
    [2.0, 2.0, 2.0]
    """

    def __init__(self, value: float = 0.0) -> None:
        self.value = float(value)

    def values(self, shape: list[int]) -> Any:
        """The elements."""
        return full(shape, self.value, "float64")


class Normal(Initializer):
    """Normal numbers of a mean and a standard deviation."""

    def __init__(self, mean: float = 0.0, std: float = 1.0) -> None:
        self.mean, self.std = float(mean), float(std)

    def values(self, shape: list[int]) -> Any:
        """The elements."""
        with no_grad():
            return random.randn(shape, "float64") * self.std + self.mean


class Uniform(Initializer):
    """Numbers from [low, high)."""

    def __init__(self, low: float = -1.0, high: float = 1.0) -> None:
        self.low, self.high = float(low), float(high)

    def values(self, shape: list[int]) -> Any:
        """The elements."""
        return random.uniform(shape, "float64", self.low, self.high)


class Assign(Initializer):
    """Given elements: an array, nested lists or a Tensor.

    Example
    -------
    >>> Assign([1.0, 2.0])([2]).tolist()
    [1.0, 2.0]
    """

    def __init__(self, value: Any) -> None:
        self.value = to_tensor(value, "float64")

    def values(self, shape: list[int]) -> Any:
        """The elements."""
        if self.value.shape != shape:
            raise ShapeError(
                message(
                    f"Elements of shape {list(self.value.shape)} cannot be assigned to a parameter "
                    f"of shape {shape}."
                )
            )
        return self.value


def fans(shape: list[int]) -> tuple[int, int]:
    """How many inputs and outputs one element of a weight of this shape connects.

    Example
    -------
    >>> fans([3, 5]), fans([4]), fans([8, 3, 5, 5])
    ((3, 5), (4, 4), (75, 200))
    """
    if len(shape) < 2:
        both = shape[0] if shape else 1
        return both, both
    if len(shape) == 2:
        return shape[0], shape[1]
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


class _Xavier(Initializer):
    def __init__(
        self, fan_in: float | None = None, fan_out: float | None = None, gain: float = 1.0
    ) -> None:
        self.fan_in, self.fan_out, self.gain = fan_in, fan_out, float(gain)

    def deviation(self, shape: list[int]) -> float:
        """The standard deviation that keeps variances alike forward and backward."""
        fan_in, fan_out = fans(shape)
        total = (fan_in if self.fan_in is None else self.fan_in) + (
            fan_out if self.fan_out is None else self.fan_out
        )
        return self.gain * math.sqrt(2.0 / max(total, 1))


class XavierUniform(_Xavier):
    """Uniform in ±gain·sqrt(6 / (fan in + fan out)), after Glorot and Bengio; a layer's default."""

    def values(self, shape: list[int]) -> Any:
        """The elements."""
        limit = math.sqrt(3.0) * self.deviation(shape)
        return Uniform(-limit, limit).values(shape)


class XavierNormal(_Xavier):
    """Normal with standard deviation gain·sqrt(2 / (fan in + fan out)), after Glorot and Bengio."""

    def values(self, shape: list[int]) -> Any:
        """The elements."""
        return Normal(0.0, self.deviation(shape)).values(shape)


def calculate_gain(nonlinearity: str, param: float = 0.01) -> float:
    """The factor that makes up for what a nonlinearity takes from the variance.

    Raises
    ------
    ArgumentValueError: an unknown nonlinearity.

    Example
    -------
    >>> calculate_gain("tanh"), calculate_gain("leaky_relu", 1.0)
    (1.6666666666666667, 1.0)
    """
    gains = {
        "linear": 1.0,
        "sigmoid": 1.0,
        "tanh": 5.0 / 3.0,
        "relu": math.sqrt(2.0),
        "leaky_relu": math.sqrt(2.0 / (1.0 + param**2)),
        "selu": 0.75,
    }
    if nonlinearity not in gains:
        raise ArgumentValueError(
            message(
                f"The gain of {nonlinearity!r} is not known.",
                hint=f"use one of {', '.join(gains)}.",
            )
        )
    return gains[nonlinearity]


class _Kaiming(Initializer):
    def __init__(
        self,
        fan_in: float | None = None,
        negative_slope: float = 0.0,
        nonlinearity: str = "relu",
        mode: str = "fan_in",
    ) -> None:
        if mode not in ("fan_in", "fan_out"):
            raise ArgumentValueError(
                message(f"mode={mode!r} is not known.", hint="use 'fan_in' or 'fan_out'.")
            )
        self.fan_in, self.mode = fan_in, mode
        self.gain = calculate_gain(nonlinearity, negative_slope)

    def deviation(self, shape: list[int]) -> float:
        """The standard deviation that keeps variances alike through the nonlinearity."""
        fan = fans(shape)[self.mode == "fan_out"]
        if self.mode == "fan_in" and self.fan_in is not None:
            return self.gain / math.sqrt(self.fan_in)
        return self.gain / math.sqrt(max(fan, 1))


class KaimingUniform(_Kaiming):
    """Uniform in ±gain·sqrt(3 / fan in), after He and others: for layers before a ReLU."""

    def values(self, shape: list[int]) -> Any:
        """The elements."""
        limit = math.sqrt(3.0) * self.deviation(shape)
        return Uniform(-limit, limit).values(shape)


class KaimingNormal(_Kaiming):
    """Normal with standard deviation gain / sqrt(fan in), after He and others."""

    def values(self, shape: list[int]) -> Any:
        """The elements."""
        return Normal(0.0, self.deviation(shape)).values(shape)
