"""Record how Paddle prints: writes printing.json beside this file.

Run it from the repository root where PaddlePaddle 3.3.1 is installed:
python -m tests.golden.record_printing

A case says how to make an array: `values` are repeated until they fill `shape`, then `spikes`
(flat index, value) are put in. Infinities and nan are strings, complex numbers are pairs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

GOLDEN = Path(__file__).with_name("printing.json")
DEFAULTS = {
    "precision": 8,
    "threshold": 1000,
    "edgeitems": 3,
    "sci_mode": False,
    "linewidth": 80,
}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"precision": 3},
    {"precision": 0},
    {"sci_mode": True},
    {"sci_mode": True, "precision": 2},
    {"sci_mode": True, "precision": 0},
    {"linewidth": 30},
    {"linewidth": 120, "precision": 4},
    {"linewidth": 0},
    {"threshold": 5, "edgeitems": 2},
    {"threshold": 5, "edgeitems": 1, "precision": 4},
    {"threshold": 10, "edgeitems": 0},
    {"edgeitems": 0},
    {"edgeitems": 1, "precision": 10},
    {"threshold": 0},
    {"threshold": 20, "edgeitems": 4, "linewidth": 50, "sci_mode": True, "precision": 3},
]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
INTEGERS = ["uint8", "int8", "int16", "int32", "int64"]
COMPLEX = ["complex64", "complex128"]
DTYPES = [*FLOATS, *FLOATS, *INTEGERS, "bool", *COMPLEX]
RECIPES = ["normal", "positive", "whole", "mixed", "wide", "special"]
SHAPES = [
    [],
    [1],
    [2],
    [7],
    [40],
    [0],
    [0, 3],
    [2, 0],
    [2, 0, 3],
    [3, 0, 0],
    [1, 1],
    [2, 3],
    [3, 9],
    [12, 2],
    [2, 3, 4],
    [4, 1, 7],
    [2, 2, 2, 3],
    [1, 2, 1, 3, 2],
]
LARGE = [[1001], [3, 400], [400, 3], [20, 3, 40], [1, 1001, 1], [7, 11, 14], [3, 8, 6, 8]]


def make_array(case: dict[str, Any]) -> np.ndarray[Any, Any]:
    """The values of a case; float32 where its dtype is bfloat16, which NumPy lacks."""
    dtype = "float32" if case["dtype"] == "bfloat16" else case["dtype"]
    array = np.resize(_decoded(case["values"], dtype), case["shape"]).astype(dtype)
    if case.get("spikes"):
        places, values = zip(*case["spikes"], strict=True)
        array.flat[list(places)] = _decoded(list(values), dtype)
    return array


def random_case(rng: np.random.Generator, shapes: list[list[int]]) -> dict[str, Any]:
    """Make up a case: any dtype, any kind of numbers, one of the shapes."""
    dtype = str(rng.choice(DTYPES))
    shape = shapes[rng.integers(len(shapes))]
    size = int(np.prod(shape))
    values = _values(rng, dtype, min(max(size, 1), 41))
    case = {
        "shape": shape,
        "dtype": dtype,
        "values": _encoded(values),
        "stop_gradient": bool(rng.integers(2)),
    }
    if size > 1000:  # a wide number that may or may not be among those shown
        place = int(rng.choice([1, size // 2, size - 1]))
        case["spikes"] = [[place, _encoded(_values(rng, dtype, 1))[0]]]
    return case


def print_with_paddle(paddle: Any, case: dict[str, Any]) -> str:
    """Give the text that Paddle prints under the options that are set."""
    array = make_array(case)
    if case.get("parameter"):
        tensor = paddle.create_parameter(
            list(array.shape),
            case["dtype"],
            default_initializer=paddle.nn.initializer.Assign(array),
        )
    else:
        tensor = paddle.to_tensor(array).astype(case["dtype"])
    tensor.stop_gradient = case["stop_gradient"]
    return str(tensor)


def _values(rng: np.random.Generator, dtype: str, count: int) -> np.ndarray[Any, Any]:
    recipe = str(rng.choice(RECIPES))
    if dtype == "bool":
        return rng.integers(2, size=count).astype(bool)
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        top = int(min(limits.max, 10 ** rng.integers(1, 19)))
        low = 0 if recipe in {"positive", "mixed"} else max(limits.min, -top)
        return rng.integers(low, top, size=count).astype(dtype)
    if dtype in COMPLEX:
        numbers = np.empty(count, dtype="complex128")
        numbers.real = _floats(rng, recipe, "float64", count)
        numbers.imag = _floats(rng, recipe, "float64", count)
        with np.errstate(over="ignore"):
            return numbers.astype(dtype)
    return _floats(rng, recipe, dtype, count)


def _floats(rng: np.random.Generator, recipe: str, dtype: str, count: int) -> np.ndarray[Any, Any]:
    numbers = rng.standard_normal(count) * 10.0 ** rng.integers(-3, 4)
    if recipe == "positive":
        numbers = np.abs(numbers)
    elif recipe == "whole":
        numbers = np.round(numbers)
    elif recipe == "mixed":
        numbers = np.where(rng.random(count) < 0.5, np.round(numbers), numbers)
    elif recipe == "wide":
        numbers = numbers * 10.0 ** rng.integers(-15, 20, size=count)
    elif recipe == "special":
        special = rng.choice([np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-30], size=count)
        numbers = np.where(rng.random(count) < 0.5, special, numbers)
    with np.errstate(over="ignore", under="ignore"):
        if dtype == "bfloat16":  # the upper half of a float32
            bits = numbers.astype("float32").view("uint32") & np.uint32(0xFFFF0000)
            return bits.view("float32")
        return numbers.astype(dtype)


def _encoded(array: np.ndarray[Any, Any]) -> list[Any]:
    if array.dtype.kind == "c":
        pairs = zip(_encoded(array.real), _encoded(array.imag), strict=True)
        return [list(pair) for pair in pairs]
    if array.dtype.kind == "f":
        return [x if np.isfinite(x) else str(x) for x in array.astype("float64").tolist()]
    return list(array.tolist())


def _decoded(values: list[Any], dtype: str) -> np.ndarray[Any, Any]:
    if dtype in COMPLEX:
        parts = [complex(float(re), float(im)) for re, im in values]
        return np.array(parts, dtype=dtype)
    if dtype.startswith("float"):
        return np.array([float(x) for x in values], dtype=dtype)
    return np.array(values, dtype=dtype)


def _chosen_cases() -> list[dict[str, Any]]:
    """Make the cases that a person would ask about first."""
    floats: list[list[Any]] = [
        [-1.0, -3.0, -5.0, -7.0, -9.0, -11.0],
        [1.5],
        [2.0],
        [-0.0, 0.0, 0.5],
        [-0.0, -1.0],
        ["inf", "nan", 1.5, -2.0],
        ["nan", 1.0],
        ["-inf", 1.0],
        [1e20, 1.0],
        [1e-10, 1.0],
        [-1e-12, 1.0],
        [123456789.125, 0.25],
        [0.1, 1 / 3, 2 / 3],
        [999999.5, -0.001],
    ]
    cases: list[dict[str, Any]] = [
        {"shape": shape, "dtype": dtype, "values": values, "stop_gradient": True}
        for values in floats
        for dtype in ("float32", "float64")
        for shape in ([], [len(values)], [2, len(values)])
    ]
    others: list[tuple[str, list[Any]]] = [
        ("int64", [1, -20, 300]),
        ("int64", [9223372036854775807, -9223372036854775808]),
        ("uint8", [0, 255]),
        ("int8", [-128, 127]),
        ("bool", [True, False]),
        ("float16", [1.2998046875, 65504.0]),
        ("bfloat16", [1.296875, 99840.0]),
        ("complex64", [[1.0, 2.0], [-3.5, -4.0], [1e10, 1e-3]]),
        ("complex128", [[0.0, -1.0], [1.0, 1.0], [2000.0, -0.0]]),
        ("complex64", [["nan", 0.0], [1.0, "nan"], ["inf", "-inf"], [-0.0, "inf"]]),
    ]
    cases += [
        {"shape": shape, "dtype": dtype, "values": values, "stop_gradient": True}
        for dtype, values in others
        for shape in ([], [len(values)], [2, 3, len(values)])
    ]
    cases += [
        {"shape": shape, "dtype": "float32", "values": [0.5, -1.0], "stop_gradient": False}
        | {"parameter": True}
        for shape in ([1], [2, 3], [40, 40])
    ]
    cases += [  # a wide or negative number that no edge shows
        {"shape": [7], "dtype": dtype, "values": [0], "spikes": [[3, value]]}
        | {"stop_gradient": True}
        for dtype in ("int32", "float32")
        for value in (123456789, -1, -123456789)
    ]
    cases.append({"shape": [1000], "dtype": "uint8", "values": [7], "stop_gradient": True})
    return cases


def record() -> None:
    """Print every case under every set of options with Paddle and write the file."""
    import paddle

    rng = np.random.default_rng(2024)
    groups = []
    for options in OPTIONS:
        cases = [] if options else _chosen_cases()
        cases += [random_case(rng, SHAPES) for _ in range(60 if not options else 14)]
        cases += [random_case(rng, LARGE) for _ in range(16 if not options else 2)]
        paddle.set_printoptions(**DEFAULTS | options)
        for case in cases:
            case["text"] = print_with_paddle(paddle, case)
        groups.append({"options": options, "cases": cases})
    source = f"PaddlePaddle {paddle.__version__}, CPU"
    lines = ",\n".join(
        '{"options": '
        + json.dumps(group["options"])
        + ', "cases": [\n'
        + ",\n".join(json.dumps(case) for case in group["cases"])
        + "\n]}"
        for group in groups
    )
    GOLDEN.write_text(f'{{"source": {json.dumps(source)}, "groups": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    record()
