"""ParamAttr: how a parameter of a layer is to be made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from minigrad.errors import ArgumentTypeError, message
from minigrad.nn.initializer import Initializer

__all__ = ["ParamAttr", "as_attr"]


@dataclass(slots=True)
class ParamAttr:
    """What a layer's `weight_attr` or `bias_attr` can say about the parameter.

    Parameters
    ----------
    name: its name; `linear_0.w_0` and the like when not given.
    initializer: where its first elements come from: an Initializer, or a function from a shape.
    learning_rate: a factor on the optimizer's learning rate.
    trainable: whether its gradient is wanted.

    Example
    -------
    >>> import minigrad as mg
    >>> ones = mg.ParamAttr(initializer=mg.nn.initializer.Constant(1.0))
    >>> mg.nn.Linear(2, 1, weight_attr=ones).weight.tolist()
    [[1.0], [1.0]]
    """

    name: str | None = None
    initializer: Initializer | Callable[[list[int]], Any] | None = None
    learning_rate: float = 1.0
    trainable: bool = True


def as_attr(given: Any) -> ParamAttr | None:
    """What `weight_attr=` means: False for no parameter (None here), a name, an initializer.

    Raises
    ------
    ArgumentTypeError: it is none of these.

    Example
    -------
    >>> as_attr("w").name, as_attr(False)
    ('w', None)
    """
    if given is False:
        return None
    if given is None or given is True:
        return ParamAttr()
    if isinstance(given, ParamAttr):
        return given
    if isinstance(given, str):
        return ParamAttr(name=given)
    if callable(given):
        return ParamAttr(initializer=given)
    raise ArgumentTypeError(
        message(
            f"{type(given).__name__} does not say how to make a parameter.",
            hint="give a ParamAttr, a name, an initializer, or False for no parameter.",
        )
    )
