"""Everything together: a small network learns real handwritten digits."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits

import minigrad as mg
from minigrad import nn


@pytest.mark.parametrize(
    "make",
    [
        lambda p: mg.optimizer.Adam(0.005, parameters=p),
        lambda p: mg.optimizer.Momentum(0.1, parameters=p, weight_decay=1e-4),
    ],
    ids=["adam", "momentum"],
)
def test_a_network_learns_digits(make):
    mg.seed(0)
    images, labels = load_digits(return_X_y=True)
    images = (images / 16).astype("float32")
    order = np.random.default_rng(0).permutation(len(images))
    train, test = order[:1400], order[1400:]
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 10))
    loss_of, optimizer = nn.CrossEntropyLoss(), make(net.parameters())
    for _ in range(15):
        for start in range(0, len(train), 64):
            batch = train[start : start + 64]
            loss = loss_of(net(mg.to_tensor(images[batch])), mg.to_tensor(labels[batch]))
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
    net.eval()
    guesses = net(mg.to_tensor(images[test])).argmax(axis=1).numpy()
    assert (guesses == labels[test]).mean() > 0.95
