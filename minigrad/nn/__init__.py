"""Layers and functions of networks."""

from minigrad.nn import functional

__all__ = ["functional"]
