"""Losses as layers: each keeps its options and calls the function of its name."""

from __future__ import annotations

from typing import Any

from minigrad.nn import functional as F  # noqa: N812 (its name everywhere)
from minigrad.nn.layer import Layer

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CrossEntropyLoss",
    "L1Loss",
    "MSELoss",
    "NLLLoss",
]


class CrossEntropyLoss(Layer):
    """The cross entropy of scores with class numbers or probabilities; see `cross_entropy`.

    Example
    -------
    >>> import minigrad as mg
    >>> loss = mg.nn.CrossEntropyLoss()
    >>> round(loss(mg.zeros([3, 2]), mg.to_tensor([0, 1, 1])).item(), 4)
    0.6931
    """

    def __init__(
        self,
        weight: Any = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        soft_label: bool = False,
        axis: int = -1,
        use_softmax: bool = True,
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__()
        F.check_reduction(reduction)
        self.weight, self.ignore_index, self.reduction = weight, ignore_index, reduction
        self.soft_label, self.axis = soft_label, axis
        self.use_softmax, self.label_smoothing = use_softmax, label_smoothing

    def forward(self, input: Any, label: Any) -> Any:
        """The loss."""
        return F.cross_entropy(
            input,
            label,
            self.weight,
            self.ignore_index,
            self.reduction,
            self.soft_label,
            self.axis,
            self.use_softmax,
            self.label_smoothing,
        )


class NLLLoss(Layer):
    """The negative log likelihood of class numbers; see `nll_loss`."""

    def __init__(
        self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean"
    ) -> None:
        super().__init__()
        F.check_reduction(reduction)
        self.weight, self.ignore_index, self.reduction = weight, ignore_index, reduction

    def forward(self, input: Any, label: Any) -> Any:
        """The loss of log probabilities."""
        return F.nll_loss(input, label, self.weight, self.ignore_index, self.reduction)


class _Elementwise(Layer):
    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        F.check_reduction(reduction)
        self.reduction = reduction


class MSELoss(_Elementwise):
    """The squared difference, reduced."""

    def forward(self, input: Any, label: Any) -> Any:
        """The loss."""
        return F.mse_loss(input, label, self.reduction)


class L1Loss(_Elementwise):
    """The absolute difference, reduced."""

    def forward(self, input: Any, label: Any) -> Any:
        """The loss."""
        return F.l1_loss(input, label, self.reduction)


class BCELoss(_Elementwise):
    """The binary cross entropy of probabilities; see `binary_cross_entropy`."""

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def forward(self, input: Any, label: Any) -> Any:
        """The loss."""
        return F.binary_cross_entropy(input, label, self.weight, self.reduction)


class BCEWithLogitsLoss(_Elementwise):
    """The binary cross entropy of scores; see `binary_cross_entropy_with_logits`."""

    def __init__(self, weight: Any = None, reduction: str = "mean", pos_weight: Any = None) -> None:
        super().__init__(reduction)
        self.weight, self.pos_weight = weight, pos_weight

    def forward(self, logit: Any, label: Any) -> Any:
        """The loss."""
        return F.binary_cross_entropy_with_logits(
            logit, label, self.weight, self.reduction, self.pos_weight
        )
