"""The one table of names that are found on first use, so that `import minigrad` stays light.

It is also the one exception to which package may import which: through it, a Trace's drawing
methods reach the views, which otherwise only read traces.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["NAMES", "OF_A_TRACE", "find"]

NAMES = {
    "grad": "minigrad.autograd.gradient:grad",
    "record": "minigrad.tracing.recorder:record",
    "name_scope": "minigrad.tracing.recorder:name_scope",
    "Trace": "minigrad.tracing.trace:Trace",
    "set_printoptions": "minigrad.printing:set_printoptions",
    "nn": "minigrad.nn:",
    "optimizer": "minigrad.optim:",
    "viz": "minigrad.viz:",
    "random": "minigrad.random:",
    "bernoulli": "minigrad.random:bernoulli",
    "get_rng_state": "minigrad.random:get_rng_state",
    "normal": "minigrad.random:normal",
    "rand": "minigrad.random:rand",
    "randint": "minigrad.random:randint",
    "randn": "minigrad.random:randn",
    "randperm": "minigrad.random:randperm",
    "seed": "minigrad.random:seed",
    "set_rng_state": "minigrad.random:set_rng_state",
    "standard_normal": "minigrad.random:standard_normal",
    "uniform": "minigrad.random:uniform",
    "ParamAttr": "minigrad.nn:ParamAttr",
}
"""Public names of minigrad, and where each is: module:attribute."""

OF_A_TRACE = {
    "at": "minigrad.tracing.state:at",
    "validate": "minigrad.tracing.schema:validate",
    "peak_bytes": "minigrad.tracing.memory:peak_bytes",
    "table": "minigrad.viz.text:table",
    "to_svg": "minigrad.viz.svg:to_svg",
    "to_dot": "minigrad.viz.dot:to_dot",
    "to_html": "minigrad.viz.html:to_html",
    "plot_memory": "minigrad.viz.plots:plot_memory",
    "plot_gradients": "minigrad.viz.plots:plot_gradients",
    "Stepper": "minigrad.widgets.stepper:Stepper",
}
"""What a Trace can do besides being read."""


def find(name: str) -> Any:
    """Import what `name` stands for."""
    module, _, attribute = (NAMES.get(name) or OF_A_TRACE[name]).partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found
