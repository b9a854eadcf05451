"""minigrad: an autograd engine that you can watch.

    import minigrad as mg

    x = mg.to_tensor([1.0, 2.0], stop_gradient=False)
    with mg.record() as trace:
        (x * x).sum().backward()
    trace          # the stepper in a notebook, a table in a terminal

Its semantics are those of PaddlePaddle's eager engine, and so are its names. Importing it imports
NumPy and nothing of notebooks or plots; the rest comes with the first use.
"""

from __future__ import annotations

from typing import Any

from minigrad import _lazy
from minigrad._version import __version__
from minigrad.dtype import (
    bool_,
    float16,
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    set_default_dtype,
    uint8,
)

from minigrad.tensor import Parameter, Tensor  # isort: skip (the engine's modules need it first)
from minigrad import autograd, backend
from minigrad.autograd.modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from minigrad.backend import get_device, set_device
from minigrad.creation import (
    arange,
    create_parameter,
    empty,
    empty_like,
    eye,
    from_dlpack,
    full,
    full_like,
    linspace,
    ones,
    ones_like,
    to_tensor,
    zeros,
    zeros_like,
)
from minigrad.tensor_methods import FUNCTIONS

__all__ = [  # noqa: PLE0604 (the ops are entered by their own table)
    "Parameter",
    "Tensor",
    "__version__",
    "arange",
    "autograd",
    "backend",
    "bool_",
    "create_parameter",
    "empty",
    "empty_like",
    "enable_grad",
    "eye",
    "float16",
    "float32",
    "float64",
    "from_dlpack",
    "full",
    "full_like",
    "get_default_dtype",
    "get_device",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_grad_enabled",
    "linspace",
    "no_grad",
    "ones",
    "ones_like",
    "set_default_dtype",
    "set_device",
    "set_grad_enabled",
    "to_tensor",
    "uint8",
    "zeros",
    "zeros_like",
    *_lazy.NAMES,
    *FUNCTIONS,
]

globals().update(FUNCTIONS)


def __getattr__(name: str) -> Any:
    if name == "bfloat16":
        from minigrad.dtype import bfloat16

        return bfloat16()
    if name not in _lazy.NAMES:
        raise AttributeError(f"module 'minigrad' has no attribute {name!r}")
    found = globals()[name] = _lazy.find(name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "bfloat16"})
