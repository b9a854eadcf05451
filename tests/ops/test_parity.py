"""Values and gradients of every op beside torch's, wherever torch has the same op."""

from __future__ import annotations

import numpy as np
import pytest

from minigrad.ops import OPS
from tests.ops.examples import EXAMPLES, Example
from tests.ops.running import call, gradients, seeds, tensors

pytestmark = pytest.mark.parity("torch")


def reduced(x, function, axis=None, keepdim=False, **how):
    axes = tuple(range(x.ndim)) if axis is None else tuple(axis) if isinstance(axis, list) else axis
    return function(x, dim=axes, keepdim=keepdim, **how)


def placed(x, function, axis=None, keepdim=False, dtype=None):
    found = function(x, dim=axis, keepdim=keepdim)
    return found.int() if dtype == "int32" else found


def scaled(x, scale=1.0, bias=0.0, bias_after_scale=True):
    return scale * x + bias if bias_after_scale else scale * (x + bias)


def product(torch, x, y, transpose_x=False, transpose_y=False):
    x = x.mT if transpose_x and x.ndim > 1 else x
    y = y.mT if transpose_y and y.ndim > 1 else y
    return torch.matmul(x, y)


def split(x, num_or_sections, axis=0):
    if isinstance(num_or_sections, int):
        return list(x.chunk(num_or_sections, axis))
    known = sum(n for n in num_or_sections if n >= 0)
    return list(x.split([x.shape[axis] - known if n < 0 else n for n in num_or_sections], axis))


def written(torch, x, value, index):
    out = x.clone()
    out[on_torch(torch, index)] = value
    return out


def on_torch(torch, index):
    if isinstance(index, tuple):
        return tuple(on_torch(torch, part) for part in index)
    return torch.from_numpy(index) if isinstance(index, np.ndarray) else index


def squeezed(x, axis=None):
    if axis is None:
        return x.squeeze()
    return x.squeeze(tuple(axis) if isinstance(axis, list) else axis)


def unsqueezed(x, axis):
    for a in [axis] if isinstance(axis, int) else axis:
        x = x.unsqueeze(a)
    return x


def losses(torch, logits, label, ignore_index=-100, axis=-1):
    rank = logits.ndim
    order = [i for i in range(rank) if i != axis % rank]
    moved = logits.permute([*order[:1], axis % rank, *order[1:]])
    return torch.nn.functional.cross_entropy(
        moved, label.long(), ignore_index=ignore_index, reduction="none"
    )


def counterparts(torch):
    """For each op what torch calls it."""
    functional = torch.nn.functional
    same = ["abs", "add", "divide", "exp", "floor", "floor_divide", "isfinite", "isinf", "isnan"]
    same += ["log", "logical_and", "logical_not", "logical_or", "maximum", "minimum", "multiply"]
    same += ["neg", "relu", "remainder", "sigmoid", "sign", "sqrt", "square", "subtract", "tanh"]
    same += ["where"]
    return {
        **{name: getattr(torch, name) for name in same},
        "elementwise_pow": torch.pow,
        "pow": lambda x, y: x**y,
        "scale": scaled,
        "div_scale": lambda x, value: x / value,
        "assign": torch.clone,
        "equal": torch.eq,
        "not_equal": torch.ne,
        "less_than": torch.lt,
        "less_equal": torch.le,
        "greater_than": torch.gt,
        "greater_equal": torch.ge,
        "getitem": lambda x, index: x[on_torch(torch, index)],
        "set_item": lambda x, value, index: written(torch, x, value, index),
        "matmul": lambda x, y, **how: product(torch, x, y, **how),
        "linear": lambda x, w, b=None: functional.linear(x, w.T, b),
        "softmax": lambda x, axis=-1: torch.softmax(x, axis),
        "log_softmax": lambda x, axis=-1: torch.log_softmax(x, axis),
        "softmax_with_cross_entropy": lambda *a, **how: losses(torch, *a, **how),
        "sum": lambda x, dtype=None, **how: reduced(x, torch.sum, **how),
        "mean": lambda x, **how: reduced(x, torch.mean, **how),
        "max": lambda x, **how: reduced(x, torch.amax, **how),
        "min": lambda x, **how: reduced(x, torch.amin, **how),
        "amax": lambda x, **how: reduced(x, torch.amax, **how),
        "amin": lambda x, **how: reduced(x, torch.amin, **how),
        "argmax": lambda x, **how: placed(x, torch.argmax, **how),
        "argmin": lambda x, **how: placed(x, torch.argmin, **how),
        "all": lambda x, **how: reduced(x, torch.all, **how),
        "any": lambda x, **how: reduced(x, torch.any, **how),
        "reshape": lambda x, shape: x.reshape(shape),
        "transpose": lambda x, perm=None: x.permute(perm or list(range(x.ndim))[::-1]),
        "squeeze": squeezed,
        "unsqueeze": unsqueezed,
        "expand": lambda x, shape: x.expand(shape),
        "split": split,
        "concat": lambda xs, axis=0: torch.cat(xs, axis),
        "stack": lambda xs, axis=0: torch.stack(xs, axis),
    }


WITHOUT_COUNTERPART = {
    "cast": "torch's takes torch's dtypes",
    "scatter_add": "torch's takes another kind of index; it is compared as the gradient of getitem",
}

DIFFERENT = {
    ("getitem", "negative step"): "torch has no negative steps",
    ("set_item", "negative step"): "the same",
    ("set_item", "negative step to a number"): "the same",
    ("reshape", "axis kept"): "0 keeps an axis in Paddle only",
    ("transpose", "0-D"): "torch takes no permutation of no axes",
}

COMPARED = [
    example
    for name, examples in EXAMPLES.items()
    for example in examples
    if name not in WITHOUT_COUNTERPART and (name, example.label) not in DIFFERENT
]


def leaves_of(torch, example):
    made = [torch.from_numpy(np.array(array)) for array in example.arrays()]
    return [t.requires_grad_() if t.is_floating_point() else t for t in made]


def of_torch(torch, example: Example, inputs):
    given = [inputs] if isinstance(example.inputs[0], list) else inputs
    result = counterparts(torch)[example.op](*given, **example.attributes)
    return result if isinstance(result, list) else [result]


def test_every_op_is_compared_or_it_is_said_why():
    torch = pytest.importorskip("torch")
    assert {*counterparts(torch), *WITHOUT_COUNTERPART} == set(OPS)


@pytest.mark.parametrize("example", COMPARED, ids=str)
def test_values_and_gradients(example):
    torch = pytest.importorskip("torch")
    outputs = call(example, tensors(example))
    inputs = leaves_of(torch, example)
    theirs = of_torch(torch, example, inputs)
    for out, other in zip(outputs, theirs, strict=True):
        assert tuple(out.shape) == tuple(other.shape)
        assert str(out.dtype) == str(other.dtype).removeprefix("torch.")
        np.testing.assert_allclose(out.numpy(), other.detach().numpy(), rtol=1e-9, atol=1e-12)
    if not OPS[example.op].differentiable or outputs[0].stop_gradient:
        return
    start = [torch.from_numpy(seed.numpy()) for seed in seeds(outputs)]
    torch.autograd.backward(theirs, start)
    wanted = [t for t in inputs if t.requires_grad]
    for gradient, other in zip(gradients(example, tensors(example)), wanted, strict=True):
        np.testing.assert_allclose(gradient.numpy(), other.grad.numpy(), rtol=1e-9, atol=1e-12)
