"""Traces as diagrams in matplotlib, which is imported when one is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minigrad.tracing.memory import memory_over_time
from minigrad.tracing.state import at
from minigrad.viz.labels import byte_text, norm_of, title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from minigrad.tracing.trace import Trace

__all__ = ["plot_gradients", "plot_memory"]

_COLOURS = {"saved tensors": "#9aa5b3", "gradient holders": "#0b6bcb", "leaf gradients": "#0f766e"}
_FAR_APART = 100
_MOST = 40  # so many leaves; of more, those with the largest gradients


def plot_memory(trace: Trace, *, ax: Axes | None = None) -> Axes:
    """Draw the bytes held after each event: saved tensors, holders and leaf gradients, stacked.

    Parameters
    ----------
    trace: what was recorded.
    ax: where to draw; new axes when None.

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.ones([100]); x.stop_gradient = False
    >>> with mg.record() as trace:
    ...     x.exp().sum().backward()
    >>> plot_memory(trace).get_ylabel()
    'bytes'
    """
    ax = _axes(ax)
    memory = memory_over_time(trace)
    events = range(len(memory))
    parts = zip(*((one.saved, one.holders, one.gradients) for one in memory), strict=True)
    if memory:
        ax.stackplot(
            events, *parts, labels=list(_COLOURS), colors=list(_COLOURS.values()), step="post"
        )
        peak = max(memory, key=lambda one: one.total)
        ax.axhline(peak.total, color="0.4", linewidth=0.8, linestyle="--")
        ax.annotate(
            f"peak {byte_text(peak.total)}",
            (memory.index(peak), peak.total),
            xytext=(4, 3),
            textcoords="offset points",
            fontsize="small",
        )
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        ax.margins(x=0, y=0.15)
    ax.set(xlabel="event", ylabel="bytes", title="memory over time")
    return ax


def plot_gradients(trace: Trace, *, ax: Axes | None = None) -> Axes:
    """Draw the norm of every leaf's gradient at the end.

    Leaves stand in the order in which they were made. The scale is logarithmic when the norms are
    far apart. Norms that are zero, unknown, or not finite have no bar, and say so.

    Parameters
    ----------
    trace: what was recorded.
    ax: where to draw; new axes when None.
    """
    ax = _axes(ax)
    grads = at(trace, len(trace.events) - 1).grads if trace.events else {}
    norms = [(title(trace.nodes[node]), norm_of(value)) for node, value in sorted(grads.items())]
    if len(norms) > _MOST:
        largest = sorted(norms, key=lambda pair: -(pair[1] or 0.0))[:_MOST]
        norms = [pair for pair in norms if pair in largest][:_MOST]
    names = [name for name, _ in norms]
    drawn = [norm if norm is not None and 0 < norm < float("inf") else 0.0 for _, norm in norms]
    places = range(len(norms))
    ax.barh(places, drawn, color=_COLOURS["leaf gradients"])
    for place, (_, norm) in enumerate(norms):
        if not drawn[place]:
            ax.annotate(
                f" {'unknown' if norm is None else f'{norm:g}'}",
                (0, place),
                xycoords=("axes fraction", "data"),
                va="center",
            )
    known = [norm for norm in drawn if norm]
    if known and max(known) > _FAR_APART * min(known):
        ax.set_xscale("log")
        ax.set_xlim(min(known) / 10, max(known) * 2)
    ax.set_yticks(places, labels=names)
    ax.set_ylim(len(norms) - 0.4, -0.6)
    ax.set(xlabel="norm of the gradient", title="leaf gradients")
    return ax


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib import pyplot as plt

    return plt.subplots(layout="constrained")[1]
