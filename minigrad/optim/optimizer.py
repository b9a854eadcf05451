"""Optimizer: what all of them share. A kind of its own says how one parameter is updated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minigrad.autograd.modes import no_grad
from minigrad.creation import to_tensor
from minigrad.errors import ArgumentTypeError, ArgumentValueError, ShapeError, message
from minigrad.tensor import Tensor, wrap

__all__ = ["Group", "Optimizer", "Slot"]

Group = dict[str, Any]
Clip = Callable[[Sequence[tuple[Tensor, Tensor]]], Sequence[tuple[Tensor, Tensor]]]


@dataclass(slots=True)
class Slot:
    """One parameter, and what its optimizer knows of it.

    Attributes
    ----------
    parameter: the tensor that is updated.
    factor: on the learning rate.
    decay: the weight decay.
    state: the accumulators by name: arrays like the parameter, or numbers.
    """

    parameter: Tensor
    factor: float
    decay: float
    state: dict[str, Any] = field(default_factory=dict)


class Optimizer:
    """Base of the optimizers.

    Parameters
    ----------
    learning_rate: a number, a function without arguments, or an object with `get_lr()`.
    parameters: tensors, or dicts with `params` and, for these, a `learning_rate` (a factor on the
        optimizer's) and a `weight_decay`.
    weight_decay: the factor of an L2 penalty, added to the gradient as `weight_decay * parameter`.
    grad_clip: a function from pairs (parameter, gradient) to pairs, as `nn.ClipGradByGlobalNorm`.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError: parameters or a learning rate that cannot be used.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        parameters: Any = None,
        weight_decay: float | None = None,
        grad_clip: Clip | None = None,
    ) -> None:
        self._learning_rate = learning_rate
        self.get_lr()
        if grad_clip is not None and not callable(grad_clip):
            raise ArgumentTypeError(
                message(
                    f"grad_clip is a function, not {type(grad_clip).__name__}.",
                    hint="nn.ClipGradByGlobalNorm(1.0), for one.",
                )
            )
        self._grad_clip = grad_clip
        self._slots = _slots(parameters, _decay(weight_decay))

    # -- for a kind of its own ------------------------------------------------------------------

    def _first_state(self, zeros: Any) -> dict[str, Any]:  # noqa: ARG002 (SGD has none)
        """The accumulators before the first step; `zeros` is an array like the parameter."""
        return {}

    def _updated(self, xp: Any, p: Any, g: Any, rate: float, slot: Slot) -> Any:
        """The array that the parameter becomes, from its array p and its gradient g."""
        raise NotImplementedError(message(f"{type(self).__name__} does not define _updated()."))

    def _decayed(self, p: Any, g: Any, rate: float, slot: Slot) -> tuple[Any, Any]:  # noqa: ARG002
        """Parameter and gradient after weight decay: here the L2 penalty's gradient is added."""
        return p, g + slot.decay * p

    # -- stepping ------------------------------------------------------------------------------

    def step(self) -> None:
        """Update every parameter that has a gradient, in place, so that its version counts up."""
        rate = self.get_lr()
        # What is not finite stays so, silently.
        with no_grad(), np.errstate(over="ignore", invalid="ignore"):
            for slot, gradient in self._gradients():
                self._update(slot, gradient, rate * slot.factor)

    def _gradients(self) -> list[tuple[Slot, Tensor]]:
        """The slots to be updated, each with its gradient: `main_grad` before `.grad`."""
        found = []
        for slot in self._slots:
            parameter = slot.parameter
            gradient = getattr(parameter, "main_grad", None)
            gradient = parameter.grad if gradient is None else gradient
            if gradient is not None and not parameter.stop_gradient:
                found.append((slot, gradient))
        if self._grad_clip is None:
            return found
        clipped = self._grad_clip([(slot.parameter, gradient) for slot, gradient in found])
        return [(slot, gradient) for (slot, _), (_, gradient) in zip(found, clipped, strict=True)]

    def _update(self, slot: Slot, gradient: Tensor, rate: float) -> None:
        parameter = slot.parameter
        backend = parameter._backend
        xp, p, g = backend.xp, parameter._data, gradient._data
        if p.dtype != g.dtype:
            p = xp.astype(p, g.dtype)
        if not slot.state:
            slot.state = self._first_state(xp.zeros_like(p))
        if slot.decay:
            p, g = self._decayed(p, g, rate, slot)
        new = backend.asarray(self._updated(xp, p, g, rate, slot))
        if new.dtype != parameter._data.dtype:
            new = xp.astype(new, parameter._data.dtype)
        parameter._write(new)

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Zero the gradients of the parameters, or forget them with `set_to_zero=False`."""
        for slot in self._slots:
            parameter = slot.parameter
            parameter.clear_gradient(set_to_zero)
            kept = getattr(parameter, "main_grad", None)
            if kept is not None:
                vars(parameter)["main_grad"] = kept * 0 if set_to_zero else None

    clear_gradients = clear_grad

    def minimize(self, loss: Tensor) -> tuple[None, list[tuple[Tensor, Tensor]]]:
        """Take a step; the pairs (parameter, gradient) it used. As in Paddle, call backward first.

        Raises
        ------
        ArgumentTypeError: `loss` is no tensor.
        """
        if not isinstance(loss, Tensor):
            raise ArgumentTypeError(
                message(f"minimize takes the loss, a Tensor, not {type(loss).__name__}.")
            )
        used = [(slot.parameter, gradient) for slot, gradient in self._gradients()]
        self.step()
        return None, used

    # -- the learning rate ---------------------------------------------------------------------

    def get_lr(self) -> float:
        """The learning rate of the next step.

        Raises
        ------
        ArgumentTypeError: it is no number.
        """
        rate = self._learning_rate
        if callable(rate):
            rate = rate()
        elif hasattr(rate, "get_lr"):
            rate = rate.get_lr()
        if isinstance(rate, bool) or not isinstance(rate, (int, float, np.number)):
            raise ArgumentTypeError(
                message(
                    f"A learning rate is a number, not {type(rate).__name__}.",
                    hint="give a number, a function without arguments, or an object with get_lr().",
                )
            )
        return float(rate)

    def set_lr(self, value: float) -> None:
        """Change a learning rate that was given as a number.

        Raises
        ------
        ArgumentTypeError: `value` is no number.
        ArgumentValueError: a scheduler decides.
        """
        before = self._learning_rate
        if not isinstance(before, (int, float, np.number)):
            raise ArgumentValueError(
                message(
                    "The learning rate cannot be set.",
                    why=f"{type(before).__name__} decides it.",
                    hint="change the scheduler, or give the optimizer a number.",
                )
            )
        self._learning_rate = value
        try:
            self.get_lr()
        except ArgumentTypeError:
            self._learning_rate = before
            raise

    # -- state ---------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """The accumulators by name (`linear_0.w_0_moment1_0`), and the scheduler's state."""
        state: dict[str, Any] = {}
        for slot in self._slots:
            for name, value in slot.state.items():
                state[_key(slot, name)] = (
                    to_tensor([value], "float64")
                    if isinstance(value, float)
                    else wrap(slot.parameter._backend.copy(value), slot.parameter._backend)
                )
        if hasattr(self._learning_rate, "state_dict"):
            state["LR_Scheduler"] = self._learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a `state_dict`; parameters that it has nothing of start anew.

        Raises
        ------
        ArgumentTypeError: `state_dict` is no dict.
        ArgumentValueError: it has names that no parameter here has, or lacks some of a parameter's.
        ShapeError: an accumulator of another shape.
        """
        if not isinstance(state_dict, dict):
            raise ArgumentTypeError(
                message(f"set_state_dict takes a dict, not {type(state_dict).__name__}.")
            )
        left = dict(state_dict)
        scheduler = left.pop("LR_Scheduler", None)
        states = [self._state_from(slot, left) for slot in self._slots]
        if left:
            raise ArgumentValueError(
                message(
                    f"The state has {', '.join(sorted(left))}, which no parameter here has.",
                    why="accumulators are found by the parameter's name, which counts the layers "
                    "made so far.",
                    hint="load into an optimizer of the same kind and of the same parameters.",
                )
            )
        for slot, state in zip(self._slots, states, strict=True):
            slot.state = state
        if scheduler is not None and hasattr(self._learning_rate, "set_state_dict"):
            self._learning_rate.set_state_dict(scheduler)

    def _state_from(self, slot: Slot, given: dict[str, Any]) -> dict[str, Any]:
        """The state of one parameter, taken out of `given`."""
        first = self._first_state(slot.parameter._backend.xp.zeros_like(slot.parameter._data))
        keys = {name: _key(slot, name) for name in first}
        missing = [key for key in keys.values() if key not in given]
        if len(missing) == len(keys):
            return {}
        if missing:
            raise ArgumentValueError(message(f"The state lacks {', '.join(missing)}."))
        return {name: _loaded(slot, key, first[name], given.pop(key)) for name, key in keys.items()}


def _key(slot: Slot, name: str) -> str:
    return f"{slot.parameter.name}_{name}_0"


def _loaded(slot: Slot, key: str, like: Any, value: Any) -> Any:
    tensor = to_tensor(value, place=slot.parameter._backend.name)
    if isinstance(like, float):
        return float(tensor)
    if tensor.shape != list(like.shape):
        raise ShapeError(message(f"{key} has shape {list(tensor.shape)}, not {list(like.shape)}."))
    return tensor._data


def _decay(weight_decay: Any) -> float:
    if weight_decay is None:
        return 0.0
    if isinstance(weight_decay, bool) or not isinstance(weight_decay, (int, float)):
        raise ArgumentTypeError(
            message(f"weight_decay is a number, not {type(weight_decay).__name__}.")
        )
    return float(weight_decay)


def _slots(parameters: Any, decay: float) -> list[Slot]:
    """A slot for each parameter, from tensors or groups of them."""
    if parameters is None or isinstance(parameters, (Tensor, dict, str)) or callable(parameters):
        raise ArgumentTypeError(
            message(
                f"An optimizer needs a list of parameters, not {type(parameters).__name__}.",
                hint="parameters=net.parameters()",
            )
        )
    given = list(parameters)
    groups = given if given and isinstance(given[0], dict) else [{"params": given}]
    slots = [slot for group in groups for slot in _group_slots(group, decay)]
    if len({id(slot.parameter) for slot in slots}) < len(slots):
        raise ArgumentValueError(
            message("A parameter was given twice.", why="it would be updated twice in a step.")
        )
    return slots


def _group_slots(group: Any, decay: float) -> list[Slot]:
    known = {"params", "learning_rate", "weight_decay"}
    if not isinstance(group, dict) or "params" not in group or not group.keys() <= known:
        raise ArgumentValueError(
            message(
                "A group of parameters is not understood.",
                why="it is a dict with 'params' and perhaps 'learning_rate', 'weight_decay'.",
            )
        )
    if group.get("weight_decay") is not None:
        decay = _decay(group["weight_decay"])
    slots = []
    for parameter in group["params"]:
        if not isinstance(parameter, Tensor) or not parameter.is_leaf:
            raise ArgumentTypeError(
                message(
                    f"An optimizer cannot update {type(parameter).__name__}.",
                    why="parameters are leaf tensors: a result of an op is computed, not learned.",
                )
            )
        own = getattr(parameter, "optimize_attr", {}).get("learning_rate", 1.0)
        slots.append(Slot(parameter, own * group.get("learning_rate", 1.0), decay))
    return slots
