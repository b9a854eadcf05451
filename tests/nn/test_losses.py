"""The losses, against sums written by hand and finite differences to second order."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from minigrad.nn import functional as F  # noqa: N812 (its name everywhere)

X = np.array([[0.3, -1.2, 2.0], [1.1, 0.4, -0.7], [0.0, 0.5, 0.25], [-2.0, 0.1, 0.6]])
LABEL = np.array([2, 0, 1, 2])
WEIGHT = np.array([1.0, 2.0, 0.5])
SOFT = np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1], [1.0, 0.0, 0.0], [0.3, 0.3, 0.4]])
LOGS = X - np.log(np.exp(X).sum(1, keepdims=True))
PICKED = -LOGS[np.arange(4), LABEL]


def tensor(data, **keywords):
    return mg.to_tensor(data, stop_gradient=False, **keywords)


def value(loss):
    return loss.numpy()


class TestCrossEntropy:
    def test_reductions(self):
        x, label = tensor(X), mg.to_tensor(LABEL)
        np.testing.assert_allclose(value(F.cross_entropy(x, label)), PICKED.mean())
        np.testing.assert_allclose(value(F.cross_entropy(x, label, reduction="sum")), PICKED.sum())
        np.testing.assert_allclose(value(F.cross_entropy(x, label, reduction="none")), PICKED)

    def test_labels_with_an_axis_of_one(self):
        x, label = tensor(X), mg.to_tensor(LABEL[:, None])
        np.testing.assert_allclose(value(F.cross_entropy(x, label)), PICKED.mean())
        kept = F.cross_entropy(x, label, reduction="none")
        np.testing.assert_allclose(value(kept), PICKED[:, None])

    def test_the_mean_counts_what_is_not_ignored(self):
        x, label = tensor(X), mg.to_tensor(LABEL)
        loss = F.cross_entropy(x, label, ignore_index=2)
        np.testing.assert_allclose(value(loss), PICKED[1:3].mean())
        loss.backward()
        assert not x.grad.numpy()[[0, 3]].any()
        nothing = F.cross_entropy(x, mg.to_tensor([2, 2, 2, 2]), ignore_index=2)
        assert nothing.item() == 0.0

    def test_a_negative_ignore_index_counts_all_as_paddle_does(self):
        label = mg.to_tensor([-100, 0, 1, -100])
        loss = F.cross_entropy(tensor(X), label)
        np.testing.assert_allclose(value(loss), PICKED[1:3].sum() / 4)

    def test_weights(self):
        x, label = tensor(X), mg.to_tensor(LABEL)
        weights = WEIGHT[LABEL]
        weight = mg.to_tensor(WEIGHT)
        expected = (PICKED * weights).sum() / weights.sum()
        np.testing.assert_allclose(value(F.cross_entropy(x, label, weight)), expected)
        np.testing.assert_allclose(
            value(F.cross_entropy(x, label, weight, reduction="none")), PICKED * weights
        )
        ignored = F.cross_entropy(x, label, weight, ignore_index=0)
        expected = (PICKED * weights)[[0, 2, 3]].sum() / weights[[0, 2, 3]].sum()
        np.testing.assert_allclose(value(ignored), expected)

    def test_soft_labels(self):
        losses = -(SOFT * LOGS).sum(1)
        soft = mg.to_tensor(SOFT)
        loss = F.cross_entropy(tensor(X), soft, soft_label=True)
        np.testing.assert_allclose(value(loss), losses.mean())
        loss = F.cross_entropy(tensor(X), soft, soft_label=True, reduction="none")
        np.testing.assert_allclose(value(loss), losses[:, None])
        loss = F.cross_entropy(tensor(X), soft, mg.to_tensor(WEIGHT), soft_label=True)
        shares = SOFT @ WEIGHT
        np.testing.assert_allclose(value(loss), (losses * shares).sum() / shares.sum())

    def test_smoothing(self):
        hot = np.eye(3)[LABEL] * 0.9 + 0.1 / 3
        expected = -(hot * LOGS).sum(1).mean()
        for label in (LABEL, LABEL[:, None], np.eye(3)[LABEL]):
            loss = F.cross_entropy(tensor(X), mg.to_tensor(label), label_smoothing=0.1)
            np.testing.assert_allclose(value(loss), expected)

    def test_probabilities_instead_of_scores(self):
        p = np.exp(LOGS)
        for label, soft in ((mg.to_tensor(LABEL), False), (mg.to_tensor(SOFT), True)):
            np.testing.assert_allclose(
                value(F.cross_entropy(tensor(p), label, soft_label=soft, use_softmax=False)),
                value(F.cross_entropy(tensor(X), label, soft_label=soft)),
            )
        sure = F.cross_entropy(
            tensor([[0.0, 1.0], [0.0, 1.0]]),
            mg.to_tensor([1, 0]),
            ignore_index=0,
            use_softmax=False,
        )
        assert sure.item() == 0.0  # and no logarithm of the ignored 0

    @pytest.mark.parametrize("axis", [1, -2])
    def test_axis(self, axis):
        x = np.stack([X, X[::-1]], 2)
        label = np.stack([LABEL, LABEL[::-1]], 1)
        for options in ({}, {"label_smoothing": 0.2}, {"use_softmax": False}):
            inputs = np.exp(x) / 9 if options.get("use_softmax") is False else x
            flat = F.cross_entropy(
                tensor(inputs.transpose(0, 2, 1).reshape(-1, 3)),
                mg.to_tensor(label.reshape(-1)),
                mg.to_tensor(WEIGHT),
                **options,
            )
            loss = F.cross_entropy(
                tensor(inputs), mg.to_tensor(label), mg.to_tensor(WEIGHT), axis=axis, **options
            )
            np.testing.assert_allclose(value(loss), value(flat))

    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"ignore_index": 2},
            {"weight": mg.to_tensor(WEIGHT)},
            {"label_smoothing": 0.3},
            {"label_smoothing": 0.3, "weight": mg.to_tensor(WEIGHT)},
            {"reduction": "none"},
        ],
    )
    def test_gradients(self, options):
        label = mg.to_tensor(LABEL)
        assert mg.autograd.gradcheck(lambda x: F.cross_entropy(x, label, **options), tensor(X))
        assert mg.autograd.gradgradcheck(lambda x: F.cross_entropy(x, label, **options), tensor(X))

    def test_refuses(self):
        x = tensor(X)
        with pytest.raises(ArgumentValueError, match="reduction='x' is not known"):
            F.cross_entropy(x, mg.to_tensor(LABEL), reduction="x")
        with pytest.raises(ArgumentTypeError, match="label is list"):
            F.cross_entropy(x, [2, 0, 1, 2])
        with pytest.raises(DtypeError, match="Class numbers are integers: label is float64"):
            F.cross_entropy(x, mg.to_tensor(LABEL.astype(float)))
        with pytest.raises(ShapeError, match=r"Labels of shape \[3\] do not fit"):
            F.cross_entropy(x, mg.to_tensor([0, 1, 2]))
        with pytest.raises(ShapeError, match=r"Soft labels of shape \[4\]"):
            F.cross_entropy(x, mg.to_tensor(LABEL), soft_label=True)
        with pytest.raises(ShapeError, match=r"each of the 3 classes"):
            F.cross_entropy(x, mg.to_tensor(LABEL), mg.ones([2]))
        with pytest.raises(ShapeError, match="not a number"):
            F.cross_entropy(tensor(1.0), mg.to_tensor(0))
        with pytest.raises(ArgumentValueError, match="a share, 0 to 1, not 2"):
            F.cross_entropy(x, mg.to_tensor(LABEL), label_smoothing=2)
        for options in ({}, {"use_softmax": False}, {"label_smoothing": 0.1}):
            with pytest.raises(ArgumentValueError, match="a class that is not there"):
                F.cross_entropy(x, mg.to_tensor([0, 1, 2, 3]), **options)


class TestNll:
    def test_by_hand(self):
        x, label = tensor(LOGS), mg.to_tensor(LABEL)
        weights = WEIGHT[LABEL]
        np.testing.assert_allclose(value(F.nll_loss(x, label)), PICKED.mean())
        np.testing.assert_allclose(
            value(F.nll_loss(x, label, mg.to_tensor(WEIGHT))),
            (PICKED * weights).sum() / weights.sum(),
        )
        np.testing.assert_allclose(value(F.nll_loss(x, label, ignore_index=2)), PICKED[1:3].mean())
        np.testing.assert_allclose(
            value(F.nll_loss(x, mg.to_tensor([-100, 0, 1, -100]))), PICKED[1:3].mean()
        )

    def test_more_axes(self):
        x = mg.to_tensor(np.stack([LOGS, LOGS], 2))
        label = mg.to_tensor(np.stack([LABEL, LABEL], 1))
        losses = F.nll_loss(x, label, reduction="none")
        np.testing.assert_allclose(value(losses), np.stack([PICKED, PICKED], 1))

    def test_gradient(self):
        label = mg.to_tensor([2, 2, 1, -100])
        weight = mg.to_tensor(WEIGHT)
        assert mg.autograd.gradcheck(lambda x: F.nll_loss(x, label, weight), tensor(X))

    def test_refuses(self):
        with pytest.raises(ShapeError, match=r"needs \[N, C\]"):
            F.nll_loss(tensor([1.0]), mg.to_tensor([0]))
        with pytest.raises(ShapeError, match="do not fit"):
            F.nll_loss(tensor(X), mg.to_tensor(LABEL[:, None]))
        with pytest.raises(ArgumentValueError, match="labels are 0 to 2"):
            F.nll_loss(tensor(X), mg.to_tensor([0, 1, 2, 3]))


class TestOfNumbers:
    def test_mse_and_l1(self):
        x, y = tensor(X), mg.to_tensor(SOFT)
        np.testing.assert_allclose(value(F.mse_loss(x, y)), ((X - SOFT) ** 2).mean())
        np.testing.assert_allclose(value(F.l1_loss(x, y, "sum")), np.abs(X - SOFT).sum())
        np.testing.assert_allclose(value(F.mse_loss(x, y, "none")), (X - SOFT) ** 2)
        F.mse_loss(x, y).backward()
        np.testing.assert_allclose(x.grad.numpy(), 2 * (X - SOFT) / 12)
        with pytest.raises(ArgumentTypeError, match="label is float"):
            F.mse_loss(x, 1.0)

    def test_binary_cross_entropy(self):
        p = 1 / (1 + np.exp(-X))
        losses = -(SOFT * np.log(p) + (1 - SOFT) * np.log(1 - p))
        y, w = mg.to_tensor(SOFT), mg.to_tensor(X + 3)
        for loss, x in (
            (F.binary_cross_entropy, tensor(p)),
            (F.binary_cross_entropy_with_logits, tensor(X)),
        ):
            np.testing.assert_allclose(value(loss(x, y)), losses.mean())
            np.testing.assert_allclose(value(loss(x, y, w, "none")), losses * (X + 3))
            assert mg.autograd.gradcheck(lambda x, loss=loss: loss(x, y, w), x)
            assert mg.autograd.gradgradcheck(lambda x, loss=loss: loss(x, y), x)

    def test_pos_weight(self):
        hard = (SOFT > 0.25).astype(float)
        factor = np.array([1.0, 3.0, 0.5])
        losses = np.logaddexp(0, -X) * hard * factor + np.logaddexp(0, X) * (1 - hard)
        y, weight = mg.to_tensor(hard), mg.to_tensor(factor)
        loss = F.binary_cross_entropy_with_logits(tensor(X), y, reduction="none", pos_weight=weight)
        np.testing.assert_allclose(value(loss), losses)

    def test_the_ends_are_finite(self):
        x = tensor([0.0, 1.0, 0.0, 1.0])
        loss = F.binary_cross_entropy(x, mg.to_tensor([1.0, 0.0, 0.0, 1.0]), reduction="none")
        np.testing.assert_allclose(value(loss), [100.0, 100.0, 0.0, 0.0], rtol=1e-3)
        loss.sum().backward()
        assert np.isfinite(x.grad.numpy()).all()
        x = tensor([-1e4, 0.0, 1e4])
        F.binary_cross_entropy_with_logits(
            x, mg.to_tensor([0.0, 1.0, 0.0]), reduction="sum"
        ).backward()
        assert x.grad.tolist() == [0.0, -0.5, 1.0]

    def test_refuses_other_shapes(self):
        for loss in (F.binary_cross_entropy, F.binary_cross_entropy_with_logits):
            with pytest.raises(ShapeError, match=r"\[4, 3\] and labels of shape \[4\]"):
                loss(tensor(X), mg.ones([4], dtype="float64"))


@pytest.mark.parametrize(
    "layer, function, label",
    [
        (nn.CrossEntropyLoss, F.cross_entropy, LABEL),
        (nn.NLLLoss, F.nll_loss, LABEL),
        (nn.MSELoss, F.mse_loss, SOFT),
        (nn.L1Loss, F.l1_loss, SOFT),
        (nn.BCEWithLogitsLoss, F.binary_cross_entropy_with_logits, SOFT),
        (nn.BCELoss, F.binary_cross_entropy, SOFT),
    ],
)
def test_losses_as_layers(layer, function, label):
    x = mg.to_tensor(SOFT * 0.8 + 0.1)
    for reduction in ("mean", "sum", "none"):
        loss = layer(reduction=reduction)(x, mg.to_tensor(label))
        assert loss.tolist() == function(x, mg.to_tensor(label), reduction=reduction).tolist()
    with pytest.raises(ArgumentValueError, match="use 'mean', 'sum' or 'none'"):
        layer(reduction="all")


def test_every_option_reaches_the_function():
    x, label = mg.to_tensor(X), mg.to_tensor(LABEL)
    weight = mg.to_tensor(WEIGHT)
    options = {"weight": weight, "ignore_index": 1, "label_smoothing": 0.2}
    assert nn.CrossEntropyLoss(**options)(x, label).item() == (
        F.cross_entropy(x, label, **options).item()
    )
    options = {"soft_label": True, "axis": 0, "use_softmax": False}
    p, q = mg.to_tensor(SOFT), mg.to_tensor(SOFT[::-1].copy())
    assert nn.CrossEntropyLoss(**options)(p, q).item() == F.cross_entropy(p, q, **options).item()
    options = {"weight": weight, "ignore_index": 1}
    assert nn.NLLLoss(**options)(x, label).item() == F.nll_loss(x, label, **options).item()
    assert nn.BCELoss(p)(q, q).item() == F.binary_cross_entropy(q, q, p).item()
    bce = nn.BCEWithLogitsLoss(p, pos_weight=weight)(x, q)
    assert bce.item() == F.binary_cross_entropy_with_logits(x, q, p, pos_weight=weight).item()
