"""The layers there are, containers, and initializers."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from minigrad.nn import functional as F  # noqa: N812 (its name everywhere)
from minigrad.nn import initializer as init

X = np.array([[1.0, -2.0, 0.5], [-0.25, 3.0, -1.0]])


def test_linear_by_hand():
    layer = nn.Linear(3, 2).to(dtype="float64")
    x = mg.to_tensor(X, stop_gradient=False)
    layer(x).sum().backward()
    np.testing.assert_allclose(
        layer(x).numpy(), X @ layer.weight.numpy() + layer.bias.numpy(), rtol=1e-15
    )
    np.testing.assert_allclose(layer.weight.grad.numpy(), np.outer(X.sum(0), [1, 1]))
    assert layer.bias.grad.tolist() == [2.0, 2.0]
    np.testing.assert_allclose(x.grad.numpy(), np.tile(layer.weight.numpy().sum(1), (2, 1)))


def test_linear_refuses():
    with pytest.raises(ArgumentValueError, match="in_features is a positive integer, not 0"):
        nn.Linear(0, 2)
    with pytest.raises(ArgumentValueError, match=r"out_features is a positive integer, not 1\.5"):
        nn.Linear(2, 1.5)
    with pytest.raises(ArgumentValueError, match="cannot do without its weight"):
        nn.Linear(2, 2, weight_attr=False)
    with pytest.raises(ShapeError, match=r"linear cannot be computed on float32\[4, 2\]"):
        nn.Linear(3, 2)(mg.ones([4, 2]))


@pytest.mark.parametrize(
    "layer, expected",
    [
        (nn.ReLU, np.maximum(X, 0)),
        (nn.Tanh, np.tanh(X)),
        (nn.Sigmoid, 1 / (1 + np.exp(-X))),
        (nn.Softmax, np.exp(X) / np.exp(X).sum(-1, keepdims=True)),
        (lambda: nn.Softmax(0), np.exp(X) / np.exp(X).sum(0)),
        (nn.LogSoftmax, X - np.log(np.exp(X).sum(-1, keepdims=True))),
        (nn.Identity, X),
    ],
)
def test_functions_as_layers(layer, expected):
    x = mg.to_tensor(X, stop_gradient=False)
    np.testing.assert_allclose(layer()(x).numpy(), expected, rtol=1e-12)
    assert mg.autograd.gradcheck(layer(), x)


def test_flatten():
    x = mg.ones([2, 3, 4, 5])
    assert nn.Flatten()(x).shape == [2, 60]
    assert nn.Flatten(0, 1)(x).shape == [6, 4, 5]
    assert nn.Flatten(-2)(x).shape == [2, 3, 20]
    with pytest.raises(ArgumentValueError, match="stands after"):
        nn.Flatten(2, 1)(x)


def test_softplus():
    x = mg.to_tensor([-800.0, -1.0, 0.0, 1.0, 800.0], dtype="float64", stop_gradient=False)
    expected = np.logaddexp(0, x.numpy())
    np.testing.assert_allclose(F.softplus(x).numpy(), expected, rtol=1e-12)
    F.softplus(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [0, 1 / (1 + np.e), 0.5, 1 / (1 + 1 / np.e), 1])
    np.testing.assert_allclose(
        F.softplus(x, beta=2.0).numpy(), np.logaddexp(0, 2 * x.numpy()) / 2, rtol=1e-12
    )
    x = mg.to_tensor([-1.0, 0.0, 2.0], dtype="float64", stop_gradient=False)
    assert mg.autograd.gradgradcheck(F.softplus, x)


def test_one_hot():
    assert F.one_hot(mg.to_tensor([[1], [0]]), 3).tolist() == [[[0, 1, 0]], [[1, 0, 0]]]
    assert F.one_hot(mg.to_tensor([2, 0])).shape == [2, 3]
    with pytest.raises(ArgumentValueError, match=r"got class 3.\n  why:   with 3 classes"):
        F.one_hot(mg.to_tensor([3]), 3)
    with pytest.raises(ArgumentValueError, match="got class -1"):
        F.one_hot(mg.to_tensor([-1]), 3)
    with pytest.raises(DtypeError, match="not float32"):
        F.one_hot(mg.ones([1]), 3)


class TestDropout:
    def test_drops_the_share_and_keeps_the_mean(self):
        mg.seed(3)
        x = mg.ones([200, 200])
        y = nn.Dropout(0.25)(x).numpy()
        assert set(np.unique(y).tolist()) == {0.0, np.float32(1 / 0.75)}
        assert abs((y == 0).mean() - 0.25) < 0.01

    def test_follows_the_seed(self):
        mg.seed(3)
        first = nn.Dropout(0.5)(mg.ones([50])).tolist()
        second = nn.Dropout(0.5)(mg.ones([50])).tolist()
        mg.seed(3)
        assert nn.Dropout(0.5)(mg.ones([50])).tolist() == first != second

    def test_gradient_takes_the_same_way(self):
        x = mg.full([50], 2.0)
        x.stop_gradient = False
        y = nn.Dropout(0.5)(x)
        y.sum().backward()
        assert (x.grad * 2.0).tolist() == y.tolist()

    def test_not_in_eval_and_not_with_0(self):
        x = mg.ones([50])
        assert nn.Dropout(0.5).eval()(x) is x
        assert nn.Dropout(0.0)(x) is x
        assert nn.Dropout(1.0)(x).tolist() == [0.0] * 50

    def test_downscale_in_infer(self):
        layer = nn.Dropout(0.25, mode="downscale_in_infer")
        assert set(layer(mg.ones([99])).tolist()) == {0.0, 1.0}
        assert layer.eval()(mg.ones([2])).tolist() == [0.75, 0.75]

    def test_along_an_axis(self):
        y = F.dropout(mg.ones([50, 4]), 0.5, axis=0).numpy()
        assert (y == y[:, :1]).all()
        assert len(np.unique(y[:, 0])) == 2

    def test_refuses(self):
        with pytest.raises(ArgumentValueError, match=r"0 to 1, not 1\.5"):
            nn.Dropout(1.5)
        with pytest.raises(ArgumentValueError, match="no mode 'x'"):
            nn.Dropout(0.5, mode="x")


class TestSequential:
    def test_runs_in_order(self):
        net = nn.Sequential(("twice", nn.Identity()), ("end", nn.ReLU()))
        net.twice.register_forward_post_hook(lambda _layer, _inputs, y: y * -2)
        assert net(mg.to_tensor([-1.0, 1.0])).tolist() == [2.0, 0.0]
        assert net["end"] is net[1] is net.end

    def test_is_a_sequence(self):
        a, b, c = nn.ReLU(), nn.Tanh(), nn.Sigmoid()
        net = nn.Sequential(a, b)
        net[1] = c
        assert list(net) == [a, c]
        assert len(net) == 2
        assert list(net[:1]) == [a]
        assert net[-1] is c
        del net[0]
        assert list(net) == [c]
        assert nn.Sequential()
        with pytest.raises(IndexError):
            net[1]

    def test_refuses(self):
        with pytest.raises(ArgumentTypeError, match="A sublayer cannot be function"):
            nn.Sequential(lambda x: x)


class TestLayerList:
    def test_is_a_list(self):
        a, b, c, d = (nn.Linear(1, 1) for _ in range(4))
        layers = nn.LayerList([a])
        assert layers.append(b) is layers
        layers.insert(0, c)
        assert list(layers) == [c, a, b]
        layers[1] = d
        del layers[0]
        assert list(layers) == [d, b]
        assert [name for name, _ in layers.named_children()] == ["0", "1"]
        assert list(layers[1:]) == [b]
        assert b in layers
        assert a not in layers
        assert len(layers.parameters()) == 4

    def test_refuses(self):
        layers = nn.LayerList([nn.ReLU()])
        with pytest.raises(ArgumentTypeError, match="holds layers, not str"):
            layers.append("relu")
        assert len(layers) == 1


class TestInitializers:
    SHAPE = (300, 200)

    @pytest.mark.parametrize(
        "initializer, mean, std",
        [
            (init.Normal(3.0, 0.5), 3.0, 0.5),
            (init.Uniform(1.0, 3.0), 2.0, 2 / 12**0.5),
            (init.XavierUniform(), 0.0, (2 / 500) ** 0.5),
            (init.XavierNormal(), 0.0, (2 / 500) ** 0.5),
            (init.XavierNormal(fan_in=100, fan_out=100, gain=2.0), 0.0, 0.2),
            (init.KaimingUniform(), 0.0, (2 / 300) ** 0.5),
            (init.KaimingNormal(), 0.0, (2 / 300) ** 0.5),
            (init.KaimingNormal(mode="fan_out"), 0.0, (2 / 200) ** 0.5),
            (init.KaimingNormal(fan_in=50), 0.0, (2 / 50) ** 0.5),
            (init.KaimingUniform(negative_slope=1.0, nonlinearity="leaky_relu"), 0, 300**-0.5),
        ],
    )
    def test_moments(self, initializer, mean, std):
        mg.seed(0)
        values = initializer(self.SHAPE).numpy()
        assert values.shape == self.SHAPE
        assert abs(values.mean() - mean) < 0.02 * std
        assert abs(values.std() / std - 1) < 0.01

    def test_uniform_stays_inside_and_fills_it(self):
        mg.seed(0)
        limit = (6 / 500) ** 0.5
        values = np.abs(nn.Linear(*self.SHAPE).weight.numpy())
        assert 0.999 * limit < values.max() <= limit

    def test_fills_a_tensor(self):
        layer = nn.Linear(2, 1)
        assert init.Constant(3.0)(layer.weight) is layer.weight
        assert layer.weight.tolist() == [[3.0], [3.0]]
        assert layer.weight.inplace_version == 1
        init.Assign([[1.0], [2.0]])(layer.weight)
        assert layer.weight.tolist() == [[1.0], [2.0]]

    def test_follows_the_seed(self):
        mg.seed(5)
        first = nn.Linear(2, 2).weight.tolist()
        mg.seed(5)
        assert nn.Linear(2, 2).weight.tolist() == first

    def test_refuses(self):
        with pytest.raises(ShapeError, match=r"shape \[2\] cannot be assigned"):
            init.Assign([1.0, 2.0])([3])
        with pytest.raises(ArgumentValueError, match="gain of 'x' is not known"):
            init.KaimingNormal(nonlinearity="x")
        with pytest.raises(ArgumentValueError, match="use 'fan_in' or 'fan_out'"):
            init.KaimingNormal(mode="x")
