"""Functions of networks, as Paddle names them, built from the registered ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad import random
from minigrad.autograd.modes import no_grad
from minigrad.dtype import dtype_name, get_default_dtype
from minigrad.errors import ArgumentValueError, DtypeError, message
from minigrad.nn.class_losses import cross_entropy, nll_loss, one_hot_along
from minigrad.nn.number_losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    l1_loss,
    mse_loss,
    softplus_of,
)
from minigrad.nn.reduction import check_reduction
from minigrad.ops import OPS
from minigrad.ops.broadcasting import axes_of

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "check_dropout",
    "check_reduction",
    "cross_entropy",
    "dropout",
    "l1_loss",
    "linear",
    "log_softmax",
    "mse_loss",
    "nll_loss",
    "one_hot",
    "relu",
    "sigmoid",
    "softmax",
    "softplus",
    "tanh",
]

linear = OPS["linear"]
log_softmax = OPS["log_softmax"]
relu = OPS["relu"]
sigmoid = OPS["sigmoid"]
softmax = OPS["softmax"]
tanh = OPS["tanh"]
_where = OPS["where"]


def softplus(x: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """ln(1 + exp(beta · x)) / beta, and x itself where beta · x is above the threshold.

    Example
    -------
    >>> import minigrad as mg
    >>> softplus(mg.to_tensor([0.0, 30.0])).numpy().round(4).tolist()
    [0.6930..., 30.0]
    """
    scaled = x * beta
    return _where(scaled > threshold, x, softplus_of(scaled) / beta)


def one_hot(x: Any, num_classes: int = -1) -> Any:
    """Class numbers as rows of zeros with a one at the class.

    `num_classes` is one more than the largest number in x if not given.

    Raises
    ------
    DtypeError: x has no integers.
    ArgumentValueError: a number that is no class.

    Example
    -------
    >>> import minigrad as mg
    >>> one_hot(mg.to_tensor([1, 0]), 3).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    """
    if not dtype_name(x.dtype).startswith(("int", "uint")):
        raise DtypeError(
            message(
                f"one_hot takes class numbers, not {dtype_name(x.dtype)}.",
                hint="x.astype('int64').",
            )
        )
    least, most = (int(x.min()), int(x.max())) if x.size else (0, 0)
    classes = most + 1 if num_classes == -1 else num_classes
    if least < 0 or most >= classes:
        raise ArgumentValueError(
            message(
                f"one_hot got class {least if least < 0 else most}.",
                why=f"with {classes} classes, they are 0 to {classes - 1}.",
            )
        )
    return one_hot_along(x, classes, x.ndim, get_default_dtype())


def check_dropout(p: Any, mode: str) -> None:
    """Refuse a probability outside [0, 1] and an unknown mode.

    Raises
    ------
    ArgumentValueError: either of them.
    """
    if not isinstance(p, (int, float)) or not 0 <= p <= 1:
        raise ArgumentValueError(message(f"p is a probability, 0 to 1, not {p!r}."))
    if mode not in ("upscale_in_train", "downscale_in_infer"):
        raise ArgumentValueError(
            message(
                f"Dropout knows no mode {mode!r}.",
                hint="use 'upscale_in_train' or 'downscale_in_infer'.",
            )
        )


def dropout(
    x: Any,
    p: float = 0.5,
    axis: int | Sequence[int] | None = None,
    training: bool = True,
    inplace: bool = False,  # noqa: ARG001 (Paddle's signature; it ignores it too)
    mode: str = "upscale_in_train",
) -> Any:
    """Zero each element with probability p while training; the others grow by 1 / (1 - p).

    Along the axes that `axis` does not name, elements are dropped together. With the mode
    `downscale_in_infer` nothing grows in training, and all shrink by 1 - p outside it.

    Example
    -------
    >>> import minigrad as mg
    >>> mg.seed(1)
    >>> sorted(set(dropout(mg.ones([100]), 0.5).tolist()))
    [0.0, 2.0]
    """
    check_dropout(p, mode)
    upscale = mode == "upscale_in_train"
    if not training:
        return x if upscale else x * (1.0 - p)
    if p == 0:
        return x
    axes = axes_of(axis, x.ndim)
    shape = [length if i in axes else 1 for i, length in enumerate(x.shape)]
    with no_grad():
        stays = (random.rand(shape, "float64") >= p).to(x._backend.name).astype(x.dtype)
        mask = stays / (1.0 - p) if upscale and p < 1 else stays
    return x * mask.expand(x.shape)
