"""Where in the user's code a grad node was made: kept as two numbers, read as text when asked.

Every node keeps the code object of the first frame that is not minigrad's own, and the place of
the instruction in it. That is cheap enough to do always; Python's position tables then give the
line, and the very sub-expression: of `z = y + x * y`, the node of the product has `x * y`.
"""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType

__all__ = ["Origin", "describe", "find_origin", "is_ours", "user_frame"]

Origin = tuple[CodeType, int]
"""A code object and the offset of an instruction in it."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class _Ours(dict[str, bool]):
    """Whether a file is part of minigrad, remembered for each file name."""

    def __missing__(self, filename: str) -> bool:
        ours = self[filename] = filename.startswith(_PACKAGE)
        return ours


is_ours = _Ours()
"""Whether a file name is that of a file of minigrad."""


def user_frame(depth: int = 1) -> FrameType | None:
    """The nearest frame that is not minigrad's own, from `depth` frames above the caller."""
    frame: FrameType | None = sys._getframe(depth + 1)
    while frame is not None and is_ours[frame.f_code.co_filename]:
        frame = frame.f_back
    return frame


def find_origin(depth: int = 1) -> Origin | None:
    """The origin of what is being made now, looked for from `depth` frames above the caller."""
    frame: FrameType | None = sys._getframe(depth + 1)
    while frame is not None and is_ours[frame.f_code.co_filename]:
        frame = frame.f_back
    return (frame.f_code, frame.f_lasti) if frame is not None else None


def describe(origin: Origin | None) -> str:
    """One line for an error message: `train.py, line 12: y = x * w`."""
    from minigrad.autograd.places import resolve

    place = resolve(origin)
    if place is None:
        return ""
    text = f": {place.text}" if place.text else ""
    return f"{place.file}, line {place.line}{text}"
