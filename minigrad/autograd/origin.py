"""Where in the user's code a grad node was made: kept as two numbers, read as text when asked.

Every node keeps the code object of the first frame that is not minigrad's own, and the place of
the instruction in it. That is cheap enough to do always; Python's position tables then give the
line, and the very sub-expression: of `z = y + x * y`, the node of the product has `x * y`.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
from dataclasses import dataclass
from itertools import islice
from types import CodeType, FrameType

__all__ = ["Origin", "Place", "describe", "find_origin", "is_ours", "resolve", "user_frame"]

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


@dataclass(frozen=True, slots=True)
class Place:
    """An origin as text.

    Attributes
    ----------
    file: a path as short as it is clear, or `cell [3]`.
    line: the line number, from 1.
    text: the source line, stripped.
    function: the function's name.
    expression: the sub-expression that was evaluated, if it can be told.
    target: the variable that the expression as a whole is assigned to, if it is.
    """

    file: str
    line: int
    text: str
    function: str
    expression: str
    target: str


def resolve(origin: Origin | None) -> Place | None:
    """What stands at an origin: file, line, text, expression."""
    if origin is None:
        return None
    code, offset = origin
    positions = next(islice(code.co_positions(), offset // 2, None), (None,) * 4)
    line, end, start_column, end_column = positions
    if line is None:
        line = code.co_firstlineno
    lines = [
        linecache.getline(code.co_filename, n).rstrip("\n") for n in range(line, (end or line) + 1)
    ]
    expression = _cut(lines, start_column, end_column)
    text = lines[0].strip()
    return Place(
        file=_short_name(code.co_filename),
        line=line,
        text=text,
        function="" if code.co_name == "<module>" else code.co_name,
        expression=expression,
        target=_target(text, expression),
    )


def describe(origin: Origin | None) -> str:
    """One line for an error message: `train.py, line 12: y = x * w`."""
    place = resolve(origin)
    if place is None:
        return ""
    text = f": {place.text}" if place.text else ""
    return f"{place.file}, line {place.line}{text}"


def _cut(lines: list[str], start: int | None, end: int | None) -> str:
    """The part of `lines` between two columns, given in UTF-8 bytes, on one line."""
    if start is None or end is None or not lines[0]:
        return ""
    pieces = [line.encode() for line in lines]
    pieces[-1] = pieces[-1][:end]
    pieces[0] = pieces[0][start:]
    return " ".join(b" ".join(pieces).decode(errors="replace").split())


def _target(text: str, expression: str) -> str:
    """`y` of `y = expression`, when the expression is the whole right side of a plain name."""
    try:
        tree = ast.parse(text).body
    except SyntaxError:
        return ""
    if len(tree) != 1 or not expression:
        return ""
    statement = tree[0]
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return ""
    whole = ast.get_source_segment(text, statement.value) or ""
    same = "".join(whole.strip("()").split()) == "".join(expression.strip("()").split())
    return statement.targets[0].id if same else ""


def _short_name(filename: str) -> str:
    """A file name that is the same on every machine where it can be."""
    cell = _cell_number(filename)
    if cell is not None:
        return f"cell [{cell}]"
    if filename.startswith("<"):
        return filename
    relative = os.path.relpath(filename) if os.path.isabs(filename) else filename
    return os.path.basename(filename) if relative.startswith("..") else relative


def _cell_number(filename: str) -> int | str | None:
    """The execution count of the notebook cell that IPython compiled under `filename`."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    names = getattr(getattr(shell, "compile", None), "_filename_map", {})
    return names.get(filename)
