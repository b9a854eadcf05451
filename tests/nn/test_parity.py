"""Layers and losses against Paddle and torch: values and gradients."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as mg

RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 4))
SOFT = RNG.dirichlet(np.ones(4), size=6)
LABEL = np.array([3, 0, 1, 2, 0, 3])
IGNORED = np.array([3, -100, 1, 2, 0, -100])
WEIGHT = np.array([1.0, 2.0, 0.5, 3.0])
ZEROS_AND_ONES = (SOFT > 0.2).astype(float)
X3 = RNG.normal(size=(2, 4, 3))
LABEL3 = RNG.integers(0, 4, size=(2, 3))


def run(framework, name, arrays, options):
    """The loss of a framework's function, and the gradient of its first argument."""
    functional = framework.nn.functional
    x = framework.to_tensor(arrays[0], stop_gradient=False)
    rest = [framework.to_tensor(a) for a in arrays[1:]]
    tensors = {
        k: framework.to_tensor(v) if isinstance(v, np.ndarray) else v for k, v in options.items()
    }
    loss = getattr(functional, name)(x, *rest, **tensors)
    (loss * loss).sum().backward()
    return loss.numpy(), x.grad.numpy()


CASES = [
    ("cross_entropy", (X, LABEL), {}),
    ("cross_entropy", (X, LABEL[:, None]), {"reduction": "none"}),
    ("cross_entropy", (X, LABEL), {"reduction": "none"}),
    ("cross_entropy", (X, LABEL), {"reduction": "sum"}),
    ("cross_entropy", (X, IGNORED), {}),
    ("cross_entropy", (X, IGNORED), {"weight": WEIGHT}),
    ("cross_entropy", (X, LABEL), {"ignore_index": 3}),
    ("cross_entropy", (X, LABEL), {"ignore_index": 3, "weight": WEIGHT}),
    ("cross_entropy", (X, LABEL), {"ignore_index": 3, "weight": WEIGHT, "reduction": "none"}),
    ("cross_entropy", (X, LABEL), {"weight": WEIGHT}),
    ("cross_entropy", (X, LABEL), {"weight": WEIGHT, "reduction": "sum"}),
    ("cross_entropy", (X, SOFT), {"soft_label": True}),
    ("cross_entropy", (X, SOFT), {"soft_label": True, "reduction": "none"}),
    ("cross_entropy", (X, SOFT), {"soft_label": True, "weight": WEIGHT}),
    ("cross_entropy", (X, LABEL), {"label_smoothing": 0.1}),
    ("cross_entropy", (X, LABEL), {"label_smoothing": 0.1, "reduction": "none"}),
    ("cross_entropy", (X, LABEL), {"label_smoothing": 0.1, "weight": WEIGHT}),
    ("cross_entropy", (X, np.eye(4)[LABEL]), {"label_smoothing": 0.1}),
    ("cross_entropy", (SOFT, LABEL), {"use_softmax": False}),
    ("cross_entropy", (SOFT, SOFT[::-1].copy()), {"use_softmax": False, "soft_label": True}),
    ("cross_entropy", (X3, LABEL3), {"axis": 1}),
    ("cross_entropy", (X3, LABEL3[:, None]), {"axis": 1, "reduction": "none"}),
    ("nll_loss", (X, LABEL), {}),
    ("nll_loss", (X, LABEL), {"weight": WEIGHT}),
    # Ignored labels are left to torch: there, nll_loss of Paddle 3.3.1 corrupts its memory.
    ("nll_loss", (X, LABEL), {"reduction": "none", "weight": WEIGHT}),
    ("nll_loss", (X3, LABEL3), {}),
    ("nll_loss", (X3, LABEL3), {"reduction": "none"}),
    ("mse_loss", (X, SOFT), {}),
    ("mse_loss", (X, SOFT), {"reduction": "sum"}),
    ("l1_loss", (X, SOFT), {}),
    ("binary_cross_entropy", (SOFT, ZEROS_AND_ONES), {}),
    ("binary_cross_entropy", (SOFT, ZEROS_AND_ONES), {"weight": X}),
    ("binary_cross_entropy_with_logits", (X, SOFT), {}),
    ("binary_cross_entropy_with_logits", (X, SOFT), {"weight": SOFT, "reduction": "sum"}),
    ("binary_cross_entropy_with_logits", (X, ZEROS_AND_ONES), {"pos_weight": WEIGHT}),
    ("softplus", (X * 20,), {}),
    ("softplus", (X,), {"beta": 3.0, "threshold": 1.0}),
    ("softmax", (X3,), {"axis": 1}),
    ("log_softmax", (X3,), {"axis": 0}),
]


@pytest.mark.parity("paddle")
@pytest.mark.filterwarnings("ignore")  # Paddle's own
@pytest.mark.parametrize("name, arrays, options", CASES)
def test_as_paddle(name, arrays, options):
    import paddle

    ours, theirs = run(mg, name, arrays, options), run(paddle, name, arrays, options)
    assert ours[0].shape == theirs[0].shape
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=2e-6, atol=1e-12)


@pytest.mark.parity("torch")
@pytest.mark.parametrize(
    "name, arrays, options",
    [
        ("cross_entropy", (X, LABEL), {"weight": WEIGHT, "ignore_index": 3}),
        ("cross_entropy", (X, LABEL), {"label_smoothing": 0.1}),
        ("cross_entropy", (X3, LABEL3), {"axis": 1}),
        ("cross_entropy", (X, SOFT), {"soft_label": True}),
        ("nll_loss", (X, IGNORED), {"weight": WEIGHT}),
        ("nll_loss", (X, LABEL), {"weight": WEIGHT, "ignore_index": 3}),
        ("nll_loss", (X, IGNORED), {}),
        ("binary_cross_entropy_with_logits", (X, SOFT), {"pos_weight": WEIGHT}),
        ("softplus", (X,), {"beta": 3.0, "threshold": 1.0}),
    ],
)
def test_as_torch(name, arrays, options):
    import torch

    ours = run(mg, name, arrays, options)
    x = torch.tensor(arrays[0], requires_grad=True)
    kept = {
        k: torch.tensor(v) if isinstance(v, np.ndarray) else v
        for k, v in options.items()
        if k not in ("axis", "soft_label")
    }
    loss = getattr(torch.nn.functional, name)(x, *map(torch.tensor, arrays[1:]), **kept)
    (loss * loss).sum().backward()
    np.testing.assert_allclose(ours[0], loss.detach().numpy(), rtol=1e-12)
    np.testing.assert_allclose(ours[1], x.grad.numpy(), rtol=1e-10, atol=1e-15)


def network(framework):
    nn = framework.nn
    inner = nn.Sequential(nn.Linear(3, 2), nn.Softmax(), nn.Flatten(), nn.Dropout(0.1))
    blocks = nn.LayerList([nn.Linear(2, 2, bias_attr=False), nn.LogSoftmax(0), nn.Identity()])
    losses = [nn.CrossEntropyLoss(), nn.BCEWithLogitsLoss()]
    return nn.Sequential(
        ("inner", inner), ("blocks", blocks), *[(str(i), x) for i, x in enumerate(losses)]
    )


@pytest.mark.parity("paddle")
@pytest.mark.filterwarnings("ignore")
def test_network_as_paddle_names_and_prints_it():
    import paddle

    ours, theirs = network(mg), network(paddle)
    assert repr(ours) == repr(theirs)
    assert list(ours.state_dict()) == list(theirs.state_dict())
    for method in ("named_parameters", "named_sublayers"):
        assert [n for n, _ in getattr(ours, method)()] == [n for n, _ in getattr(theirs, method)()]
    kinds = [p.name.partition("_")[0] + p.name.rpartition(".")[2] for p in ours.parameters()]
    assert kinds == [
        p.name.partition("_")[0] + p.name.rpartition(".")[2] for p in theirs.parameters()
    ]
    assert ours.set_state_dict({k: v.numpy() for k, v in theirs.state_dict().items()}) == ([], [])
    x = RNG.normal(size=(5, 3)).astype("float32")
    ours.eval(), theirs.eval()
    np.testing.assert_allclose(
        ours[0](mg.to_tensor(x)).numpy(), theirs[0](paddle.to_tensor(x)).numpy(), rtol=1e-6
    )


@pytest.mark.parity("paddle")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name, options",
    [
        ("XavierUniform", {}),
        ("XavierNormal", {"gain": 2.0, "fan_in": 50}),
        ("KaimingUniform", {"negative_slope": 0.5, "nonlinearity": "leaky_relu"}),
        ("KaimingNormal", {"mode": "fan_out"}),
        ("Normal", {"mean": 1.0, "std": 3.0}),
        ("Uniform", {"low": -1.0, "high": 5.0}),
    ],
)
def test_initializers_spread_as_paddles_do(name, options):
    import paddle

    mg.seed(0)
    paddle.seed(0)
    shape = [60, 20, 5, 5]
    target = paddle.create_parameter(shape, "float32")
    getattr(paddle.nn.initializer, name)(**options)(target)
    theirs = target.numpy()
    ours = getattr(mg.nn.initializer, name)(**options)(shape).numpy()
    assert abs(ours.std() / theirs.std() - 1) < 0.02
    assert abs(ours.mean() - theirs.mean()) < 0.03 * theirs.std()
    assert abs(np.abs(ours).max() / np.abs(theirs).max() - 1) < (0.01 if "Uniform" in name else 0.3)
