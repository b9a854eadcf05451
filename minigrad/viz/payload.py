"""What the stepper in a browser is given: the trace, its layout, its formulas as MathML."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from minigrad.viz.layout import layout

if TYPE_CHECKING:
    from minigrad.tracing.trace import Trace

__all__ = ["payload"]


def payload(trace: Trace) -> dict[str, Any]:
    """JSON types: `trace` as `to_dict()` gives it, `layout`, `mathml` for each LaTeX formula."""
    formulas = [text for op in trace.ops.values() for text in (op.formula, *op.rules.values())]
    return {
        "trace": trace.to_dict(),
        "layout": layout(trace).to_dict(),
        "mathml": {text: _mathml(text) for text in dict.fromkeys(formulas) if text},
    }


@cache
def _mathml(latex: str) -> str:
    from latex2mathml.converter import convert

    return str(convert(latex))
