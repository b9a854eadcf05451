"""Checks of JSON values: each returns nothing for one that fits, or else raises a `Misfit`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NoReturn

__all__ = [
    "Check",
    "Misfit",
    "below",
    "boolean",
    "each",
    "fail",
    "fixed",
    "integer",
    "map_of",
    "number",
    "one_of",
    "or_null",
    "record",
    "shown",
    "string",
]

Check = Callable[[Any], None]

_HUGE = 2**63
_NOT_FINITE = {"nan", "inf", "-inf"}


class Misfit(Exception):  # noqa: N818 (an answer, not an error: it never leaves the package)
    """A value does not fit: where, from the value that was checked, and why."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text


def fail(text: str, path: str = "") -> NoReturn:
    """Say what is wrong with the value at hand, or with a part of it."""
    raise Misfit(path, text)


def shown(value: Any) -> str:
    """A value for a message, however long or deep it is."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) >= _HUGE:
        return "an integer beyond 64 bits"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = repr(value[:60] if isinstance(value, str) else value)
    return text if len(text) <= 40 else text[:39] + "…"


def integer(value: Any) -> None:
    """An integer from 0."""
    if type(value) is not int or not 0 <= value < _HUGE:
        fail(f"must be an integer from 0, not {shown(value)}")


def string(value: Any) -> None:
    """A text."""
    if type(value) is not str:
        fail(f"must be a string, not {shown(value)}")


def boolean(value: Any) -> None:
    """True or false."""
    if type(value) is not bool:
        fail(f"must be true or false, not {shown(value)}")


def number(value: Any) -> None:
    """A finite number, or one of the words that stand for those that are not."""
    kind = type(value)
    if kind is float and math.isfinite(value):
        return
    if kind is int and -_HUGE <= value < 2 * _HUGE:
        return
    if kind is not str or value not in _NOT_FINITE:
        fail(f'must be a finite number, "nan", "inf" or "-inf", not {shown(value)}')


def below(limit: int, noun: str) -> Check:
    """The number of something of which there are `limit`."""

    def check(value: Any) -> None:
        if type(value) is not int or not 0 <= value < limit:
            known = f"they are 0 to {limit - 1}" if limit else f"there is no {noun}"
            fail(f"{shown(value)} is no {noun}: {known}")

    return check


def one_of(*words: str) -> Check:
    """One of some words."""

    def check(value: Any) -> None:
        if type(value) is not str or value not in words:
            fail(f"must be one of {', '.join(words)}, not {shown(value)}")

    return check


def or_null(inner: Check) -> Check:
    """Null, or what `inner` asks for."""

    def check(value: Any) -> None:
        if value is not None:
            inner(value)

    return check


def each(inner: Check, most: int | None = None) -> Check:
    """A list, of at most so many items, each of which fits."""

    def check(value: Any) -> None:
        if type(value) is not list:
            fail(f"must be a list, not {shown(value)}")
        if most is not None and len(value) > most:
            fail(f"must have at most {most} items, not {len(value)}")
        place = 0
        try:
            for place, item in enumerate(value):  # noqa: B007 (read below)
                inner(item)
        except Misfit as misfit:
            fail(misfit.text, f"[{place}]{misfit.path}")

    return check


def fixed(*inner: Check) -> Check:
    """A list with one item for each check."""

    def check(value: Any) -> None:
        if type(value) is not list or len(value) != len(inner):
            fail(f"must be a list of {len(inner)} items")
        for place, (test, item) in enumerate(zip(inner, value, strict=True)):
            try:
                test(item)
            except Misfit as misfit:
                fail(misfit.text, f"[{place}]{misfit.path}")

    return check


def map_of(inner: Check, *, numbered: bool = False) -> Check:
    """An object whose values all fit; its keys are decimal numbers when `numbered`."""

    def check(value: Any) -> None:
        if type(value) is not dict:
            fail(f"must be an object, not {shown(value)}")
        for key, item in value.items():
            string(key)
            if numbered and not (key.isascii() and key.isdecimal() and len(key) <= 9):
                fail(f"{shown(key)} is no line number")
            try:
                inner(item)
            except Misfit as misfit:
                fail(misfit.text, f"[{shown(key)}]{misfit.path}")

    return check


def record(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    """An object with these fields and no others."""
    fields = {**required, **(optional or {})}

    def check(value: Any) -> None:
        if type(value) is not dict:
            fail(f"must be an object, not {shown(value)}")
        for name in required:
            if name not in value:
                fail("is missing", f".{name}")
        name = ""
        try:
            for name, item in value.items():
                fields[name](item)
        except KeyError:
            fail(f"there is no field {shown(name)} here; there are {', '.join(fields)}")
        except Misfit as misfit:
            fail(misfit.text, f".{name}{misfit.path}")

    return check
