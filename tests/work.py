"""How much a function does, counted instead of timed: the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

__all__ = ["calls"]


def calls(function: Callable[[], Any]) -> int:
    """The number of calls, of Python functions and of C ones, that `function` leads to."""
    count = 0

    def seen(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count
