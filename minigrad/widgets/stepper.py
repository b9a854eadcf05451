"""The stepper as a notebook widget, drawn from its trace alone: it never asks the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from minigrad.viz.assets import script, styles
from minigrad.viz.payload import payload

if TYPE_CHECKING:
    from minigrad.tracing.trace import Trace

__all__ = ["Stepper"]


class Stepper(anywidget.AnyWidget):
    """Steps through a trace.

    Parameters
    ----------
    trace: what was recorded.

    Attributes
    ----------
    step: the step that is shown, from 0.
    selected: the node that the panel is kept on, or None to follow the steps.
    playing: whether it goes on by itself.
    speed: how fast, 1 being a step every 1.2 seconds.

    All four are synced with the browser, so that other ipywidgets can be linked to them.
    """

    _esm = script()
    _css = styles()
    payload = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0, min=0).tag(sync=True)
    selected = traitlets.Int(None, allow_none=True).tag(sync=True)
    playing = traitlets.Bool(default_value=False).tag(sync=True)
    speed = traitlets.Float(1.0, min=0.1, max=20.0).tag(sync=True)

    def __init__(self, trace: Trace, **traits: Any) -> None:
        self._steps = len(trace.steps)
        self._title = trace.title
        super().__init__(payload=payload(trace), **traits)

    @traitlets.validate("step")
    def _inside(self, proposal: Any) -> int:
        return int(min(proposal["value"], max(0, self._steps - 1)))

    def __repr__(self) -> str:
        return f"Stepper({self._title!r}, step {self.step + 1} of {self._steps})"
