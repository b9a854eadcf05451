"""Automatic differentiation: the engine, and the doors to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minigrad.autograd.check import gradcheck, gradgradcheck
    from minigrad.autograd.entry import backward, backward_steps
    from minigrad.autograd.gradient import grad
    from minigrad.autograd.modes import (
        enable_grad,
        is_grad_enabled,
        no_grad,
        set_grad_enabled,
    )
    from minigrad.autograd.pylayer import PyLayer, PyLayerContext, once_differentiable

__all__ = [
    "PyLayer",
    "PyLayerContext",
    "backward",
    "backward_steps",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "is_grad_enabled",
    "no_grad",
    "once_differentiable",
    "set_grad_enabled",
]

_HOME = {
    "backward": "entry",
    "backward_steps": "entry",
    "grad": "gradient",
    "gradcheck": "check",
    "gradgradcheck": "check",
    "PyLayer": "pylayer",
    "PyLayerContext": "pylayer",
    "once_differentiable": "pylayer",
    "enable_grad": "modes",
    "is_grad_enabled": "modes",
    "no_grad": "modes",
    "set_grad_enabled": "modes",
}


def __getattr__(name: str) -> Any:
    # Found on first use: tensor.py needs autograd.node before these modules can have Tensor.
    if name not in _HOME:
        raise AttributeError(f"module 'minigrad.autograd' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"minigrad.autograd.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
