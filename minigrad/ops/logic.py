"""Comparisons and tests: no gradient passes them."""

from __future__ import annotations

from typing import Any

from minigrad.ops.registry import op

__all__ = [
    "equal",
    "greater_equal",
    "greater_than",
    "isfinite",
    "isinf",
    "isnan",
    "less_equal",
    "less_than",
    "logical_and",
    "logical_not",
    "logical_or",
    "not_equal",
]


@op(formula="z = [x = y]", promotes=True, differentiable=False)
def equal(xp: Any, x: Any, y: Any, /) -> Any:
    """Where x and y are equal.

    >>> import minigrad as mg
    >>> (mg.to_tensor([1.0, 2.0]) == mg.to_tensor([1.0, 3.0])).tolist()
    [True, False]
    """
    return x == y


@op(formula=r"z = [x \ne y]", promotes=True, differentiable=False)
def not_equal(xp: Any, x: Any, y: Any, /) -> Any:
    """Where x and y differ.

    >>> import minigrad as mg
    >>> (mg.to_tensor([1.0, 2.0]) != mg.to_tensor([1.0, 3.0])).tolist()
    [False, True]
    """
    return x != y


@op(formula="z = [x < y]", promotes=True, differentiable=False)
def less_than(xp: Any, x: Any, y: Any, /) -> Any:
    """Where x is below y.

    >>> import minigrad as mg
    >>> (mg.to_tensor([1.0, 4.0]) < mg.to_tensor([2.0, 3.0])).tolist()
    [True, False]
    """
    return x < y


@op(formula=r"z = [x \le y]", promotes=True, differentiable=False)
def less_equal(xp: Any, x: Any, y: Any, /) -> Any:
    """Where x is not above y.

    >>> import minigrad as mg
    >>> (mg.to_tensor([1.0, 4.0]) <= mg.to_tensor([1.0, 3.0])).tolist()
    [True, False]
    """
    return x <= y


@op(formula="z = [x > y]", promotes=True, differentiable=False)
def greater_than(xp: Any, x: Any, y: Any, /) -> Any:
    """Where x is above y.

    >>> import minigrad as mg
    >>> (mg.to_tensor([1.0, 4.0]) > mg.to_tensor([2.0, 3.0])).tolist()
    [False, True]
    """
    return x > y


@op(formula=r"z = [x \ge y]", promotes=True, differentiable=False)
def greater_equal(xp: Any, x: Any, y: Any, /) -> Any:
    """Where x is not below y.

    >>> import minigrad as mg
    >>> (mg.to_tensor([1.0, 4.0]) >= mg.to_tensor([1.0, 5.0])).tolist()
    [True, False]
    """
    return x >= y


@op(formula=r"z = x \land y", differentiable=False)
def logical_and(xp: Any, x: Any, y: Any, /) -> Any:
    """Where both hold.

    >>> import minigrad as mg
    >>> mg.logical_and(mg.to_tensor([True, True]), mg.to_tensor([True, False])).tolist()
    [True, False]
    """
    return xp.logical_and(xp.astype(x, xp.bool), xp.astype(y, xp.bool))


@op(formula=r"z = x \lor y", differentiable=False)
def logical_or(xp: Any, x: Any, y: Any, /) -> Any:
    """Where one holds.

    >>> import minigrad as mg
    >>> mg.logical_or(mg.to_tensor([False, True]), mg.to_tensor([False, False])).tolist()
    [False, True]
    """
    return xp.logical_or(xp.astype(x, xp.bool), xp.astype(y, xp.bool))


@op(formula=r"z = \lnot x", differentiable=False)
def logical_not(xp: Any, x: Any, /) -> Any:
    """Where x does not hold.

    >>> import minigrad as mg
    >>> mg.logical_not(mg.to_tensor([False, True])).tolist()
    [True, False]
    """
    return xp.logical_not(xp.astype(x, xp.bool))


@op(formula=r"z = [x = \text{NaN}]", differentiable=False)
def isnan(xp: Any, x: Any, /) -> Any:
    """Where x is not a number.

    >>> import minigrad as mg
    >>> mg.isnan(mg.to_tensor([1.0, float("nan")])).tolist()
    [False, True]
    """
    return xp.isnan(x)


@op(formula=r"z = [|x| = \infty]", differentiable=False)
def isinf(xp: Any, x: Any, /) -> Any:
    """Where x is infinite.

    >>> import minigrad as mg
    >>> mg.isinf(mg.to_tensor([1.0, float("inf")])).tolist()
    [False, True]
    """
    return xp.isinf(x)


@op(formula=r"z = [|x| < \infty]", differentiable=False)
def isfinite(xp: Any, x: Any, /) -> Any:
    """Where x is a finite number.

    >>> import minigrad as mg
    >>> mg.isfinite(mg.to_tensor([1.0, float("inf")])).tolist()
    [True, False]
    """
    return xp.isfinite(x)
