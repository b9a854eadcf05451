"""How wide a text will be, in pixels, without a browser: so that boxes fit their labels.

The widths are those of DejaVu Sans, the widest of the fonts that a system-ui font stack ends in on
Linux, macOS and Windows: a label measured here is never cut elsewhere.
"""

from __future__ import annotations

import unicodedata

__all__ = ["columns", "shorten", "text_width"]

# Advance widths in hundredths of the font size, of the characters from space to tilde.
# fmt: off
_REGULAR = (
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
)
_BOLD = (
    35, 46, 53, 84, 70, 101, 88, 31, 46, 46, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70,
    70, 70, 40, 40, 84, 84, 84, 59, 100, 78, 77, 74, 84, 69, 69, 83, 84, 38, 38, 78, 64, 100, 84,
    86, 74, 86, 78, 73, 69, 82, 78, 111, 78, 73, 73, 46, 37, 46, 84, 50, 50, 68, 72, 60, 72, 68, 44,
    72, 72, 35, 35, 67, 35, 105, 72, 69, 72, 72, 50, 60, 48, 72, 66, 93, 65, 66, 59, 72, 37, 72, 84,
)
# fmt: on
_MONO = 61
_OTHER = {"regular": 84, "bold": 90, "mono": _MONO}  # Greek, Cyrillic, arrows, most symbols
_WIDE = 122  # East Asian characters and emoji; a fallback font may draw the latter wider than 1 em


def text_width(text: str, size: float, *, face: str = "regular") -> float:
    """The width of one line of `text` in pixels, never less than a browser will need.

    Parameters
    ----------
    text: one line.
    size: the font size in pixels.
    face: `"regular"`, `"bold"` or `"mono"`.

    Example
    -------
    >>> text_width("add3", 10, face="mono")
    24.4
    """
    table = {"regular": _REGULAR, "bold": _BOLD}.get(face)
    hundredths = 0
    for character in text:
        code = ord(character)
        if 32 <= code < 127:
            hundredths += table[code - 32] if table else _MONO
        else:
            hundredths += (0, _OTHER[face], _WIDE)[columns(character)]
    return round(hundredths * size / 100, 2)


def columns(text: str) -> int:
    """How many columns of a terminal `text` takes: 0, 1 or 2 for each character.

    Example
    -------
    >>> columns("a"), columns("张量"), columns("e\u0301")
    (1, 4, 1)
    """
    if text.isascii():
        return len(text)
    total = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in {"Cf", "Me"}:
            continue
        total += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return total


def shorten(text: str, limit: int) -> str:
    """The text in at most `limit` columns of one line, the rest as an ellipsis.

    Control characters, line breaks among them, become spaces.

    Example
    -------
    >>> shorten("relu(x @ w + b)", 10), shorten("d + d", 10)
    ('relu(x @…', 'd + d')
    """
    if not text.isprintable():
        text = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text)
    if columns(text) <= limit:
        return text
    kept, used = [], 0
    for character in text:
        used += columns(character)
        if used >= limit:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"
