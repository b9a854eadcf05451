"""The stepper's script and styles: plain files, joined in a fixed order. No build step."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

__all__ = ["script", "styles"]


@cache
def script() -> str:
    """One ES module that exports `render({model, el})`, made of the files in `static/` by name."""
    folder = files("minigrad.widgets") / "static"
    parts = sorted((f for f in folder.iterdir() if f.name.endswith(".mjs")), key=lambda f: f.name)
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)


@cache
def styles() -> str:
    """The style sheet."""
    return (files("minigrad.widgets") / "static" / "stepper.css").read_text(encoding="utf-8")
