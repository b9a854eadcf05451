"""Saved tensors: an array, the storage's version when it was saved, and never the tensor itself.

Writing in place counts the version of the storage up. All tensors that share the storage (views,
`detach()`) share the counter, so a node can tell in backward that what it saved is still what
forward saw. A counter is made when it is first needed.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Version", "version_of"]


class Version:
    """How often a storage was written in place, and from which line last."""

    __slots__ = ("count", "line")

    def __init__(self) -> None:
        self.count = 0
        self.line: Any = None

    def step(self, line: Any) -> None:
        """Count one more write; `line` is the origin of the writing op."""
        self.count += 1
        self.line = line


def version_of(tensor: Any) -> Version:
    """The counter of a tensor's storage."""
    version: Version | None = tensor._version
    if version is None:
        version = tensor._version = Version()
    return version
