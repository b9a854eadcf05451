"""Linear, Dropout, and functions as layers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minigrad.errors import ArgumentValueError, message
from minigrad.nn import functional as F  # noqa: N812 (its name everywhere)
from minigrad.nn.layer import Layer
from minigrad.ops.broadcasting import axis_of

__all__ = [
    "Dropout",
    "Flatten",
    "Identity",
    "Linear",
    "LogSoftmax",
    "ReLU",
    "Sigmoid",
    "Softmax",
    "Tanh",
]


class Linear(Layer):
    """x · weight + bias, over the last axis of x.

    Parameters
    ----------
    in_features, out_features: the length of the last axis before and after.
    weight_attr: a ParamAttr, a name or an initializer for `weight`, [in_features, out_features];
        drawn by XavierUniform if not given.
    bias_attr: the same for `bias`, [out_features], zeros if not given; False for no bias.

    Raises
    ------
    ArgumentValueError: a length that is no positive integer.

    Example
    -------
    >>> import minigrad as mg
    >>> layer = mg.nn.Linear(3, 2)
    >>> layer(mg.ones([4, 3])).shape, layer.weight.shape, layer.bias.tolist()
    ([4, 2], [3, 2], [0.0, 0.0])
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        lengths: dict[str, Any] = {"in_features": in_features, "out_features": out_features}
        for what, length in lengths.items():
            if not isinstance(length, int) or length < 1:
                raise ArgumentValueError(message(f"{what} is a positive integer, not {length!r}."))
        if weight_attr is False:
            raise ArgumentValueError(message("A Linear layer cannot do without its weight."))
        self._name = name
        self.weight = self.create_parameter([in_features, out_features], weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)

    def forward(self, x: Any) -> Any:
        """The product plus bias."""
        return F.linear(x, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The options."""
        into, out = self.weight.shape
        name = f", name={self._name}" if self._name else ""
        return f"in_features={into}, out_features={out}, dtype={self._dtype}{name}"


class Dropout(Layer):
    """In training, zeros a share p of the elements and makes up for it in the others.

    Parameters
    ----------
    p: the probability of each element to be zeroed.
    inplace: accepted and without effect, as in Paddle.
    axis: the axes along which elements are dropped one by one; along the others, all together.
    mode: `upscale_in_train`, or `downscale_in_infer` for the scaling in use, not training.

    Example
    -------
    >>> import minigrad as mg
    >>> layer = mg.nn.Dropout(0.5).eval()
    >>> layer(mg.ones([2])).tolist()
    [1.0, 1.0]
    """

    def __init__(
        self,
        p: float = 0.5,
        inplace: bool = False,
        axis: int | Sequence[int] | None = None,
        mode: str = "upscale_in_train",
    ) -> None:
        super().__init__()
        F.check_dropout(p, mode)
        self.p, self.inplace, self.axis, self.mode = p, inplace, axis, mode

    def forward(self, x: Any) -> Any:
        """The elements that are left, scaled."""
        return F.dropout(x, self.p, self.axis, self.training, self.inplace, self.mode)

    def extra_repr(self) -> str:
        """The options."""
        return f"p={self.p}, axis={self.axis}, mode={self.mode}, inplace={self.inplace}"


class Identity(Layer):
    """Gives back what it is given; takes and ignores any arguments.

    Example
    -------
    >>> Identity(7)(3)
    3
    """

    def __init__(self, *_args: Any, **_keywords: Any) -> None:
        super().__init__()

    def forward(self, x: Any) -> Any:
        """The input itself."""
        return x


class Flatten(Layer):
    """Makes one axis of those from `start_axis` to `stop_axis`.

    Example
    -------
    >>> import minigrad as mg
    >>> mg.nn.Flatten()(mg.ones([5, 2, 3])).shape
    [5, 6]
    """

    def __init__(self, start_axis: int = 1, stop_axis: int = -1) -> None:
        super().__init__()
        self.start_axis, self.stop_axis = start_axis, stop_axis

    def forward(self, x: Any) -> Any:
        """The elements of x in fewer axes."""
        shape = list(x.shape)
        start, stop = axis_of(self.start_axis, len(shape)), axis_of(self.stop_axis, len(shape))
        if start > stop:
            raise ArgumentValueError(
                message(
                    f"start_axis {self.start_axis} stands after stop_axis {self.stop_axis} in a "
                    f"tensor of {len(shape)} axes."
                )
            )
        return x.reshape([*shape[:start], math.prod(shape[start : stop + 1]), *shape[stop + 1 :]])


class ReLU(Layer):
    """max(x, 0)."""

    def forward(self, x: Any) -> Any:
        """The positive elements, and zeros."""
        return F.relu(x)


class Tanh(Layer):
    """The hyperbolic tangent."""

    def forward(self, x: Any) -> Any:
        """Tanh of each element."""
        return F.tanh(x)


class Sigmoid(Layer):
    """1 / (1 + exp(-x))."""

    def forward(self, x: Any) -> Any:
        """Sigmoid of each element."""
        return F.sigmoid(x)


class _AlongAxis(Layer):
    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def extra_repr(self) -> str:
        """The options."""
        return f"axis={self.axis}"


class Softmax(_AlongAxis):
    """Positive numbers that add up to 1 along an axis."""

    def forward(self, x: Any) -> Any:
        """Softmax along the axis."""
        return F.softmax(x, self.axis)


class LogSoftmax(_AlongAxis):
    """The logarithm of softmax."""

    def forward(self, x: Any) -> Any:
        """Log-softmax along the axis."""
        return F.log_softmax(x, self.axis)
