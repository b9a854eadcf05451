"""Arithmetic and functions of each element."""

from __future__ import annotations

from typing import Any

from minigrad.ops.promotion import narrow
from minigrad.ops.registry import op

__all__ = [
    "abs",
    "add",
    "assign",
    "cast",
    "div_scale",
    "divide",
    "elementwise_pow",
    "exp",
    "floor",
    "floor_divide",
    "log",
    "maximum",
    "minimum",
    "multiply",
    "neg",
    "pow",
    "relu",
    "remainder",
    "scale",
    "sigmoid",
    "sign",
    "sqrt",
    "square",
    "subtract",
    "tanh",
    "where",
]


@op(formula="z = x + y", rules={"x": "g", "y": "g"}, promotes=True)
def add(xp: Any, x: Any, y: Any, /) -> Any:
    """Add two tensors.

    >>> import minigrad as mg
    >>> mg.add(mg.to_tensor([1.0, 2.0]), mg.to_tensor([10.0, 20.0])).tolist()
    [11.0, 22.0]
    """
    return x + y


@add.vjp("x")
@add.vjp("y")
def _(xp: Any, g: Any) -> Any:
    return g


@op(formula="z = x - y", rules={"x": "g", "y": "-g"}, promotes=True)
def subtract(xp: Any, x: Any, y: Any, /) -> Any:
    """Subtract y from x.

    >>> import minigrad as mg
    >>> mg.subtract(mg.to_tensor([3.0]), mg.to_tensor([1.0])).tolist()
    [2.0]
    """
    return x - y


@subtract.vjp("x")
def _(xp: Any, g: Any) -> Any:
    return g


@subtract.vjp("y")
def _(xp: Any, g: Any) -> Any:
    return -g


@op(formula=r"z = x \odot y", rules={"x": r"g \odot y", "y": r"g \odot x"}, promotes=True)
def multiply(xp: Any, x: Any, y: Any, /) -> Any:
    """Multiply two tensors, element by element.

    >>> import minigrad as mg
    >>> mg.multiply(mg.to_tensor([3.0]), mg.to_tensor([2.0])).tolist()
    [6.0]
    """
    return x * y


@multiply.vjp("x")
def _(xp: Any, g: Any, y: Any) -> Any:
    return g * y


@multiply.vjp("y")
def _(xp: Any, g: Any, x: Any) -> Any:
    return g * x


@op(
    formula=r"z = \frac{x}{y}",
    rules={"x": r"\frac{g}{y}", "y": r"-\frac{g \odot z}{y}"},
    promotes=True,
)
def divide(xp: Any, x: Any, y: Any, /) -> Any:
    """Divide x by y.

    >>> import minigrad as mg
    >>> mg.divide(mg.to_tensor([3.0]), mg.to_tensor([2.0])).tolist()
    [1.5]
    """
    return x / y


@divide.vjp("x")
def _(xp: Any, g: Any, y: Any) -> Any:
    return g / y


@divide.vjp("y")
def _(xp: Any, g: Any, y: Any, out: Any) -> Any:
    return -(g * out) / y


@op(formula="z = a x + b", rules={"x": "a g"})
def scale(
    xp: Any, x: Any, /, scale: float = 1.0, bias: float = 0.0, bias_after_scale: bool = True
) -> Any:
    """`scale * x + bias`, with Python numbers; what `x * 2`, `x + 1`, `-x` and `1 - x` are.

    >>> import minigrad as mg
    >>> mg.scale(mg.to_tensor([3.0]), scale=2.0, bias=1.0).tolist()
    [7.0]
    """
    if (scale < 0 or bias < 0) and x.dtype == xp.uint8:
        scale, bias = scale % 256, bias % 256  # the same numbers modulo 256, as uint8 has them
    if not bias_after_scale:
        z = (x + bias) * scale
    elif bias == 0:
        z = x * scale
    else:
        z = x + bias if scale == 1 else x * scale + bias
    return z if z.dtype is x.dtype else narrow(xp, z, x)  # asked here, since this op must be quick


@scale.vjp("x")
def _(xp: Any, g: Any, scale: float) -> Any:
    return g if scale == 1 else g * scale


@op(formula=r"z = \frac{x}{a}", rules={"x": r"\frac{g}{a}"})
def div_scale(xp: Any, x: Any, /, value: float) -> Any:
    """Divide by a Python number; what `x / 2` is.

    >>> import minigrad as mg
    >>> (mg.to_tensor([3.0]) / 2).tolist()
    [1.5]
    """
    return narrow(xp, x / value, x)


@div_scale.vjp("x")
def _(xp: Any, g: Any, value: float) -> Any:
    return g / value


@op(formula="z = x^{n}", rules={"x": r"n \, g \odot x^{n-1}"})
def pow(xp: Any, x: Any, /, y: float) -> Any:
    """x to the power of the Python number y.

    >>> import minigrad as mg
    >>> mg.pow(mg.to_tensor([3.0]), 2).tolist()
    [9.0]
    """
    return narrow(xp, x**y, x)


@pow.vjp("x")
def _(xp: Any, g: Any, x: Any, y: float) -> Any:
    if y == 0:
        return xp.zeros_like(x)  # also where x is 0, where x ** -1 is infinite
    return g * (x ** (y - 1) * y)


@op(
    formula="z = x^{y}",
    rules={"x": r"g \odot y \odot x^{y-1}", "y": r"g \odot z \odot \ln x"},
    promotes=True,
    node_name="ElementwisePow",
)
def elementwise_pow(xp: Any, x: Any, y: Any, /) -> Any:
    """x to the power of y, both tensors.

    >>> import minigrad as mg
    >>> (mg.to_tensor([3.0]) ** mg.to_tensor([2.0])).tolist()
    [9.0]
    """
    return x**y


@elementwise_pow.vjp("x")
def _(xp: Any, g: Any, x: Any, y: Any) -> Any:
    flat = y == 0
    return xp.where(flat, xp.zeros_like(g), g * y * x ** xp.where(flat, xp.ones_like(y), y - 1))


@elementwise_pow.vjp("y")
def _(xp: Any, g: Any, x: Any, out: Any) -> Any:
    return xp.where(
        x == 0, xp.zeros_like(g), g * out * xp.log(xp.where(x == 0, xp.ones_like(x), x))
    )


@op(formula=r"z = \lfloor x / y \rfloor", promotes=True, differentiable=False)
def floor_divide(xp: Any, x: Any, y: Any, /) -> Any:
    """x divided by y, rounded down; what `x // y` is.

    >>> import minigrad as mg
    >>> (mg.to_tensor([7, -7]) // 2).tolist()
    [3, -4]
    """
    return x // y


@op(
    formula=r"z = x - y \lfloor x / y \rfloor",
    rules={"x": "g", "y": r"-g \odot \lfloor x / y \rfloor"},
    promotes=True,
)
def remainder(xp: Any, x: Any, y: Any, /) -> Any:
    """What is left of x after `x // y` times y; what `x % y` is.

    >>> import minigrad as mg
    >>> (mg.to_tensor([7, -7]) % 3).tolist()
    [1, 2]
    """
    return x % y


@remainder.vjp("x")
def _(xp: Any, g: Any) -> Any:
    return g


@remainder.vjp("y")
def _(xp: Any, g: Any, x: Any, y: Any) -> Any:
    return -g * xp.floor(x / y)


@op(formula=r"z = \lfloor x \rfloor", rules={"x": "0"})
def floor(xp: Any, x: Any, /) -> Any:
    """The largest integer not above x; its gradient is 0.

    >>> import minigrad as mg
    >>> mg.floor(mg.to_tensor([1.7, -1.2])).tolist()
    [1.0, -2.0]
    """
    return xp.floor(x)


@floor.vjp("x")
def _(xp: Any, g: Any) -> Any:
    return xp.zeros_like(g)


@op(formula="z = -x", rules={"x": "-g"})
def neg(xp: Any, x: Any, /) -> Any:
    """The negative of x.

    >>> import minigrad as mg
    >>> mg.neg(mg.to_tensor([3.0])).tolist()
    [-3.0]
    """
    return -x


@neg.vjp("x")
def _(xp: Any, g: Any) -> Any:
    return -g


@op(formula="z = e^{x}", rules={"x": r"g \odot z"})
def exp(xp: Any, x: Any, /) -> Any:
    """The exponential function.

    >>> import minigrad as mg
    >>> mg.exp(mg.to_tensor([0.0])).tolist()
    [1.0]
    """
    return xp.exp(x)


@exp.vjp("x")
def _(xp: Any, g: Any, out: Any) -> Any:
    return g * out


@op(formula=r"z = \ln x", rules={"x": r"\frac{g}{x}"})
def log(xp: Any, x: Any, /) -> Any:
    """The natural logarithm.

    >>> import minigrad as mg
    >>> mg.log(mg.to_tensor([1.0])).tolist()
    [0.0]
    """
    return xp.log(x)


@log.vjp("x")
def _(xp: Any, g: Any, x: Any) -> Any:
    return g / x


@op(formula=r"z = \sqrt{x}", rules={"x": r"\frac{g}{2 z}"})
def sqrt(xp: Any, x: Any, /) -> Any:
    """The square root; its gradient at 0 is infinite.

    >>> import minigrad as mg
    >>> mg.sqrt(mg.to_tensor([9.0])).tolist()
    [3.0]
    """
    return xp.sqrt(x)


@sqrt.vjp("x")
def _(xp: Any, g: Any, out: Any) -> Any:
    return g / (out * 2)


@op(formula="z = x^2", rules={"x": r"2 g \odot x"})
def square(xp: Any, x: Any, /) -> Any:
    """The square.

    >>> import minigrad as mg
    >>> mg.square(mg.to_tensor([3.0])).tolist()
    [9.0]
    """
    return x * x


@square.vjp("x")
def _(xp: Any, g: Any, x: Any) -> Any:
    return g * (x * 2)


@op(formula=r"z = \tanh x", rules={"x": r"g \odot (1 - z^2)"})
def tanh(xp: Any, x: Any, /) -> Any:
    """The hyperbolic tangent.

    >>> import minigrad as mg
    >>> mg.tanh(mg.to_tensor([0.0])).tolist()
    [0.0]
    """
    return xp.tanh(x)


@tanh.vjp("x")
def _(xp: Any, g: Any, out: Any) -> Any:
    return g * (1 - out * out)


@op(formula=r"z = \frac{1}{1 + e^{-x}}", rules={"x": r"g \odot z \odot (1 - z)"})
def sigmoid(xp: Any, x: Any, /) -> Any:
    """The logistic function, by way of tanh: no exponential that could overflow.

    >>> import minigrad as mg
    >>> mg.nn.functional.sigmoid(mg.to_tensor([0.0])).tolist()
    [0.5]
    """
    return narrow(xp, xp.tanh(x * 0.5) * 0.5 + 0.5, x)


@sigmoid.vjp("x")
def _(xp: Any, g: Any, out: Any) -> Any:
    return g * (out * (1 - out))


@op(formula=r"z = \max(x, 0)", rules={"x": r"g \odot [x > 0]"})
def relu(xp: Any, x: Any, /) -> Any:
    """x where it is positive, else 0; the gradient at 0 is 0.

    >>> import minigrad as mg
    >>> mg.nn.functional.relu(mg.to_tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """
    return xp.maximum(x, xp.zeros_like(x))


@relu.vjp("x")
def _(xp: Any, g: Any, out: Any) -> Any:
    return g * xp.astype(out > 0, g.dtype)


@op(formula="z = |x|", rules={"x": r"g \odot \operatorname{sign} x"})
def abs(xp: Any, x: Any, /) -> Any:
    """The absolute value; the gradient at 0 is 0.

    >>> import minigrad as mg
    >>> mg.abs(mg.to_tensor([-1.5])).tolist()
    [1.5]
    """
    return xp.abs(x)


@abs.vjp("x")
def _(xp: Any, g: Any, x: Any) -> Any:
    return g * xp.sign(x)


@op(formula=r"z = \operatorname{sign} x", rules={"x": "0"})
def sign(xp: Any, x: Any, /) -> Any:
    """-1, 0 or 1; its gradient is 0 everywhere.

    >>> import minigrad as mg
    >>> mg.sign(mg.to_tensor([-1.5, 0.0])).tolist()
    [-1.0, 0.0]
    """
    return xp.sign(x)


@sign.vjp("x")
def _(xp: Any, g: Any) -> Any:
    return xp.zeros_like(g)


def _share(xp: Any, g: Any, wins: Any, ties: Any) -> Any:
    """The whole of g where this operand won, half of it at a tie."""
    return g * (xp.astype(wins, g.dtype) + xp.astype(ties, g.dtype) * 0.5)


@op(
    formula=r"z = \max(x, y)",
    rules={"x": r"g \odot [x > y]", "y": r"g \odot [y > x]"},
    promotes=True,
)
def maximum(xp: Any, x: Any, y: Any, /) -> Any:
    """The larger of two; at a tie each gets half of the gradient.

    >>> import minigrad as mg
    >>> mg.maximum(mg.to_tensor([1.0, 5.0]), mg.to_tensor([3.0, 2.0])).tolist()
    [3.0, 5.0]
    """
    return xp.maximum(x, y)


@maximum.vjp("x")
def _(xp: Any, g: Any, x: Any, y: Any) -> Any:
    return _share(xp, g, x > y, x == y)


@maximum.vjp("y")
def _(xp: Any, g: Any, x: Any, y: Any) -> Any:
    return _share(xp, g, y > x, x == y)


@op(
    formula=r"z = \min(x, y)",
    rules={"x": r"g \odot [x < y]", "y": r"g \odot [y < x]"},
    promotes=True,
)
def minimum(xp: Any, x: Any, y: Any, /) -> Any:
    """The smaller of two; at a tie each gets half of the gradient.

    >>> import minigrad as mg
    >>> mg.minimum(mg.to_tensor([1.0, 5.0]), mg.to_tensor([3.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    return xp.minimum(x, y)


@minimum.vjp("x")
def _(xp: Any, g: Any, x: Any, y: Any) -> Any:
    return _share(xp, g, x < y, x == y)


@minimum.vjp("y")
def _(xp: Any, g: Any, x: Any, y: Any) -> Any:
    return _share(xp, g, y < x, x == y)


@op(
    formula=r"z = \begin{cases} x & c \\ y & \text{else} \end{cases}",
    rules={"x": r"g \odot [c]", "y": r"g \odot [\lnot c]"},
    promotes=True,
)
def where(xp: Any, condition: Any, x: Any, y: Any, /) -> Any:
    """x where the condition holds, y elsewhere.

    >>> import minigrad as mg
    >>> c = mg.to_tensor([True, False])
    >>> mg.where(c, mg.to_tensor([1.0, 1.0]), mg.to_tensor([2.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    return xp.where(condition, x, y)


@where.vjp("x")
def _(xp: Any, g: Any, condition: Any) -> Any:
    return xp.where(condition, g, xp.zeros_like(g))


@where.vjp("y")
def _(xp: Any, g: Any, condition: Any) -> Any:
    return xp.where(condition, xp.zeros_like(g), g)


@op(formula="z = x", rules={"x": "g"})
def cast(xp: Any, x: Any, /, dtype: Any) -> Any:
    """x in another dtype. To an integer or bool dtype the derivative is 0, and the gradient is cut.

    >>> import minigrad as mg
    >>> mg.cast(mg.to_tensor([1.7]), "int64").tolist()
    [1]
    """
    return xp.astype(x, dtype)


@cast.vjp("x")
def _(xp: Any, g: Any) -> Any:
    return g  # the engine casts it to the dtype of x


@op(formula="z = x", rules={"x": "g"})
def assign(xp: Any, x: Any, /) -> Any:
    """A copy of x, through which gradients pass; what `clone()` is.

    >>> import minigrad as mg
    >>> mg.to_tensor([1.0]).clone().tolist()
    [1.0]
    """
    return xp.asarray(x, copy=True)


@assign.vjp("x")
def _(xp: Any, g: Any) -> Any:
    return g
