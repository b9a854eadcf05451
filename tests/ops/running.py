"""Run an example of an op on tensors."""

from __future__ import annotations

import numpy as np

import minigrad as mg
from minigrad.ops import OPS


def tensors(example, dtype="float64", place="numpy"):
    """The inputs: leaves where they are floating, constants where they are not."""
    made = []
    for array in example.arrays():
        floating = array.dtype.kind == "f"
        kind = dtype if floating else str(array.dtype)
        made.append(mg.to_tensor(array, dtype=kind, place=place, stop_gradient=not floating))
    return made


def call(example, inputs):
    """The outputs, as a list."""
    variadic = isinstance(example.inputs[0], list)
    given = [inputs] if variadic else inputs
    result = OPS[example.op](*given, **example.attributes)
    return result if isinstance(result, list) else [result]


def leaves(inputs):
    return [x for x in inputs if not x.stop_gradient]


def seeds(outputs):
    """Gradients to start from, all different, so that no permutation of them goes unnoticed."""
    rng = np.random.default_rng(7)
    return [
        mg.to_tensor(
            rng.uniform(0.5, 1.5, tuple(o.shape)), dtype=str(o.dtype), place=o._backend.name
        )
        for o in outputs
    ]


def gradients(example, inputs, **options):
    """The gradients of all floating inputs."""
    outputs = call(example, inputs)
    return mg.grad(outputs, leaves(inputs), seeds(outputs), **options)
