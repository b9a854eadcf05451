"""Examples of every op: inputs, attributes, and the reference that says what comes out.

`EXAMPLES` has one entry for each op in `minigrad.ops.OPS`. An op that is not here fails the suite
by name. Floating inputs get gradients; integers and booleans are constants. Values stay away from
kinks: what happens there is in test_kinks.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.ops import reference
from tests.ops.cases import Example, binary, case, placing, reducing, softmaxing, unary
from tests.ops.numbers import mask, positive, signed, whole

X = np.arange(12.0).reshape(3, 4) / 7.0
SCATTERED = np.array([[True, False, True, False], [False] * 4, [True, True, False, True]])
INDEXES = {
    "integer": 1,
    "negative integer": -1,
    "slice": slice(1, None),
    "step": (slice(None), slice(None, None, 2)),
    "negative step": slice(None, None, -1),
    "ellipsis": (..., 2),
    "new axis": (None, 1, None),
    "everything": ...,
    "no index": (),
    "element": (2, 3),
    "integers": np.array([2, 0]),
    "repeated integers": np.array([2, 0, 2]),
    "two arrays": (np.array([0, 2, 0]), np.array([1, 3, 1])),
    "arrays that broadcast": (np.array([[0], [2]]), np.array([1, 3])),
    "slice and array": (slice(None), np.array([1, 1, 0])),
    "array and integer": (np.array([2, 1]), 0),
    "mask": SCATTERED,
    "mask of rows": np.array([True, False, True]),
    "nothing": slice(0, 0),
    "no integers": np.array([], dtype=np.int64),
}
REPEATED = ("repeated integers", "two arrays", "slice and array")
DISTINCT = [label for label in INDEXES if label not in REPEATED]
"""For set_item: of two values written to one place only one counts, and it is not said which."""

LARGE = np.array([[5.3, -4.1, 2.6], [-7.5, 3.2, -1.9]])

TABLE: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "add": (np.add, binary(signed)),
    "subtract": (np.subtract, binary(signed)),
    "multiply": (np.multiply, binary(signed)),
    "divide": (np.divide, binary(signed)),
    "maximum": (np.maximum, binary(signed)),
    "minimum": (np.minimum, binary(signed)),
    "elementwise_pow": (np.power, binary(positive, signed)),
    "remainder": (
        lambda x, y: x - y * np.floor(x / y),
        {**binary(signed), "large": case(LARGE, np.array([1.1, -0.9, 0.7]))},
    ),
    "floor_divide": (
        lambda x, y: np.floor(x / y).astype(x.dtype),
        {**binary(signed), "integers": case(whole(2, 3), whole(3))},
    ),
    "where": (
        np.where,
        {
            "same shape": case(mask(2, 3), signed(2, 3), signed(2, 3)),
            "all broadcast": case(mask(2, 1, 1), signed(3, 1), signed(2)),
            "large condition": case(mask(2, 3), signed(), signed(3)),
            "small condition": case(mask(), signed(2, 3), signed(2, 1)),
            "0-size": case(mask(0, 3), signed(3), signed()),
        },
    ),
    "scale": (
        reference.scale,
        {
            "nothing": case(signed(2, 3)),
            "scale": case(signed(2, 3), scale=-2.5),
            "bias": case(signed(2, 3), bias=1.5),
            "both": case(signed(2, 3), scale=3.0, bias=0.5),
            "bias first": case(signed(2, 3), scale=3.0, bias=0.5, bias_after_scale=False),
            "zero": case(signed(2), scale=0.0),
            "0-D": case(signed(), scale=2.0),
            "0-size": case(signed(0, 2), scale=2.0, bias=1.0),
            "integers": case(whole(3), scale=2, bias=1),
        },
    ),
    "div_scale": (
        lambda x, value: x / value,
        {
            "matrix": case(signed(2, 3), value=4.0),
            "0-D": case(signed(), value=-0.5),
            "0-size": case(signed(0), value=2.0),
        },
    ),
    "pow": (
        lambda x, y: np.power(x, float(y)),
        {
            "2": case(signed(2, 3), y=2),
            "3": case(signed(2, 3), y=3),
            "1": case(signed(2, 3), y=1),
            "0": case(signed(2, 3), y=0),
            "-1": case(signed(2, 3), y=-1),
            "-2.0": case(signed(2, 3), y=-2.0),
            "0.5": case(positive(2, 3), y=0.5),
            "2 at zero": case(np.array([0.0, 1.0]), y=2),
            "0 at zero": case(np.array([0.0, 1.0]), y=0),
            "3 at zero": case(np.array([0.0, 1.0]), y=3.0),
            "0-D": case(positive(), y=1.5),
            "0-size": case(positive(0, 2), y=2),
        },
    ),
    "neg": (lambda x: 0.0 - x, unary(signed)),
    "exp": (np.exp, unary(signed)),
    "log": (np.log, unary(positive)),
    "sqrt": (np.sqrt, unary(positive)),
    "square": (lambda x: x * x, unary(signed)),
    "tanh": (np.tanh, unary(signed)),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), unary(signed)),
    "relu": (lambda x: np.where(x > 0, x, 0), unary(signed)),
    "abs": (lambda x: np.where(x > 0, x, -x), unary(signed)),
    "sign": (np.sign, unary(signed)),
    "floor": (np.floor, unary(signed)),
    "assign": (np.copy, unary(signed)),
    "cast": (
        reference.cast,
        {
            "float64": case(signed(2, 3), dtype=np.dtype("float64")),
            "0-D": case(signed(), dtype=np.dtype("float64")),
            "0-size": case(signed(0, 2), dtype=np.dtype("float64")),
            "from int": case(whole(3), dtype=np.dtype("float32")),
        },
    ),
    "getitem": (
        lambda x, index: x[index],
        {
            **{label: case(X, index=index) for label, index in INDEXES.items()},
            "0-D": case(signed(), index=...),
            "0-size": case(signed(0, 3), index=(slice(None), 1)),
        },
    ),
    "set_item": (
        reference.set_item,
        {
            **{f"{k} to a number": case(X, signed(), index=INDEXES[k]) for k in DISTINCT},
            **{k: case(X, signed(*X[INDEXES[k]].shape), index=INDEXES[k]) for k in DISTINCT},
            "row": case(X, signed(4), index=slice(0, 2)),
            "value with axes in front": case(X, signed(1, 1, 4), index=1),
        },
    ),
    "scatter_add": (
        reference.scatter_add,
        {
            label: case(signed(*X[index].shape), shape=(3, 4), index=index)
            for label, index in INDEXES.items()
        },
    ),
    "matmul": (
        reference.matmul,
        {
            "matrices": case(signed(2, 3), signed(3, 2)),
            "vectors": case(signed(3), signed(3)),
            "vector and matrix": case(signed(3), signed(3, 2)),
            "matrix and vector": case(signed(2, 3), signed(3)),
            "batches": case(signed(2, 2, 3), signed(2, 3, 1)),
            "batch and matrix": case(signed(2, 2, 3), signed(3, 2)),
            "matrix and batch": case(signed(2, 3), signed(2, 3, 2)),
            "batch and vector": case(signed(2, 2, 3), signed(3)),
            "vector and batch": case(signed(3), signed(2, 3, 2)),
            "batches that broadcast": case(signed(2, 1, 1, 3), signed(2, 3, 2)),
            "0-size result": case(signed(0, 3), signed(3, 2)),
            "0-size sum": case(signed(2, 0), signed(0, 3)),
            "transpose x": case(signed(3, 2), signed(3, 2), transpose_x=True),
            "transpose y": case(signed(2, 3), signed(2, 3), transpose_y=True),
            "transpose both": case(signed(3, 2), signed(2, 3), transpose_x=True, transpose_y=True),
            "transpose batches": case(
                signed(2, 3, 2), signed(1, 2, 3), transpose_x=True, transpose_y=True
            ),
            "transpose x of a vector": case(signed(3), signed(3, 2), transpose_x=True),
            "transpose y, vector": case(signed(3), signed(2, 3), transpose_y=True),
            "transpose x, vector": case(signed(3, 2), signed(3), transpose_x=True),
            "transpose y of a vector": case(signed(2, 3), signed(3), transpose_y=True),
        },
    ),
    "linear": (
        reference.linear,
        {
            "matrix": case(signed(2, 3), signed(3, 2), signed(2)),
            "no bias": case(signed(2, 3), signed(3, 2)),
            "vector": case(signed(3), signed(3, 2), signed(2)),
            "batch": case(signed(2, 2, 3), signed(3, 2), signed(2)),
            "batch without bias": case(signed(2, 2, 3), signed(3, 2)),
            "0-size": case(signed(0, 3), signed(3, 2), signed(2)),
            "0-size batch": case(signed(2, 0, 3), signed(3, 2), signed(2)),
        },
    ),
    "softmax": (reference.softmax, softmaxing()),
    "log_softmax": (reference.log_softmax, softmaxing()),
    "softmax_with_cross_entropy": (
        reference.cross_entropy,
        {
            "matrix": case(signed(2, 3), np.array([2, 0])),
            "vector": case(signed(3), np.array(1)),
            "first axis": case(signed(3, 2), np.array([2, 0]), axis=0),
            "ignored": case(signed(3, 3), np.array([0, -100, 1])),
            "ignored class": case(signed(3, 3), np.array([0, 1, 1]), ignore_index=0),
            "3 axes": case(signed(2, 3, 2), np.array([[0, 1], [2, 2]]), axis=1),
            "int32 labels": case(signed(2, 3), np.array([2, 0], dtype="int32")),
            "0-size": case(signed(0, 3), np.zeros(0, dtype=np.int64)),
        },
    ),
    "sum": (
        reference.total,
        {
            **reducing(signed),
            "integers": case(whole(2, 3).astype("int32"), axis=0),
            "booleans": case(mask(2, 3)),
            "dtype": case(signed(2, 3), axis=0, dtype=np.float64),
        },
    ),
    "mean": (reference.mean, reducing(signed, empty=False)),
    "max": (reference.reduction(np.max), reducing(signed, empty=False)),
    "min": (reference.reduction(np.min), reducing(signed, empty=False)),
    "amax": (reference.reduction(np.max), reducing(signed, empty=False)),
    "amin": (reference.reduction(np.min), reducing(signed, empty=False)),
    "argmax": (reference.place(np.argmax), placing(signed)),
    "argmin": (reference.place(np.argmin), placing(signed)),
    "all": (reference.reduction(np.all), reducing(mask)),
    "any": (reference.reduction(np.any), reducing(mask)),
    "reshape": (
        reference.reshape,
        {
            "flat": case(signed(2, 3), shape=[6]),
            "worked out": case(signed(2, 3), shape=[-1, 2]),
            "axis kept": case(signed(2, 3, 2), shape=[0, -1]),
            "to 0-D": case(signed(1, 1), shape=[]),
            "from 0-D": case(signed(), shape=[1, 1]),
            "0-size": case(signed(0, 3), shape=[3, 0]),
        },
    ),
    "transpose": (
        lambda x, perm=None: np.transpose(x, perm),
        {
            "reversed": case(signed(2, 3)),
            "perm": case(signed(2, 3, 1), perm=[2, 0, 1]),
            "negative": case(signed(2, 3, 1), perm=[-1, 0, 1]),
            "same": case(signed(2, 3), perm=[0, 1]),
            "0-D": case(signed()),
            "0-size": case(signed(0, 3), perm=[1, 0]),
        },
    ),
    "squeeze": (
        reference.squeeze,
        {
            "all": case(signed(1, 3, 1)),
            "one": case(signed(1, 3, 1), axis=0),
            "negative": case(signed(1, 3, 1), axis=-1),
            "two": case(signed(1, 3, 1), axis=[0, 2]),
            "longer axis": case(signed(1, 3), axis=1),
            "0-D": case(signed()),
            "0-size": case(signed(0, 1)),
        },
    ),
    "unsqueeze": (
        reference.unsqueeze,
        {
            "front": case(signed(2, 3), axis=0),
            "negative": case(signed(2, 3), axis=-1),
            "two": case(signed(3), axis=[0, 2]),
            "0-D": case(signed(), axis=0),
            "0-size": case(signed(0), axis=1),
        },
    ),
    "expand": (
        reference.expand,
        {
            "axis in front": case(signed(3), shape=[2, 3]),
            "axis of 1": case(signed(2, 1), shape=[2, 3]),
            "kept": case(signed(2, 1), shape=[3, -1, 2]),
            "same": case(signed(2, 3), shape=[2, 3]),
            "0-D": case(signed(), shape=[2, 2]),
            "0-size": case(signed(0, 1), shape=[-1, 3]),
            "to 0-size": case(signed(1, 3), shape=[0, 3]),
        },
    ),
    "split": (
        reference.split,
        {
            "number": case(signed(4, 2), num_or_sections=2),
            "lengths": case(signed(2, 5), num_or_sections=[1, 3, 1], axis=1),
            "rest": case(signed(2, 5), num_or_sections=[2, -1], axis=-1),
            "one part": case(signed(3), num_or_sections=1),
            "0-size part": case(signed(3), num_or_sections=[0, 3]),
            "0-size": case(signed(0, 2), num_or_sections=2, axis=1),
        },
    ),
    "concat": (
        reference.concat,
        {
            "first axis": case([signed(1, 3), signed(2, 3)]),
            "negative axis": case([signed(2, 1), signed(2, 2), signed(2, 1)], axis=-1),
            "one": case([signed(2, 3)]),
            "0-size": case([signed(0, 2), signed(1, 2)]),
        },
    ),
    "stack": (
        reference.stack,
        {
            "first axis": case([signed(2), signed(2), signed(2)]),
            "negative axis": case([signed(2, 1), signed(2, 1)], axis=-1),
            "0-D": case([signed(), signed()]),
            "0-size": case([signed(0), signed(0)], axis=1),
        },
    ),
    "equal": (np.equal, binary(whole)),
    "not_equal": (np.not_equal, binary(whole)),
    "less_than": (np.less, binary(signed)),
    "less_equal": (np.less_equal, binary(whole)),
    "greater_than": (np.greater, binary(signed)),
    "greater_equal": (np.greater_equal, binary(whole)),
    "logical_and": (np.logical_and, {**binary(mask), "numbers": case(whole(3), signed(3))}),
    "logical_or": (np.logical_or, {**binary(mask), "numbers": case(whole(3) * 0, signed(3))}),
    "logical_not": (np.logical_not, {**unary(mask), "numbers": case(np.array([0.0, 2.0]))}),
    "isnan": (np.isnan, {**unary(signed), "odd": case(np.array([np.nan, np.inf, 1.0]))}),
    "isinf": (np.isinf, {**unary(signed), "odd": case(np.array([np.nan, -np.inf, 1.0]))}),
    "isfinite": (np.isfinite, {**unary(signed), "odd": case(np.array([np.nan, np.inf, 1.0]))}),
}

EXAMPLES: dict[str, list[Example]] = {
    op: [Example(op, label, known, *given) for label, given in cases.items()]
    for op, (known, cases) in TABLE.items()
}
