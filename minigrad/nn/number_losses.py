"""The losses of `nn.functional` that compare numbers with numbers."""

from __future__ import annotations

from typing import Any

from minigrad import creation
from minigrad.errors import ShapeError, message
from minigrad.nn.reduction import check_tensors, logarithm, reduced
from minigrad.ops import OPS

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "l1_loss",
    "mse_loss",
    "softplus_of",
]

_log_softmax = OPS["log_softmax"]
_stack = OPS["stack"]


def mse_loss(input: Any, label: Any, reduction: str = "mean") -> Any:
    """The squared difference.

    Example
    -------
    >>> import minigrad as mg
    >>> mse_loss(mg.to_tensor([1.0, 2.0]), mg.to_tensor([1.0, 4.0])).item()
    2.0
    """
    check_tensors("mse_loss", input=input, label=label)
    return reduced((input - label).square(), reduction)


def l1_loss(input: Any, label: Any, reduction: str = "mean") -> Any:
    """The absolute difference.

    Example
    -------
    >>> import minigrad as mg
    >>> l1_loss(mg.to_tensor([1.0, 2.0]), mg.to_tensor([1.0, 4.0])).item()
    1.0
    """
    check_tensors("l1_loss", input=input, label=label)
    return reduced((input - label).abs(), reduction)


def _same_shape(function: str, input: Any, label: Any) -> None:
    check_tensors(function, input=input, label=label)
    if input.shape != label.shape:
        raise ShapeError(
            message(
                f"{function} got an input of shape {list(input.shape)} and labels of shape "
                f"{list(label.shape)}.",
                why="there is one label for each element.",
                hint="reshape one of them, say with squeeze(-1) or unsqueeze(-1).",
            )
        )


def binary_cross_entropy(
    input: Any, label: Any, weight: Any = None, reduction: str = "mean"
) -> Any:
    """The cross entropy of probabilities of "yes" with labels from 0 to 1.

    The logarithm of 0 is -100 here, as in Paddle, and has the gradient 0. `weight` is a factor for
    each loss.

    Example
    -------
    >>> import minigrad as mg
    >>> binary_cross_entropy(mg.to_tensor([0.5]), mg.to_tensor([1.0])).numpy().round(4).item()
    0.6930...
    """
    _same_shape("binary_cross_entropy", input, label)
    losses = -(label * logarithm(input) + (1.0 - label) * logarithm(1.0 - input))
    return reduced(losses if weight is None else losses * weight, reduction)


def softplus_of(x: Any) -> Any:
    """ln(1 + exp(x)), exact at both ends and in every derivative: a log-softmax of x and 0."""
    pair = _stack([x, creation.zeros_like(x)], -1)
    return -_log_softmax(pair, -1)[..., 1]


def binary_cross_entropy_with_logits(
    logit: Any,
    label: Any,
    weight: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> Any:
    """The cross entropy of sigmoid(logit) with labels from 0 to 1, safe for any logit.

    `weight` is a factor for each loss, `pos_weight` one for the part that a label of 1 brings.

    Example
    -------
    >>> import minigrad as mg
    >>> logit = mg.to_tensor([0.0])
    >>> binary_cross_entropy_with_logits(logit, mg.to_tensor([1.0])).numpy().round(4).item()
    0.6930...
    """
    _same_shape("binary_cross_entropy_with_logits", logit, label)
    if pos_weight is None:
        losses = softplus_of(logit) - label * logit
    else:
        positive = softplus_of(-logit) * label * pos_weight
        losses = positive + softplus_of(logit) * (1.0 - label)
    return reduced(losses if weight is None else losses * weight, reduction)
