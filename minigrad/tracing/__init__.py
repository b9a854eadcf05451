"""Traces of backward passes: how they are recorded, kept, checked and asked."""

from __future__ import annotations

__all__: list[str] = []
