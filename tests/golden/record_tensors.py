"""Record dtypes, shapes and values that Paddle gives: writes tensors.json beside this file.

Run it from the repository root where PaddlePaddle 3.3.1 is installed:
python -m tests.golden.record_tensors

Every case is an expression of `mg` (Paddle here, minigrad in the tests), `np`, and the small
tensors of `names`. What Paddle does badly is not in the list: the tests say by hand what is right.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

GOLDEN = Path(__file__).with_name("tensors.json")

TO_TENSOR = """
mg.to_tensor(1.5)
mg.to_tensor(2)
mg.to_tensor(True)
mg.to_tensor([1, 2.5])
mg.to_tensor([1, 2])
mg.to_tensor((1.0, 2.0))
mg.to_tensor([(1, 2), [3, 4]])
mg.to_tensor([True, False])
mg.to_tensor([True, 2])
mg.to_tensor([True, 2.5])
mg.to_tensor([])
mg.to_tensor([[]])
mg.to_tensor([range(3)])
mg.to_tensor(2**40)
mg.to_tensor(-(2**63))
mg.to_tensor(np.float64(2))
mg.to_tensor(np.float32(2))
mg.to_tensor(np.float16(2))
mg.to_tensor(np.int32(2))
mg.to_tensor(np.uint8(2))
mg.to_tensor(np.bool_(True))
mg.to_tensor(np.array(2.5))
mg.to_tensor(np.array(2))
mg.to_tensor(np.array([1.0, 2.0]))
mg.to_tensor(np.array([1.0, 2.0], "float32"))
mg.to_tensor(np.array([1.0, 2.0], "float16"))
mg.to_tensor(np.array([1, 2]))
mg.to_tensor(np.array([1, 2], "int8"))
mg.to_tensor(np.array([1, 2], "int16"))
mg.to_tensor(np.array([1, 2], "int32"))
mg.to_tensor(np.array([1, 2], "uint8"))
mg.to_tensor(np.array([True, False]))
mg.to_tensor(np.zeros((0, 3)))
mg.to_tensor(np.arange(6.0).reshape(2, 3).T)
mg.to_tensor(np.arange(6.0)[::-1])
mg.to_tensor(np.arange(6.0)[::2])
mg.to_tensor([np.float64(2), np.float64(3)])
mg.to_tensor([np.float64(2), 3.0])
mg.to_tensor([np.int32(2), 3])
mg.to_tensor([np.array([1.0, 2.0]), np.array([3.0, 4.0])])
mg.to_tensor([np.array([1, 2]), np.array([3, 4])])
mg.to_tensor([np.array([1.0, 2.0], "float32"), [3.0, 4.0]])
mg.to_tensor([mg.to_tensor(1.0), mg.to_tensor(2.0)])
mg.to_tensor([mg.to_tensor([1.0, 2.0]), mg.to_tensor([3.0, 4.0])])
mg.to_tensor([[mg.to_tensor(1.0), mg.to_tensor(2.0)], [mg.to_tensor(3.0), mg.to_tensor(4.0)]])
mg.to_tensor([mg.to_tensor(1), mg.to_tensor(2)])
mg.to_tensor([mg.to_tensor(1.0, dtype="float64"), mg.to_tensor(2.0, dtype="float64")])
mg.to_tensor(mg.to_tensor(1.5))
mg.to_tensor(mg.to_tensor(1.5), dtype="float64")
mg.to_tensor(mg.to_tensor(1.5, stop_gradient=False))
mg.to_tensor(mg.to_tensor(1.5, stop_gradient=False), stop_gradient=False)
mg.to_tensor(mg.to_tensor(1.5, stop_gradient=False) * 2, stop_gradient=False)
mg.to_tensor(1.5, dtype="float64")
mg.to_tensor(1.5, dtype="float16")
mg.to_tensor(1.5, dtype="int32")
mg.to_tensor(-1.5, dtype="int64")
mg.to_tensor([1, 2], dtype="float32")
mg.to_tensor([0, 2], dtype="bool")
mg.to_tensor([0.5, 0.0], dtype="bool")
mg.to_tensor(1.5, dtype=np.float64)
mg.to_tensor(1.5, dtype=np.dtype("float64"))
mg.to_tensor(1.5, dtype=mg.float64)
mg.to_tensor(np.array([1.5, 2.5]), dtype="float32")
mg.to_tensor(np.array([1.5, 2.5]), "int32")
mg.to_tensor(1.5, place="cpu")
mg.to_tensor(1.5, stop_gradient=False)
mg.to_tensor(1.5, "float64", "cpu", False)
mg.to_tensor(2, stop_gradient=False)
"""

FILLED = """
mg.zeros([2, 3])
mg.zeros([])
mg.zeros(3)
mg.zeros((2,))
mg.zeros(shape=[2], dtype="int64")
mg.zeros([2], "bool")
mg.zeros([0, 3])
mg.zeros(mg.to_tensor([2, 3]))
mg.zeros([mg.to_tensor(2), 3])
mg.zeros([np.int64(2), 3])
mg.zeros([2], mg.float64)
mg.ones([2])
mg.ones([2], "float64")
mg.ones([1, 2], dtype="int32")
mg.full([2], 2.5)
mg.full([2], 2)
mg.full([2], True)
mg.full([2], 2.5, "int32")
mg.full([2], mg.to_tensor(3.0))
mg.full([], 7.0)
mg.full([2], float("nan"))
mg.full([2], float("-inf"))
mg.full(shape=[2], fill_value=1, dtype="float64")
mg.arange(3)
mg.arange(3.0)
mg.arange(2.5)
mg.arange(1, 4)
mg.arange(-1, 2)
mg.arange(0, 1, 0.25)
mg.arange(5, 0, -2)
mg.arange(0)
mg.arange(3, 1)
mg.arange(3, dtype="float32")
mg.arange(3, dtype="float64")
mg.arange(0, 3, dtype="int32")
mg.arange(end=3)
mg.arange(start=1, end=4, step=2)
mg.arange(mg.to_tensor(3))
mg.arange(mg.to_tensor(1.5), mg.to_tensor(4.5))
mg.linspace(0, 1, 5)
mg.linspace(0, 1, 1)
mg.linspace(0, 1, 0)
mg.linspace(1, 0, 3)
mg.linspace(0, 1, 5, "float64")
mg.linspace(0, 10, 5, dtype="int64")
mg.linspace(mg.to_tensor(0.0), mg.to_tensor(1.0), 3)
mg.eye(2)
mg.eye(2, 3)
mg.eye(3, 2)
mg.eye(2, dtype="int64")
mg.eye(0)
mg.zeros_like(i)
mg.zeros_like(x)
mg.zeros_like(mg.to_tensor([1.0, 2.0], dtype="float64", stop_gradient=False))
mg.zeros_like(v, dtype="int64")
mg.ones_like(mg.to_tensor([True]))
mg.ones_like(v)
mg.full_like(v, 7)
mg.full_like(i, 2.5)
mg.full_like(i, 2.5, dtype="float32")
"""

UNKNOWN_VALUES = """
mg.empty([2, 3])
mg.empty([2], dtype="int64")
mg.empty_like(i)
mg.rand([2, 3])
mg.rand([2], dtype="float64")
mg.rand(2)
mg.rand([])
mg.randn([2, 3])
mg.randn([0])
mg.randn([2], "float64")
mg.standard_normal([2])
mg.randint(3)
mg.randint(0, 3, [4])
mg.randint(low=5, shape=[3])
mg.randint(0, 3, [2], dtype="int32")
mg.randperm(5)
mg.randperm(5, dtype="int32")
mg.randperm(0)
mg.uniform([2])
mg.uniform([2], dtype="float64")
mg.uniform([2], min=2, max=3)
mg.normal(shape=[2])
mg.normal(1.0, 2.0, [3])
"""

DEFAULT_FLOAT64 = """
mg.to_tensor(1.5)
mg.to_tensor([1, 2.5])
mg.to_tensor(1)
mg.to_tensor(np.float32(1.5))
mg.to_tensor(np.array([1.5], "float32"))
mg.ones([2])
mg.full([2], 1.5)
mg.full([2], 1)
mg.arange(0, 1, 0.25)
mg.linspace(0, 1, 3)
mg.eye(2)
"""

SCALARS = """
2 * v
v * 2
np.float64(2) * v
np.float32(2) * v
np.int64(2) * v
v * np.float64(2)
v + np.float32(2)
v * np.int64(2)
np.float64(2) + x
np.float64(2) - x
np.float64(2) / v
np.float64(2) ** v
np.array([1.0, 2.0, 3.0]) * v
v * np.array([1.0, 2.0, 3.0])
np.array([1.0, 2.0, 3.0], "float32") - v
np.array([1.0, 2.0, 3.0], "float32") / v
np.ones((2, 2), "float32") @ x
v > np.float64(1.5)
np.float64(1.5) < v
np.float64(2) >= v
np.float64(2) == v
v == 2
v != 2
v == v
x == v
i * 2
i * 2.5
i * np.float64(2.5)
i / 2
i + True
b + 1
b * 2.5
1 - v
1 / v
2.0**v
v**2
-v
abs(-v)
v @ v
x @ v
"""

METHODS = """
x.T
v.T
s.T
mg.ones([2, 3, 4]).T
x.clone()
x.detach()
x.astype("float64")
x.astype(mg.float64)
x.cast("float64")
v.astype("int32")
x.cpu()
x[0]
x[-1]
x[0, 1]
x[:, ::-1]
x[:, ::2]
x[..., 0]
x[None]
x[True]
v[10:]
v[1:1]
v[mg.to_tensor(1)]
v[mg.to_tensor([0, 2])]
v[b]
v[v > 1.5]
x[x > 2]
x[b[:2]]
x[[0, 1], [1, 2]]
x[np.array([0, 1]), 1]
x[np.array([True, False])]
"""

SECTIONS = {
    "to_tensor": TO_TENSOR,
    "filled": FILLED,
    "unknown_values": UNKNOWN_VALUES,
    "default_float64": DEFAULT_FLOAT64,
    "scalars": SCALARS,
    "methods": METHODS,
}


def evaluate(mg: Any, expression: str) -> Any:
    """Give the value of one of the expressions above in the module `mg`."""
    names = {
        "mg": mg,
        "np": np,
        "x": mg.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], stop_gradient=False),
        "v": mg.to_tensor([1.0, 2.0, 3.0]),
        "i": mg.to_tensor([1, 2, 3]),
        "s": mg.to_tensor(2.5),
        "b": mg.to_tensor([True, False, True]),
    }
    return eval(expression, names)  # noqa: S307  the expressions are those above


def describe(tensor: Any, *, values: bool) -> dict[str, Any]:
    """Say of a tensor what is compared."""
    facts = {
        "dtype": str(tensor.dtype).rpartition(".")[2],
        "shape": list(tensor.shape),
        "stop_gradient": tensor.stop_gradient,
        "is_leaf": tensor.is_leaf,
    }
    if values:
        facts["values"] = _without_special_floats(tensor.numpy().tolist())
    return facts


def _without_special_floats(values: Any) -> Any:
    if isinstance(values, list):
        return [_without_special_floats(value) for value in values]
    if isinstance(values, float) and not np.isfinite(values):
        return str(values)
    return values


def record() -> None:
    """Evaluate every expression with Paddle and write the file."""
    import paddle

    golden: dict[str, dict[str, Any]] = {}
    for section, text in SECTIONS.items():
        paddle.set_default_dtype("float64" if section == "default_float64" else "float32")
        golden[section] = {
            expression: describe(evaluate(paddle, expression), values=section != "unknown_values")
            for expression in text.strip().splitlines()
        }
    sections = ",\n".join(
        f"{json.dumps(name)}: {{\n"
        + ",\n".join(f"{json.dumps(key)}: {json.dumps(facts)}" for key, facts in cases.items())
        + "\n}"
        for name, cases in golden.items()
    )
    source = f"PaddlePaddle {paddle.__version__}, CPU"
    GOLDEN.write_text(f'{{"source": {json.dumps(source)},\n{sections}\n}}\n')


if __name__ == "__main__":
    record()
