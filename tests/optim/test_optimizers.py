"""The optimizers: steps by hand, what is left alone, state, errors."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.errors import ArgumentTypeError, ArgumentValueError, InplaceError, ShapeError
from minigrad.optim import SGD, Adam, AdamW, Momentum, Optimizer


def parameter(values, gradient=None, name=None):
    p = mg.create_parameter([len(values)], "float64", name)
    p.set_value(np.array(values))
    if gradient is not None:
        p.grad = mg.to_tensor(gradient, dtype="float64")
    return p


def after(kind, values, gradients, **options):
    """A parameter after one step for each of the gradients."""
    p = parameter(values)
    optimizer = kind(parameters=[p], **options)
    for gradient in gradients:
        p.grad = mg.to_tensor(gradient, dtype="float64")
        optimizer.step()
    return p.numpy()


def test_sgd_by_hand():
    assert after(SGD, [1.0, 2.0], [[1.0, -2.0]], learning_rate=0.5).tolist() == [0.5, 3.0]
    decayed = after(SGD, [1.0], [[2.0]], learning_rate=0.5, weight_decay=0.5)
    assert decayed.tolist() == [1.0 - 0.5 * (2.0 + 0.5)]


def test_momentum_by_hand():
    options = {"learning_rate": 1.0, "momentum": 0.5}
    assert after(Momentum, [0.0], [[1.0], [1.0]], **options).tolist() == [-(1.0 + 1.5)]
    nesterov = after(Momentum, [0.0], [[1.0], [1.0]], use_nesterov=True, **options)
    assert nesterov.tolist() == [-(1.5 + 1.75)]


def test_adam_by_hand():
    # The first step has the length of the learning rate, whatever the gradient.
    step = after(Adam, [1.0, 1.0], [[1e-3, -1e3]], learning_rate=0.1, epsilon=1e-12)
    np.testing.assert_allclose(step, [0.9, 1.1], rtol=1e-9)
    m, v, p = 0.0, 0.0, 1.0
    gradients = [0.5, -0.25, 2.0]
    for t, g in enumerate(gradients, 1):
        m, v = 0.5 * m + 0.5 * g, 0.75 * v + 0.25 * g * g
        p -= 0.1 * (m / (1 - 0.5**t)) / (np.sqrt(v / (1 - 0.75**t)) + 1e-3)
    options = {"learning_rate": 0.1, "beta1": 0.5, "beta2": 0.75, "epsilon": 1e-3}
    np.testing.assert_allclose(after(Adam, [1.0], [[g] for g in gradients], **options), [p])


def test_adamw_shrinks_the_parameter_and_not_the_gradient():
    plain = after(Adam, [2.0], [[1.0]], learning_rate=0.1)
    decayed = after(AdamW, [2.0], [[1.0]], learning_rate=0.1, weight_decay=0.5)
    np.testing.assert_allclose(decayed, plain - 0.1 * 0.5 * 2.0)
    half = after(AdamW, [2.0], [[1.0]], learning_rate=0.1, lr_ratio=lambda _: 0.5, weight_decay=0)
    np.testing.assert_allclose(half, (plain + 2.0) / 2)
    spared = after(
        AdamW, [2.0], [[1.0]], learning_rate=0.1, apply_decay_param_fun=lambda name: name == "w"
    )
    np.testing.assert_allclose(spared, plain)


def test_a_step_writes_in_place_and_counts_versions():
    p = parameter([1.0], [1.0])
    array, alias = p._data, p.detach()
    optimizer = SGD(0.5, parameters=[p])
    optimizer.step()
    assert p._data is array
    assert alias.tolist() == [0.5]
    assert p.inplace_version == alias.inplace_version
    before = p.inplace_version
    y = (p * p).sum()
    optimizer.step()
    assert p.inplace_version == before + 1
    with pytest.raises(InplaceError, match="modified by an inplace operation"):
        y.backward()


def test_a_step_leaves_no_history():
    p = parameter([1.0], [1.0])
    Adam(parameters=[p]).step()
    assert p.is_leaf
    assert not p.stop_gradient
    assert mg.is_grad_enabled()


def test_what_has_no_gradient_or_is_frozen_is_left_alone():
    p, q, r = parameter([1.0]), parameter([1.0], [1.0]), parameter([1.0], [1.0])
    q.trainable = False
    SGD(1.0, parameters=[p, q, r]).step()
    assert [t.item() for t in (p, q, r)] == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("kind", [SGD, Momentum, Adam, AdamW])
def test_a_gradient_that_is_not_finite_is_no_error(kind):
    p = parameter([1.0, 1.0, 1.0], [np.nan, np.inf, 1.0])
    kind(0.1, parameters=[p]).step()
    assert not np.isfinite(p.numpy()[:2]).any()
    assert np.isfinite(p.numpy()[2])


def test_main_grad_comes_before_grad():
    p = mg.create_parameter([1], "float16", is_bias=True)
    p.main_grad = mg.to_tensor([1e-3], dtype="float32")
    p.grad = mg.ones([1], "float16")
    optimizer = Momentum(1.0, parameters=[p])
    optimizer.step()
    assert p.dtype == mg.float16
    assert p.tolist() == [float(np.float16(-1e-3))]
    assert next(iter(optimizer.state_dict().values())).dtype == mg.float32
    optimizer.clear_grad()
    assert p.main_grad.tolist() == p.grad.tolist() == [0.0]
    optimizer.clear_grad(set_to_zero=False)
    assert p.main_grad is None
    assert p.grad is None


def test_numbers_as_parameters():
    p = mg.create_parameter([], "float32", is_bias=True)
    optimizer = Adam(0.1, parameters=[p])
    for _ in range(2):
        p.grad = mg.to_tensor(1.0)
        optimizer.step()
    np.testing.assert_allclose(p.item(), -0.2, rtol=1e-6)
    assert p.shape == []


def test_clear_grad_and_minimize():
    p = parameter([3.0])
    optimizer = SGD(0.5, parameters=[p])
    loss = (p * p).sum()
    loss.backward()
    none, pairs = optimizer.minimize(loss)
    assert none is None
    assert pairs[0][0] is p
    assert p.tolist() == [0.0]
    optimizer.clear_grad()
    assert p.grad.tolist() == [0.0]
    assert optimizer.minimize(loss)[1] != []
    optimizer.clear_grad(set_to_zero=False)
    assert optimizer.minimize(loss)[1] == []
    with pytest.raises(ArgumentTypeError, match="takes the loss"):
        optimizer.minimize(1.0)


class TestLearningRate:
    def test_number(self):
        optimizer = SGD(0.5, parameters=[parameter([1.0])])
        optimizer.set_lr(0.25)
        assert optimizer.get_lr() == 0.25
        with pytest.raises(ArgumentTypeError, match="is a number, not str"):
            optimizer.set_lr("a")
        assert optimizer.get_lr() == 0.25

    def test_function(self):
        rates = iter([0.0, 1.0, 2.0])
        p = parameter([0.0], [1.0])
        optimizer = SGD(lambda: next(rates), parameters=[p])
        optimizer.step()
        optimizer.step()
        assert p.tolist() == [-3.0]
        with pytest.raises(ArgumentValueError, match="function decides it"):
            optimizer.set_lr(0.1)

    def test_scheduler(self):
        class Halving:
            rate = 1.0

            def get_lr(self):
                return self.rate

            def state_dict(self):
                return {"rate": self.rate}

            def set_state_dict(self, state):
                self.rate = state["rate"]

        scheduler = Halving()
        optimizer = SGD(scheduler, parameters=[parameter([1.0])])
        scheduler.rate /= 2
        assert optimizer.get_lr() == 0.5
        state = optimizer.state_dict()
        scheduler.rate /= 2
        optimizer.set_state_dict(state)
        assert optimizer.get_lr() == 0.5

    def test_of_a_parameter(self):
        layer = nn.Linear(1, 1, bias_attr=nn.ParamAttr(learning_rate=0.1))
        layer.weight.set_value([[0.0]])
        layer.weight.grad, layer.bias.grad = mg.ones([1, 1]), mg.ones([1])
        SGD(1.0, parameters=layer.parameters()).step()
        assert layer.weight.item() == -1.0
        assert layer.bias.item() == pytest.approx(-0.1)

    def test_of_a_group(self):
        p, q = parameter([1.0], [1.0]), parameter([1.0], [1.0])
        groups = [{"params": [p], "weight_decay": 1.0}, {"params": [q], "learning_rate": 0.5}]
        SGD(0.1, parameters=groups).step()
        np.testing.assert_allclose([p.item(), q.item()], [0.8, 0.95])

    def test_refused(self):
        with pytest.raises(ArgumentTypeError, match="is a number, not str"):
            SGD("fast", parameters=[])


class TestState:
    @pytest.mark.parametrize("kind", [Momentum, Adam, AdamW])
    def test_goes_on_where_it_was(self, kind):
        p, q = parameter([1.0, 2.0], name="p"), parameter([1.0, 2.0], name="p")
        one, two = kind(0.1, parameters=[p]), kind(0.1, parameters=[q])
        for _ in range(3):
            p.grad = mg.to_tensor([1.0, -3.0], dtype="float64")
            one.step()
        q.set_value(p)
        two.set_state_dict(one.state_dict())
        for tensor, optimizer in ((p, one), (q, two)):
            tensor.grad = mg.to_tensor([0.5, 1.0], dtype="float64")
            optimizer.step()
        assert p.tolist() == q.tolist()

    def test_names_and_copies(self):
        p = parameter([1.0], [1.0], name="w")
        optimizer = Adam(parameters=[p])
        assert optimizer.state_dict() == {}
        optimizer.step()
        state = optimizer.state_dict()
        assert list(state) == [
            "w_moment1_0",
            "w_moment2_0",
            "w_beta1_pow_acc_0",
            "w_beta2_pow_acc_0",
        ]
        before = state["w_moment1_0"].tolist()
        state["w_moment1_0"].zero_()
        assert optimizer.state_dict()["w_moment1_0"].tolist() == before
        optimizer.set_state_dict({})
        assert optimizer.state_dict() == {}

    def test_refuses(self):
        p = parameter([1.0], [1.0], name="w")
        optimizer = Adam(parameters=[p])
        optimizer.step()
        state = optimizer.state_dict()
        with pytest.raises(ArgumentValueError, match="has v_moment1_0, which no parameter here"):
            optimizer.set_state_dict({**state, "v_moment1_0": state["w_moment1_0"]})
        with pytest.raises(ShapeError, match=r"w_moment1_0 has shape \[2\], not \[1\]"):
            optimizer.set_state_dict({**state, "w_moment1_0": mg.ones([2])})
        del state["w_moment2_0"]
        with pytest.raises(ArgumentValueError, match="lacks w_moment2_0"):
            optimizer.set_state_dict(state)
        with pytest.raises(ArgumentTypeError, match="takes a dict"):
            optimizer.set_state_dict(None)


class TestClipping:
    def test_global_norm(self):
        p, q = parameter([0.0], [3.0]), parameter([0.0], [4.0])
        SGD(1.0, parameters=[p, q], grad_clip=nn.ClipGradByGlobalNorm(1.0)).step()
        np.testing.assert_allclose([p.item(), q.item()], [-0.6, -0.8])
        assert p.grad.item() == 3.0

    def test_norm(self):
        p, q = parameter([0.0, 0.0], [3.0, 4.0]), parameter([0.0], [0.5])
        SGD(1.0, parameters=[p, q], grad_clip=nn.ClipGradByNorm(1.0)).step()
        np.testing.assert_allclose([*p.tolist(), q.item()], [-0.6, -0.8, -0.5])

    def test_value(self):
        p = parameter([0.0, 0.0, 0.0], [3.0, -4.0, 0.5])
        SGD(1.0, parameters=[p], grad_clip=nn.ClipGradByValue(1.0, -2.0)).step()
        assert p.tolist() == [-1.0, 2.0, -0.5]

    def test_refuses(self):
        with pytest.raises(ArgumentTypeError, match="grad_clip is a function, not float"):
            SGD(parameters=[], grad_clip=1.0)
        with pytest.raises(ArgumentValueError, match="clipped at a positive number"):
            nn.ClipGradByNorm(0.0)
        with pytest.raises(ArgumentValueError, match="nothing lies between"):
            nn.ClipGradByValue(1.0, 2.0)


def test_parameters_that_cannot_be_used():
    p = parameter([1.0])
    net = nn.Linear(1, 1)
    for wrong in (None, p, net.parameters, {"params": [p]}):
        with pytest.raises(ArgumentTypeError, match=r"try:   parameters=net\.parameters\(\)"):
            SGD(parameters=wrong)
    with pytest.raises(ArgumentTypeError, match="cannot update float"):
        SGD(parameters=[1.0])
    with pytest.raises(ArgumentTypeError, match="a result of an op is computed, not learned"):
        SGD(parameters=[p * 2])
    with pytest.raises(ArgumentValueError, match="given twice"):
        SGD(parameters=[p, p])
    with pytest.raises(ArgumentValueError, match="A group of parameters is not understood"):
        SGD(parameters=[{"params": [p], "speed": 1}])
    with pytest.raises(ArgumentTypeError, match="weight_decay is a number, not str"):
        SGD(parameters=[p], weight_decay="much")
    with pytest.raises(ArgumentValueError, match="beta1 is from 0 up to 1"):
        Adam(beta1=1.0, parameters=[p])
    with pytest.raises(ArgumentValueError, match="epsilon is above 0"):
        Adam(epsilon=0.0, parameters=[p])
    with pytest.raises(NotImplementedError, match="does not define _updated"):
        Optimizer(parameters=[parameter([1.0], [1.0])]).step()
