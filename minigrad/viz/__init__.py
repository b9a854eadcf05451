"""Views: they read a trace, and draw or print it. None of them touches the engine."""

from __future__ import annotations

from minigrad.viz.graph import graph_dict, graph_html

__all__ = ["graph_dict", "graph_html"]
