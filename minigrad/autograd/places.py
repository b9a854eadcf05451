"""What stands at an origin: the file, the line, and the very sub-expression that was evaluated.

Only looked at when somebody asks: for an error message, or when a recording ends.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
from dataclasses import dataclass
from itertools import islice

from minigrad.autograd.origin import Origin

__all__ = ["Place", "resolve"]


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
