"""Layers, losses and optimizers on a strict backend, and on CuPy where there is a GPU."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as mg
from minigrad import backend, nn
from minigrad.nn import functional as F  # noqa: N812 (its name everywhere)
from tests.backend import strict_backend

RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 4))
SOFT = RNG.dirichlet(np.ones(4), size=6)
LABEL = np.array([0, 1, 2, 3, 0, 1])
WEIGHT = np.array([1.0, 2.0, 3.0, 4.0])

LOSSES = [
    (F.cross_entropy, LABEL, {}),
    (F.cross_entropy, LABEL, {"weight": WEIGHT, "ignore_index": 2}),
    (F.cross_entropy, LABEL, {"weight": WEIGHT, "label_smoothing": 0.1}),
    (lambda x, y: F.cross_entropy(F.softmax(x), y, use_softmax=False), LABEL, {}),
    (F.nll_loss, LABEL, {"weight": WEIGHT}),
    (lambda x, y: F.binary_cross_entropy(F.sigmoid(x), y), SOFT, {}),
    (F.binary_cross_entropy_with_logits, SOFT, {"pos_weight": WEIGHT}),
    (F.mse_loss, SOFT, {}),
    (F.l1_loss, SOFT, {}),
    (lambda x, y: F.softplus(x) * F.one_hot(y, 4).astype("float64"), LABEL, {}),
]


@pytest.fixture(
    params=[strict_backend.StrictBackend.name, pytest.param("cupy", marks=pytest.mark.gpu)]
)
def place(request):
    before = backend.current().name
    yield backend.use(request.param)
    backend.use(before)


def gradient(loss, label, options):
    x = mg.to_tensor(X, stop_gradient=False)
    given = {k: mg.to_tensor(v) if k.endswith("weight") else v for k, v in options.items()}
    loss(x, mg.to_tensor(label), **given).sum().backward(create_graph=True)
    return x.grad


@pytest.mark.parametrize("loss, label, options", LOSSES)
def test_losses_are_those_of_numpy(place, loss, label, options):
    found = gradient(loss, label, options)
    assert type(found._data) is place.array_type
    backend.use("numpy")
    np.testing.assert_allclose(found.numpy(), gradient(loss, label, options).numpy(), atol=1e-12)


def trained(kind):
    net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4))
    for parameter, scale in zip(net.parameters(), (1, 0, 2, 0), strict=True):
        shape = parameter.shape
        parameter.set_value(np.sin(np.arange(parameter.size)).reshape(shape) * scale)
    net.to(dtype="float64")
    optimizer = getattr(mg.optimizer, kind)(
        0.1,
        parameters=net.parameters(),
        weight_decay=0.1,
        grad_clip=nn.ClipGradByGlobalNorm(1.0),
    )
    for _ in range(3):
        F.cross_entropy(net(mg.to_tensor(X)), mg.to_tensor(LABEL)).backward()
        optimizer.step()
        optimizer.clear_grad()
        optimizer.set_state_dict(optimizer.state_dict())
    return net.parameters()


@pytest.mark.parametrize("kind", ["SGD", "Momentum", "Adam", "AdamW"])
def test_steps_are_those_of_numpy(place, kind):
    found = trained(kind)
    assert type(found[0]._data) is place.array_type
    backend.use("numpy")
    for ours, theirs in zip(found, trained(kind), strict=True):
        np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-9, atol=1e-12)


def test_dropout_stays_on_its_backend(place):
    x = mg.ones([50])
    backend.use("numpy")
    assert type(F.dropout(x, 0.5)._data) is place.array_type


def test_a_layer_moves(place):
    net = nn.Linear(2, 1)
    backend.use("numpy")
    net.to(place.name)
    assert type(net.weight._data) is place.array_type
    net(mg.ones([1, 2]).to(place.name)).sum().backward()
    assert type(net.weight.grad._data) is place.array_type
    net.to("numpy")
    assert isinstance(net.weight.grad._data, np.ndarray)
