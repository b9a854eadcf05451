"""Ops of networks: softmax and the losses built on it."""

from __future__ import annotations

from typing import Any

from minigrad.errors import ArgumentValueError, ShapeError, message
from minigrad.ops.broadcasting import axis_of
from minigrad.ops.registry import op

__all__ = ["log_softmax", "softmax", "softmax_with_cross_entropy"]


@op(formula=r"z_i = \frac{e^{x_i}}{\sum_j e^{x_j}}", rules={"x": r"z \odot (g - \sum g \odot z)"})
def softmax(xp: Any, x: Any, /, axis: int = -1) -> Any:
    """Positive numbers that add up to 1 along an axis.

    >>> import minigrad as mg
    >>> mg.nn.functional.softmax(mg.to_tensor([0.0, 0.0])).tolist()
    [0.5, 0.5]
    """
    axis = axis_of(axis, len(x.shape))
    e = xp.exp(x - xp.max(x, axis=axis, keepdims=True))
    return e / xp.sum(e, axis=axis, keepdims=True, dtype=e.dtype)


@softmax.vjp("x")
def _(xp: Any, g: Any, out: Any, axis: int) -> Any:
    flow = g * out
    return flow - out * xp.sum(flow, axis=axis, keepdims=True, dtype=g.dtype)


@op(
    formula=r"z_i = x_i - \ln \sum_j e^{x_j}",
    rules={"x": r"g - e^{z} \odot \sum g"},
)
def log_softmax(xp: Any, x: Any, /, axis: int = -1) -> Any:
    """The logarithm of softmax, without the underflow.

    >>> import minigrad as mg
    >>> scores = mg.nn.functional.log_softmax(mg.to_tensor([0.0, 0.0]))
    >>> [round(score, 4) for score in scores.tolist()]
    [-0.6931, -0.6931]
    """
    return _log_softmax(xp, x, axis_of(axis, len(x.shape)))


def _log_softmax(xp: Any, x: Any, axis: int) -> Any:
    shifted = x - xp.max(x, axis=axis, keepdims=True)
    total = xp.sum(xp.exp(shifted), axis=axis, keepdims=True, dtype=x.dtype)
    return shifted - xp.log(total)


@log_softmax.vjp("x")
def _(xp: Any, g: Any, out: Any, axis: int) -> Any:
    return g - xp.exp(out) * xp.sum(g, axis=axis, keepdims=True, dtype=g.dtype)


@op(
    formula=r"z = \ln \sum_j e^{x_j} - x_{t}",
    rules={"logits": r"g \odot (\operatorname{softmax}(x) - [j = t])"},
    node_name="CrossEntropyWithSoftmax",
)
def softmax_with_cross_entropy(
    xp: Any, logits: Any, label: Any, /, ignore_index: int = -100, axis: int = -1
) -> Any:
    """The cross entropy of softmax(logits) with class numbers: one loss for each label.

    `label` has the shape of `logits` without `axis`. Where it is `ignore_index`, loss and gradient
    are 0.

    >>> import minigrad as mg
    >>> from minigrad.ops.nn import softmax_with_cross_entropy
    >>> loss = softmax_with_cross_entropy(mg.to_tensor([[0.0, 0.0]]), mg.to_tensor([1]))
    >>> round(loss.item(), 4)
    0.6931
    """
    place = axis_of(axis, len(logits.shape))
    expected = logits.shape[:place] + logits.shape[place + 1 :]
    if tuple(label.shape) != expected:
        raise ShapeError(
            message(
                f"Labels of shape {list(label.shape)} do not fit logits of {list(logits.shape)}.",
                why=f"class numbers have the shape of the logits without axis {axis}: "
                f"{list(expected)}.",
            )
        )
    _check_classes(xp, label, logits.shape[place], ignore_index)
    hot, _ = _one_hot(xp, label, logits.shape[place], ignore_index, place)
    scores = _log_softmax(xp, logits, place)
    return -xp.sum(xp.where(hot, scores, xp.zeros_like(scores)), axis=place, dtype=scores.dtype)


@softmax_with_cross_entropy.vjp("logits")
def _(xp: Any, g: Any, logits: Any, label: Any, ignore_index: int, axis: int) -> Any:
    place = axis_of(axis, len(logits.shape))
    hot, counts = _one_hot(xp, label, logits.shape[place], ignore_index, place)
    share = xp.exp(_log_softmax(xp, logits, place)) - xp.astype(hot, g.dtype)
    return xp.expand_dims(g, axis=place) * (share * xp.astype(counts, g.dtype))


def _one_hot(xp: Any, label: Any, classes: int, ignore_index: int, axis: int) -> tuple[Any, Any]:
    """Where each class number stands, as booleans along `axis`; and which labels count."""
    label = xp.expand_dims(label, axis=axis)
    rank = len(label.shape)
    numbers = xp.numbers_like(label, classes)
    numbers = xp.reshape(numbers, tuple(classes if i == axis else 1 for i in range(rank)))
    counts = label != ignore_index
    return (label == numbers) & counts, counts


def _check_classes(xp: Any, label: Any, classes: int, ignore_index: int) -> None:
    wrong = ((label < 0) | (label >= classes)) & (label != ignore_index)
    if bool(xp.any(wrong)):
        raise ArgumentValueError(
            message(
                "A label names a class that is not there.",
                why=f"the logits have {classes} classes: labels are 0 to {classes - 1}"
                f" or ignore_index ({ignore_index}).",
            )
        )
