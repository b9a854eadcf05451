"""The stepper as one HTML file: no kernel, no network, nothing beside it."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from minigrad.errors import ArgumentValueError, message
from minigrad.viz.assets import script, styles
from minigrad.viz.payload import payload

if TYPE_CHECKING:
    from minigrad.tracing.trace import Trace

__all__ = ["to_html"]

# A stand-in for the notebook's model: it keeps the traits and tells nobody.
_PAGE_SCRIPT = """
const island = document.getElementById("payload");
const payload = JSON.parse(island.textContent);
const traits = { payload, step: 0, selected: null, playing: false, speed: 1 };
const model = {
  get: (name) => traits[name],
  set: (name, value) => { traits[name] = value; },
  save_changes() {},
  on() {},
  off() {},
};
render({ model, el: document.getElementById("stepper") });
"""

_PAGE_STYLES = """
body { margin: 0; padding: 1.125rem; background: #fff; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; } }
#stepper > .minigrad-stepper { margin: 0 auto; }
@media (max-width: 800px) { body { padding: 0.5rem; } }
"""

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '$script_hash'; \
style-src '$style_hash'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>$title</title>
<style>$styles</style>
</head>
<body>
<main id="stepper"></main>
<noscript>This page steps through a backward pass, and needs JavaScript to do so.</noscript>
<script type="application/json" id="payload">$payload</script>
<script type="module">$script</script>
</body>
</html>
""")


def to_html(trace: Trace, path: str | Path | None = None) -> str:
    """The trace as a page that works anywhere, also from a file, under a policy of its own.

    Parameters
    ----------
    trace: what was recorded.
    path: where to write the page; only returned when None.

    Raises
    ------
    ArgumentValueError: there is no backward pass in the trace.

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.to_tensor(3.0, stop_gradient=False)
    >>> with mg.record() as trace:
    ...     (x * x).backward()
    >>> "Content-Security-Policy" in trace.to_html()
    True
    """
    if not trace.steps:
        raise ArgumentValueError(
            message(
                "There is nothing to step through: the trace has no backward pass.",
                hint="call backward() inside the block of record().",
            )
        )
    # `<` never appears in the island, so that no name or source line can end it.
    island = json.dumps(payload(trace), separators=(",", ":"), allow_nan=False)
    code = script().replace("export default { render };", "") + _PAGE_SCRIPT
    css = styles() + _PAGE_STYLES
    page = _PAGE.substitute(
        title=escape(f"{trace.title} · minigrad"),
        payload=island.replace("<", "\\u003c"),
        script=code,
        styles=css,
        script_hash=_hash(code),
        style_hash=_hash(css),
    )
    if path is not None:
        Path(path).write_text(page, encoding="utf-8")
    return page


def _hash(text: str) -> str:
    """What a Content-Security-Policy calls an inline script or style by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
