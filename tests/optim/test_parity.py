"""Twenty steps of each optimizer against Paddle."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as mg

KINDS = [
    ("SGD", {"learning_rate": 0.1}),
    ("SGD", {"learning_rate": 0.1, "weight_decay": 0.1}),
    ("Momentum", {"learning_rate": 0.05}),
    ("Momentum", {"learning_rate": 0.05, "momentum": 0.5, "use_nesterov": True}),
    ("Momentum", {"learning_rate": 0.05, "weight_decay": 0.1}),
    ("Adam", {"learning_rate": 0.1}),
    ("Adam", {"learning_rate": 0.1, "beta1": 0.5, "beta2": 0.9, "epsilon": 1e-3}),
    ("Adam", {"learning_rate": 0.1, "weight_decay": 0.1}),
    ("AdamW", {"learning_rate": 0.1}),
    ("AdamW", {"learning_rate": 0.1, "weight_decay": 0.3}),
    ("AdamW", {"learning_rate": 0.1, "apply_decay_param_fun": lambda name: "b_0" in name}),
]


def parameters_after(framework, kind, options, *, steps=20, dtype="float64", **extra):
    rng = np.random.default_rng(1)
    layer = framework.nn.Linear(3, 2)
    layer.to(dtype=dtype)
    first = rng.normal(size=(3, 2)), rng.normal(size=2)
    layer.weight.set_value(framework.to_tensor(first[0].astype(dtype)))
    layer.bias.set_value(framework.to_tensor(first[1].astype(dtype)))
    x = framework.to_tensor(rng.normal(size=(5, 3)).astype(dtype))
    make = getattr(framework.optimizer, kind)
    optimizer = make(
        parameters=extra.pop("group", lambda p: p)(layer.parameters()), **options, **extra
    )
    for _ in range(steps):
        loss = (framework.tanh(layer(x)) ** 2).sum()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
    keys = {k.partition(".")[2] for k in optimizer.state_dict()}
    return layer.weight.numpy(), layer.bias.numpy(), keys


@pytest.mark.parity("paddle")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype, rtol", [("float64", 1e-6), ("float32", 2e-5)])
@pytest.mark.parametrize("kind, options", KINDS)
def test_twenty_steps_as_paddle(kind, options, dtype, rtol):
    import paddle

    ours = parameters_after(mg, kind, options, dtype=dtype)
    theirs = parameters_after(paddle, kind, options, dtype=dtype)
    for mine, other in zip(ours[:2], theirs[:2], strict=True):
        np.testing.assert_allclose(mine, other, rtol=rtol, atol=rtol / 10)
    assert ours[2] == theirs[2]


@pytest.mark.parity("paddle")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "clip, arguments",
    [("ClipGradByGlobalNorm", (0.5,)), ("ClipGradByNorm", (0.5,)), ("ClipGradByValue", (0.1,))],
)
def test_clipping_as_paddle(clip, arguments):
    import paddle

    def after(framework):
        limit = getattr(framework.nn, clip)(*arguments)
        options = {"learning_rate": 0.1, "weight_decay": 0.2, "grad_clip": limit}
        return parameters_after(framework, "SGD", options, steps=5, dtype="float32")

    for mine, other in zip(after(mg)[:2], after(paddle)[:2], strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-5)


@pytest.mark.parity("paddle")
@pytest.mark.filterwarnings("ignore")
def test_groups_as_paddle():
    import paddle

    def groups(parameters):
        weight, bias = parameters
        return [
            {"params": [weight], "weight_decay": 0.5},
            {"params": [bias], "learning_rate": 0.1},
        ]

    def after(framework):
        options = {"learning_rate": 0.1, "weight_decay": 0.01}
        return parameters_after(framework, "Adam", options, group=groups)

    for mine, other in zip(after(mg)[:2], after(paddle)[:2], strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-6)
