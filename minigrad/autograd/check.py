"""Check gradients against finite differences.

Backward computes derivatives by rules. A finite difference computes them by trying: nudge one
element of an input up and down, and see how far each element of the output moves. Where the two
disagree, a rule is wrong (or the function has a kink just there, as relu has at 0).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.autograd.gradient import grad
from minigrad.autograd.modes import enable_grad
from minigrad.autograd.origin import describe
from minigrad.dtype import dtype_name, is_floating
from minigrad.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    GradientError,
    message,
)
from minigrad.tensor import Tensor, wrap

__all__ = ["gradcheck", "gradgradcheck"]

Array = np.ndarray[Any, Any]


def gradcheck(
    function: Callable[..., Any],
    inputs: Any,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """Whether backward through `function` agrees with central finite differences.

    Every element of the Jacobian is compared: each element of each differentiable output against
    each element of each input that needs a gradient. `.grad` is never touched.

    Parameters
    ----------
    function: takes `inputs`, and returns a Tensor or a list of Tensors. It is called twice for each
        element, and must give the same result for the same inputs.
    inputs: a Tensor, or a list of Tensors and other arguments. Those that need a gradient are
        float64: in float32 a difference of two function values has no digits left.
    eps: how far an element is nudged.
    atol, rtol: the two may differ by `atol + rtol * |finite difference|`.
    raise_exception: raise on a disagreement; with False, return False.

    Raises
    ------
    GradientError: they disagree; says at which elements, and what each of the two found.
    DtypeError: an input that needs a gradient is not float64.
    ArgumentTypeError, ArgumentValueError: there is nothing to check.

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.to_tensor([1.0, 2.0], dtype="float64", stop_gradient=False)
    >>> mg.autograd.gradcheck(lambda x: x * x, x)
    True
    """
    args = _arguments(inputs)
    wanted = _to_check(args)
    with enable_grad():
        _differentiable(function, args)
        trouble = _disagreement(function, args, wanted, (eps, atol, rtol))
    return _verdict("gradcheck", trouble, raise_exception=raise_exception)


def gradgradcheck(
    function: Callable[..., Any],
    inputs: Any,
    grad_outputs: Tensor | Sequence[Tensor] | None = None,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """Whether backward through the backward of `function` agrees with finite differences.

    It checks the function from `inputs` and `grad_outputs` to the gradients of the inputs, as
    `grad(..., create_graph=True)` computes it.

    Parameters
    ----------
    function, inputs, eps, atol, rtol, raise_exception: as in `gradcheck`.
    grad_outputs: a float64 gradient for each differentiable output; random numbers (always the
        same) if not given.

    Raises
    ------
    GradientError, DtypeError, ArgumentTypeError, ArgumentValueError: as in `gradcheck`.

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.to_tensor([1.0, 2.0], dtype="float64", stop_gradient=False)
    >>> mg.autograd.gradgradcheck(lambda x: x * x * x, x)
    True
    """
    args = _arguments(inputs)
    wanted = _to_check(args)
    with enable_grad():
        seeds = _seeds(_differentiable(function, args), grad_outputs)

        def gradients(*values: Any) -> list[Tensor]:
            roots = _differentiable(function, values[: len(args)])
            return _grad(roots, wanted, values[len(args) :], create_graph=True)

        trouble = _disagreement(
            gradients, [*args, *seeds], [*wanted, *seeds], (eps, atol, rtol), constants=True
        )
    return _verdict("gradgradcheck", trouble, raise_exception=raise_exception)


# -- what is given ---------------------------------------------------------------------------------


def _arguments(inputs: Any) -> list[Any]:
    return list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]


def _to_check(args: Sequence[Any]) -> list[Tensor]:
    """The arguments that need a gradient, each once."""
    wanted: dict[int, Tensor] = {}
    for number, arg in enumerate(args):
        if not isinstance(arg, Tensor) or arg.stop_gradient:
            continue
        if dtype_name(arg.dtype) != "float64":
            raise DtypeError(
                message(
                    f"Gradients are checked in float64, and input {number} is "
                    f"{dtype_name(arg.dtype)}.",
                    why="a finite difference subtracts two numbers that are almost equal, and "
                    "loses half of their digits.",
                    hint="mg.to_tensor(data, dtype='float64', stop_gradient=False).",
                )
            )
        wanted[id(arg)] = arg
    if not wanted:
        raise ArgumentValueError(
            message(
                "There is no input whose gradient could be checked.",
                hint="give Tensors with stop_gradient=False.",
            )
        )
    return list(wanted.values())


def _outputs(function: Callable[..., Any], args: Sequence[Any]) -> list[Tensor]:
    """The floating tensors that `function` returns."""
    result = function(*args)
    outs = list(result) if isinstance(result, (list, tuple)) else [result]
    for out in outs:
        if not isinstance(out, Tensor):
            raise ArgumentTypeError(
                message(
                    f"The function returned {type(out).__name__}, which has no gradient.",
                    hint="return a Tensor or a list of Tensors.",
                )
            )
    return [out for out in outs if is_floating(out.dtype)]


def _differentiable(function: Callable[..., Any], args: Sequence[Any]) -> list[Tensor]:
    """The outputs that have a gradient."""
    outs = [out for out in _outputs(function, args) if out._edge is not None]
    if not outs:
        raise ArgumentValueError(
            message(
                "There is nothing to check: every output stops gradients.",
                hint="return a Tensor that depends on the inputs in a differentiable way.",
            )
        )
    return outs


def _seeds(outputs: Sequence[Tensor], given: Any) -> list[Tensor]:
    """Leaves to start the first backward from: in the second derivative they are inputs too."""
    if given is not None:
        return _to_check([_leaf(seed.numpy(), seed) for seed in _arguments(given)])
    rng = np.random.default_rng(0)
    return [_leaf(rng.uniform(0.5, 1.5, tuple(out.shape)), out) for out in outputs]


def _leaf(values: Array, like: Tensor) -> Tensor:
    tensor: Tensor = wrap(like._backend.asarray(values), like._backend)
    tensor.stop_gradient = False
    return tensor


# -- the two ways to a derivative ------------------------------------------------------------------


def _by_backward(out: Tensor, wanted: Sequence[Tensor]) -> list[Array]:
    """For each input, d(out[j]) / d(input[i]) at [i, j]: one backward for each element of `out`."""
    found = [np.zeros((x.size, out.size)) for x in wanted]
    for j in range(out.size if out._edge is not None else 0):
        seed = np.zeros(tuple(out.shape))
        seed.flat[j] = 1.0
        gradients = _grad([out], wanted, [_leaf(seed, out)], create_graph=False)
        for table, gradient in zip(found, gradients, strict=True):
            table[:, j] = gradient.numpy().ravel()
    return found


def _grad(
    roots: list[Tensor], wanted: Sequence[Tensor], seeds: Sequence[Tensor], *, create_graph: bool
) -> list[Tensor]:
    """The gradients of `wanted`, zeros where one does not matter."""
    found = grad(roots, wanted, seeds, create_graph=create_graph, allow_unused=True)
    return [
        wrap(x._backend.xp.zeros_like(x._data), x._backend) if gradient is None else gradient
        for x, gradient in zip(wanted, found, strict=True)
    ]


def _by_trying(
    function: Callable[..., Any], args: Sequence[Any], x: Tensor, eps: float
) -> list[Array]:
    """For each output, d(output[j]) / d(x[i]) at [i, j]: two calls for each element of x."""
    data, backend = x._data, x._backend
    values = np.array(backend.to_numpy(data))
    rows: list[list[Array]] = []
    try:
        for i in range(values.size):
            ends = []
            for step in (eps, -eps):
                nudged = values.copy()
                nudged.flat[i] += step
                # Not written in place: whoever shares x's memory keeps the values it had.
                x._data = backend.asarray(nudged)
                ends.append([np.array(out.numpy(), "float64") for out in _outputs(function, args)])
            rows.append([(up - down).ravel() / (2 * eps) for up, down in zip(*ends, strict=True)])
    finally:
        x._data = data
    return [np.stack(columns) for columns in zip(*rows, strict=True)]


# -- comparing -------------------------------------------------------------------------------------


def _disagreement(
    function: Callable[..., Any],
    args: Sequence[Any],
    wanted: Sequence[Tensor],
    tolerance: tuple[float, float, float],
    *,
    constants: bool = False,
) -> tuple[str, str, str] | None:
    """What is wrong, where and why; None if the two agree.

    With `constants`, outputs without a gradient are held to be constant.
    """
    eps, atol, rtol = tolerance
    outputs = _outputs(function, args)
    tables = [_by_backward(out, wanted) for out in outputs]
    names = [next(n for n, arg in enumerate(args) if arg is x) for x in wanted]
    for number, x in enumerate(wanted):
        for o, tried in enumerate(_by_trying(function, args, x, eps)):
            if outputs[o]._edge is None and not constants:
                continue
            computed = tables[o][number]
            wrong = ~np.isclose(computed, tried, rtol, atol)
            if wrong.any():
                i, j = np.argwhere(wrong)[0]
                at = f"d output {o}{_place(j, outputs[o])} / d input {names[number]}{_place(i, x)}"
                node = outputs[o].grad_fn
                why = (
                    f"backward gives {computed[i, j]:.8g}, finite differences give "
                    f"{tried[i, j]:.8g}; {wrong.sum()} of {wrong.size} derivatives of this output "
                    "by this input differ."
                )
                return at, describe(node.origin) if node is not None else "", why
    return None


def _place(flat: int, tensor: Tensor) -> str:
    """An element as an index: `[1, 2]`; nothing for a number without axes."""
    index = [int(n) for n in np.unravel_index(flat, tuple(tensor.shape))]
    return f"{index}" if index else ""


def _verdict(name: str, trouble: tuple[str, str, str] | None, *, raise_exception: bool) -> bool:
    if trouble is None:
        return True
    if not raise_exception:
        return False
    at, where, why = trouble
    raise GradientError(
        message(
            f"{name} found a wrong gradient: {at}.",
            where=where,
            why=why,
            hint="check the rules of the ops on this line. At a kink, such as relu at 0, there is "
            "no derivative: check at other values.",
        )
    )
