"""The losses of `nn.functional` that compare scores with classes."""

from __future__ import annotations

from typing import Any

from minigrad import creation
from minigrad.autograd.modes import no_grad
from minigrad.dtype import dtype_name
from minigrad.errors import ArgumentValueError, DtypeError, ShapeError, message
from minigrad.nn.reduction import check_reduction, check_tensors, logarithm, reduced
from minigrad.ops import OPS
from minigrad.ops.broadcasting import axis_of

__all__ = ["cross_entropy", "nll_loss", "one_hot_along"]

_class_losses = OPS["softmax_with_cross_entropy"]
_log_softmax = OPS["log_softmax"]
_where = OPS["where"]


def cross_entropy(
    input: Any,
    label: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    soft_label: bool = False,
    axis: int = -1,
    use_softmax: bool = True,
    label_smoothing: float = 0.0,
) -> Any:
    """The cross entropy of scores with class numbers, or with a probability for each class.

    Parameters
    ----------
    input: scores with the classes along `axis`; probabilities with `use_softmax=False`.
    label: integers of the shape of `input` without `axis`, or with length 1 there; with
        `soft_label=True` probabilities of the shape of `input`.
    weight: a factor for each class.
    ignore_index: a label whose loss is 0.
    reduction: `mean`, `sum` or `none`. The mean divides by the sum of the weights of the labels
        that are not ignored; without `weight` by their number where `ignore_index` is 0 or more,
        and else by the number of all labels, as in Paddle.
    label_smoothing: the share of each label that is spread over all classes.

    Raises
    ------
    ShapeError, DtypeError, ArgumentValueError: labels that do not fit.

    Example
    -------
    >>> import minigrad as mg
    >>> scores = mg.to_tensor([[0.0, 0.0], [0.0, 100.0]])
    >>> cross_entropy(scores, mg.to_tensor([0, 1]), reduction="sum").numpy().round(4).item()
    0.6930...
    """
    check_reduction(reduction)
    check_tensors("cross_entropy", input=input, label=label, weight=weight)
    if not input.shape:
        raise ShapeError(message("cross_entropy needs scores of one axis or more, not a number."))
    axis = axis_of(axis, input.ndim)
    _check_weight(weight, input.shape[axis])
    if soft_label or label_smoothing:
        target = _probabilities(input, label, axis, soft_label, ignore_index)
        target = _smoothed(target, label_smoothing, axis)
        return _soft_cross_entropy(input, target, weight, reduction, axis, use_softmax)
    classes = _class_numbers(input, label, axis)
    if use_softmax:
        losses = _class_losses(input, classes, ignore_index, axis)
    else:
        picked = _picked(input, classes, axis, ignore_index)
        losses = -logarithm(_where(classes != ignore_index, picked, 1.0))
    return _over_classes(
        losses.reshape(label.shape) if reduction == "none" else losses,
        label if reduction == "none" else classes,
        weight,
        ignore_index,
        reduction,
        count_all=ignore_index < 0,
    )


def nll_loss(
    input: Any,
    label: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Any:
    """The negative log likelihood: minus the log probability of each label's class.

    Parameters
    ----------
    input: log probabilities [N, C] or [N, C, ...].
    label: class numbers [N] or [N, ...].
    weight: a factor for each class.
    ignore_index: a label whose loss is 0 and which the mean does not count.
    reduction: `mean` (divided by the sum of the weights), `sum` or `none`.

    Raises
    ------
    ShapeError, DtypeError, ArgumentValueError: labels that do not fit.

    Example
    -------
    >>> import minigrad as mg
    >>> nll_loss(mg.to_tensor([[-1.0, -2.0], [-3.0, -5.0]]), mg.to_tensor([0, 1])).item()
    3.0
    """
    check_reduction(reduction)
    check_tensors("nll_loss", input=input, label=label, weight=weight)
    if input.ndim < 2:
        raise ShapeError(message(f"nll_loss needs [N, C] or [N, C, ...], not {list(input.shape)}."))
    _check_weight(weight, input.shape[1])
    if label.ndim == input.ndim:
        raise _misfit(input, label, 1)
    classes = _class_numbers(input, label, 1)
    losses = -_where(classes != ignore_index, _picked(input, classes, 1, ignore_index), 0.0)
    return _over_classes(losses, classes, weight, ignore_index, reduction, count_all=False)


def _over_classes(
    losses: Any, classes: Any, weight: Any, ignore_index: int, reduction: str, *, count_all: bool
) -> Any:
    """Losses, one for each class number (0 where ignored), weighted and reduced."""
    if weight is None and (reduction != "mean" or count_all):
        return reduced(losses, reduction)
    counts = classes != ignore_index
    if weight is None:
        shares = counts.astype(losses.dtype)
    else:
        shares = _where(counts, weight[_where(counts, classes, 0)], 0.0)
        losses = losses * shares
    return _weighted(losses, shares, reduction)


def _weighted(losses: Any, shares: Any, reduction: str) -> Any:
    """Reduce losses that were multiplied by `shares`; a mean over nothing is 0, as in Paddle."""
    if reduction != "mean":
        return reduced(losses, reduction)
    total = shares.sum()
    return losses.sum() / _where(total == 0, 1.0, total)


def _class_numbers(input: Any, label: Any, axis: int) -> Any:
    """The labels without the axis of the classes."""
    if not dtype_name(label.dtype).startswith(("int", "uint")):
        raise DtypeError(
            message(
                f"Class numbers are integers: label is {dtype_name(label.dtype)}.",
                hint="label.astype('int64'), or soft_label=True for probabilities.",
            )
        )
    shape = list(input.shape)
    if label.shape == [*shape[:axis], 1, *shape[axis + 1 :]]:
        return label.reshape([*shape[:axis], *shape[axis + 1 :]])
    if label.shape != [*shape[:axis], *shape[axis + 1 :]]:
        raise _misfit(input, label, axis)
    return label


def _misfit(input: Any, label: Any, axis: int) -> ShapeError:
    shape = list(input.shape)
    return ShapeError(
        message(
            f"Labels of shape {list(label.shape)} do not fit an input of shape {shape}.",
            why=f"axis {axis} has the classes; labels have the other axes: "
            f"{[*shape[:axis], *shape[axis + 1 :]]}.",
        )
    )


def _check_weight(weight: Any, classes: int) -> None:
    if weight is not None and weight.shape != [classes]:
        raise ShapeError(
            message(
                f"weight has shape {list(weight.shape)}.",
                why=f"it is a factor for each of the {classes} classes: [{classes}].",
            )
        )


def _picked(x: Any, classes: Any, axis: int, ignore_index: int) -> Any:
    """The element of each label's class; that of class 0 where a label is ignored."""
    count = x.shape[axis]
    place = _where(classes != ignore_index, classes, 0)
    if place.size and (int(place.min()) < 0 or int(place.max()) >= count):
        raise ArgumentValueError(
            message(
                "A label names a class that is not there.",
                why=f"there are {count} classes: labels are 0 to {count - 1}"
                f" or ignore_index ({ignore_index}).",
            )
        )
    last = x.transpose([i for i in range(x.ndim) if i != axis] + [axis])
    rows = creation.arange(place.size).to(x._backend.name)
    return last.reshape([-1, count])[rows, place.reshape([-1])].reshape(place.shape)


# -- of probabilities over classes -------------------------------------------------------------


def _probabilities(input: Any, label: Any, axis: int, soft_label: bool, ignore_index: int) -> Any:
    """The labels as a probability for each class, zeros where ignored."""
    if label.shape == input.shape and (soft_label or input.shape[axis] > 1):
        return label.astype(input.dtype)
    if soft_label:
        raise ShapeError(
            message(
                f"Soft labels of shape {list(label.shape)} do not fit an input of shape "
                f"{list(input.shape)}.",
                why="they have one probability for each class.",
            )
        )
    classes = _class_numbers(input, label, axis)
    _picked(input.detach(), classes, axis, ignore_index)  # refuses labels that are no class
    return one_hot_along(classes, input.shape[axis], axis, input.dtype)


def one_hot_along(classes: Any, count: int, axis: int, dtype: Any) -> Any:
    """Ones at the class numbers along a new axis; no one for a number that is no class."""
    with no_grad():
        numbers = creation.arange(count, dtype=classes.dtype).to(classes._backend.name)
        numbers = numbers.reshape([count if i == axis else 1 for i in range(classes.ndim + 1)])
        return (classes.unsqueeze(axis) == numbers).astype(dtype)


def _smoothed(target: Any, share: Any, axis: int) -> Any:
    if not isinstance(share, (int, float)) or not 0 <= share <= 1:
        raise ArgumentValueError(message(f"label_smoothing is a share, 0 to 1, not {share!r}."))
    if not share:
        return target
    there = target.sum(axis, keepdim=True)  # 0 where a label is ignored
    return target * (1 - share) + there * (share / target.shape[axis])


def _soft_cross_entropy(
    input: Any,
    target: Any,
    weight: Any,
    reduction: str,
    axis: int,
    use_softmax: bool,
) -> Any:
    scores = _log_softmax(input, axis) if use_softmax else logarithm(input)
    keep = reduction == "none"  # as Paddle does
    losses = -(target * scores).sum(axis, keepdim=keep)
    if weight is None:
        return reduced(losses, reduction)
    along = weight.reshape([-1 if i == axis else 1 for i in range(input.ndim)])
    shares = (target * along).sum(axis, keepdim=keep)
    return _weighted(losses * shares, shares, reduction)
