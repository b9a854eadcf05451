"""Products of matrices."""

from __future__ import annotations

from typing import Any

from minigrad.dtype import dtype_name
from minigrad.errors import DtypeError, ShapeError, message
from minigrad.ops.promotion import narrow
from minigrad.ops.registry import op

__all__ = ["linear", "matmul"]


def _turned(xp: Any, x: Any, *, turn: bool) -> Any:
    return xp.matrix_transpose(x) if turn and len(x.shape) > 1 else x


def _check_dtypes(name: str, x: Any, y: Any) -> None:
    if x.dtype != y.dtype:
        a, b = dtype_name(x.dtype), dtype_name(y.dtype)
        raise DtypeError(
            message(
                f"{name} cannot multiply {a} by {b}.",
                why="a product of matrices promotes nothing: it would copy a whole matrix unasked.",
                hint=f"x.astype('{b}') or y.astype('{a}').",
            )
        )


@op(formula="Z = X Y", rules={"x": "g \\, Y^{T}", "y": "X^{T} g"})
def matmul(xp: Any, x: Any, y: Any, /, transpose_x: bool = False, transpose_y: bool = False) -> Any:
    """The matrix product; vectors and batches as in NumPy, either side transposed on demand.

    >>> import minigrad as mg
    >>> mg.matmul(mg.to_tensor([[1.0, 2.0]]), mg.to_tensor([[3.0, 4.0]]), transpose_y=True).tolist()
    [[11.0]]
    """
    if not x.shape or not y.shape:
        raise ShapeError(message("matmul needs tensors of one axis or more.", hint="use x * y."))
    _check_dtypes("matmul", x, y)
    z = xp.matmul(_turned(xp, x, turn=transpose_x), _turned(xp, y, turn=transpose_y))
    return narrow(xp, z, x)


@matmul.vjp("x")
def _(xp: Any, g: Any, x_shape: Any, y: Any, transpose_x: bool, transpose_y: bool) -> Any:
    vector = len(x_shape) == 1
    if len(y.shape) == 1:
        g, y = xp.expand_dims(g, axis=-1), xp.expand_dims(y, axis=-1)
    elif transpose_y:
        y = xp.matrix_transpose(y)
    if vector:
        g = xp.expand_dims(g, axis=-2)
    if transpose_x and not vector:
        return xp.matmul(y, xp.matrix_transpose(g))
    found = xp.matmul(g, xp.matrix_transpose(y))
    return _drop(xp, found, -2) if vector else found


@matmul.vjp("y")
def _(xp: Any, g: Any, x: Any, y_shape: Any, transpose_x: bool, transpose_y: bool) -> Any:
    vector = len(y_shape) == 1
    if len(x.shape) == 1:
        x = xp.expand_dims(x, axis=-2)
        g = xp.expand_dims(g, axis=-1 if vector else -2)
    elif transpose_x:
        x = xp.matrix_transpose(x)
    if vector:
        g = xp.expand_dims(g, axis=-1)
    if transpose_y and not vector:
        return xp.matmul(xp.matrix_transpose(g), x)
    found = xp.matmul(xp.matrix_transpose(x), g)
    return _drop(xp, found, -1) if vector else found


def _drop(xp: Any, x: Any, axis: int) -> Any:
    shape = list(x.shape)
    del shape[axis]
    return xp.reshape(x, tuple(shape))


@op(formula="Z = X W + b", rules={"x": "g \\, W^{T}", "weight": "X^{T} g", "bias": r"\sum_i g_i"})
def linear(xp: Any, x: Any, weight: Any, bias: Any = None, /) -> Any:
    """x times weight, plus bias: what a Linear layer does. weight is [in, out].

    >>> import minigrad as mg
    >>> w, b = mg.to_tensor([[2.0], [1.0]]), mg.to_tensor([0.5])
    >>> mg.nn.functional.linear(mg.to_tensor([[1.0, 3.0]]), w, b).tolist()
    [[5.5]]
    """
    _check_dtypes("linear", x, weight)
    z = xp.matmul(x, weight)
    return narrow(xp, z if bias is None else z + bias, x)


@linear.vjp("x")
def _(xp: Any, g: Any, weight: Any) -> Any:
    return xp.matmul(g, xp.matrix_transpose(weight))


@linear.vjp("weight")
def _(xp: Any, g: Any, x: Any) -> Any:
    if len(x.shape) == 1:
        x, g = xp.expand_dims(x, axis=0), xp.expand_dims(g, axis=0)
    if len(x.shape) > 2:
        x = xp.reshape(x, (-1, x.shape[-1]))
        g = xp.reshape(g, (-1, g.shape[-1]))
    return xp.matmul(xp.matrix_transpose(x), g)


@linear.vjp("bias")
def _(xp: Any, g: Any) -> Any:
    return g  # the engine sums over the rows
