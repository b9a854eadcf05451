"""Layers and functions of networks."""

from minigrad.nn import functional, initializer
from minigrad.nn.attributes import ParamAttr
from minigrad.nn.clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from minigrad.nn.containers import LayerList, Sequential
from minigrad.nn.layer import Layer
from minigrad.nn.layers import (
    Dropout,
    Flatten,
    Identity,
    Linear,
    LogSoftmax,
    ReLU,
    Sigmoid,
    Softmax,
    Tanh,
)
from minigrad.nn.losses import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
)

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "ClipGradByGlobalNorm",
    "ClipGradByNorm",
    "ClipGradByValue",
    "CrossEntropyLoss",
    "Dropout",
    "Flatten",
    "Identity",
    "L1Loss",
    "Layer",
    "LayerList",
    "Linear",
    "LogSoftmax",
    "MSELoss",
    "NLLLoss",
    "ParamAttr",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "functional",
    "initializer",
]
