"""Views: they read a trace, and draw or print it. None of them touches the engine."""

from __future__ import annotations

__all__: list[str] = []
