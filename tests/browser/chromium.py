"""Where chromium is, and how it is started: without a network beyond this machine."""

from __future__ import annotations

import shutil
from pathlib import Path

__all__ = ["ARGUMENTS", "find", "missing"]

ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--no-first-run",
    "--no-sandbox",  # root, as in most containers, may not have one
]

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def find() -> str | None:
    """The path of a chromium or chrome on this machine, or None."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    return found or (_MAC if Path(_MAC).exists() else None)


def missing() -> str:
    """What to tell the reader when there is no chromium; empty when there is one."""
    if find():
        return ""
    return "no chromium found; install it, on Debian with: apt-get install chromium"
