"""Optimizers: `minigrad.optimizer`."""

from minigrad.optim.kinds import SGD, Adam, AdamW, Momentum
from minigrad.optim.optimizer import Optimizer

__all__ = ["SGD", "Adam", "AdamW", "Momentum", "Optimizer"]
