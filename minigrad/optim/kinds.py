"""SGD, Momentum, Adam and AdamW: each says how one parameter follows its gradient."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minigrad.errors import ArgumentValueError, message
from minigrad.optim.optimizer import Clip, Optimizer, Slot
from minigrad.tensor import Tensor

__all__ = ["SGD", "Adam", "AdamW", "Momentum"]


class SGD(Optimizer):
    """p becomes p - rate · g.

    Example
    -------
    >>> import minigrad as mg
    >>> w = mg.create_parameter([1], is_bias=True)
    >>> sgd = mg.optimizer.SGD(0.1, parameters=[w])
    >>> ((w - 1.0) ** 2).sum().backward()
    >>> sgd.step()
    >>> w.numpy().round(4).tolist(), w.inplace_version
    ([0.2...], 1)
    """

    def _updated(self, xp: Any, p: Any, g: Any, rate: float, slot: Slot) -> Any:  # noqa: ARG002
        return p - rate * g


class Momentum(Optimizer):
    """v becomes momentum · v + g, and p becomes p - rate · v.

    Parameters
    ----------
    learning_rate, parameters, weight_decay, grad_clip: see Optimizer.
    momentum: the share of the velocity that stays.
    use_nesterov: look ahead: p becomes p - rate · (g + momentum · v).
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        momentum: float = 0.9,
        parameters: Any = None,
        use_nesterov: bool = False,
        weight_decay: float | None = None,
        grad_clip: Clip | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip)
        self._momentum, self._use_nesterov = float(momentum), use_nesterov

    def _first_state(self, zeros: Any) -> dict[str, Any]:
        return {"velocity": zeros}

    def _updated(self, xp: Any, p: Any, g: Any, rate: float, slot: Slot) -> Any:  # noqa: ARG002
        velocity = slot.state["velocity"] = self._momentum * slot.state["velocity"] + g
        if self._use_nesterov:
            return p - rate * (g + self._momentum * velocity)
        return p - rate * velocity


class Adam(Optimizer):
    """Steps of the running mean of gradients over the root of that of their squares.

    Parameters
    ----------
    learning_rate, parameters, weight_decay, grad_clip: see Optimizer.
    beta1, beta2: the shares of the two running means that stay; from 0 up to, not including, 1.
    epsilon: added to the root.

    Raises
    ------
    ArgumentValueError: a beta outside its range, or an epsilon that is not above 0.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Any = None,
        weight_decay: float | None = None,
        grad_clip: Clip | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip)
        for name, beta in (("beta1", beta1), ("beta2", beta2)):
            if not 0 <= beta < 1:
                raise ArgumentValueError(message(f"{name} is from 0 up to 1, not {beta!r}."))
        if not epsilon > 0:
            raise ArgumentValueError(message(f"epsilon is above 0, not {epsilon!r}."))
        self._beta1, self._beta2, self._epsilon = float(beta1), float(beta2), float(epsilon)

    def _first_state(self, zeros: Any) -> dict[str, Any]:
        return {"moment1": zeros, "moment2": zeros, "beta1_pow_acc": 1.0, "beta2_pow_acc": 1.0}

    def _updated(self, xp: Any, p: Any, g: Any, rate: float, slot: Slot) -> Any:
        state = slot.state
        state["moment1"] = self._beta1 * state["moment1"] + (1.0 - self._beta1) * g
        state["moment2"] = self._beta2 * state["moment2"] + (1.0 - self._beta2) * (g * g)
        state["beta1_pow_acc"] *= self._beta1
        state["beta2_pow_acc"] *= self._beta2
        # Both means start at 0 and are too small at first; these factors make up for it.
        root = math.sqrt(1.0 - state["beta2_pow_acc"])
        rate *= root / (1.0 - state["beta1_pow_acc"])
        return p - rate * (state["moment1"] / (xp.sqrt(state["moment2"]) + self._epsilon * root))


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameter and leaves the gradient alone.

    Parameters
    ----------
    learning_rate, beta1, beta2, epsilon, parameters, grad_clip: see Adam.
    weight_decay: p becomes (1 - rate · weight_decay) · p before Adam's step.
    lr_ratio: a function from a parameter to a factor on its learning rate.
    apply_decay_param_fun: a function from a parameter's name to whether it decays.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Any = None,
        weight_decay: float = 0.01,
        lr_ratio: Callable[[Tensor], float] | None = None,
        apply_decay_param_fun: Callable[[str], bool] | None = None,
        grad_clip: Clip | None = None,
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, parameters, weight_decay, grad_clip)
        for slot in self._slots:
            if lr_ratio is not None:
                slot.factor *= lr_ratio(slot.parameter)
            if apply_decay_param_fun is not None and not apply_decay_param_fun(slot.parameter.name):
                slot.decay = 0.0

    def _decayed(self, p: Any, g: Any, rate: float, slot: Slot) -> tuple[Any, Any]:
        return p * (1.0 - rate * slot.decay), g
