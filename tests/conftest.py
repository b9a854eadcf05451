"""Tests whose tools are not there are left out, and one line for each kind says so.

`browser` needs chromium, `gpu` a GPU that CuPy can use, `parity("torch")` the modules it names,
torch and paddle when it names none. With MINIGRAD_REQUIRE_BROWSER=1 a missing chromium is an error.
"""

from __future__ import annotations

import importlib.util
import os
from collections import Counter

import pytest

from tests.browser import chromium

os.environ.setdefault("MPLBACKEND", "agg")  # no test opens a window

_left_out: Counter[tuple[str, str]] = Counter()  # by mark and reason


def _browser(_mark: pytest.Mark) -> str:
    return chromium.missing()


def _gpu(_mark: pytest.Mark) -> str:
    from minigrad.backend import get
    from minigrad.errors import BackendError

    try:
        get("cupy")
    except BackendError as error:
        return str(error).splitlines()[0].rstrip(".")
    return ""


def _parity(mark: pytest.Mark) -> str:
    names = mark.args or ("torch", "paddle")
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    return f"{' and '.join(missing)} not installed" if missing else ""


_NEEDS = {"browser": _browser, "gpu": _gpu, "parity": _parity}


def _left_out_for(item: pytest.Item) -> tuple[str, str] | None:
    for name, missing in _NEEDS.items():
        mark = item.get_closest_marker(name)
        if mark is not None and (why := missing(mark)):
            return name, why
    return None


def pytest_configure() -> None:
    if os.environ.get("MINIGRAD_REQUIRE_BROWSER") == "1" and (why := chromium.missing()):
        raise pytest.UsageError(f"MINIGRAD_REQUIRE_BROWSER=1, but {why}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    reasons = {item: why for item in items if (why := _left_out_for(item))}
    _left_out.update(reasons.values())
    config.hook.pytest_deselected(items=list(reasons))
    items[:] = [item for item in items if item not in reasons]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # an xdist worker: it collects, its master prints
        session.config.workeroutput["left_out"] = [[*key, n] for key, n in _left_out.items()]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    # Every worker collects every test, so each has the whole count. One that crashed has none.
    for name, why, count in getattr(node, "workeroutput", {}).get("left_out", ()):
        _left_out[name, why] = count


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for (name, why), count in sorted(_left_out.items()):
        line = f"{name} tests were left out ({count}): {why}"
        terminalreporter.write_line(line, yellow=True)
