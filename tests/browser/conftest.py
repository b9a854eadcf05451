"""Pages in a headless chromium, watched: no console error, no request beyond this machine."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

import minigrad as mg
from tests.browser import chromium
from tests.browser.lab import Lab, serve

ROOT = Path(__file__).parents[2]
OURS = ("http://127.0.0.1:", "ws://127.0.0.1:", "file:", "data:", "blob:", "about:")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Not for the session: Playwright holds the thread's event loop, which other tests may want.
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=chromium.find(), args=chromium.ARGUMENTS
        )
        yield started
        started.close()


@pytest.fixture
def problems() -> list[str]:
    """What the pages of this test complained of and asked for outside; empty at its end."""
    return []


@pytest.fixture
def open_page(browser: Browser, problems: list[str]) -> Iterator[Callable[..., Page]]:
    """`open_page(width=1300, height=900, color_scheme="light")`: a fresh, watched page."""
    contexts: list[BrowserContext] = []

    def open_page(width: int = 1300, height: int = 900, **options: str) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        _watch(page, problems)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def show(open_page: Callable[..., Page], tmp_path: Path) -> Callable[..., Page]:
    """`show(trace, **options)`: its page, opened from a file."""

    def show(trace: mg.Trace, **options) -> Page:
        file = tmp_path / "trace.html"
        trace.to_html(file)
        page = open_page(**options)
        page.goto(file.as_uri())
        page.locator(".minigrad-stepper").focus()
        return page

    return show


def _watch(page: Page, problems: list[str]) -> None:
    def asked(url: str) -> None:
        if not url.startswith(OURS):
            problems.append(f"outside request: {url}")

    page.on("request", lambda request: asked(request.url))
    page.on("websocket", lambda socket: asked(socket.url))
    page.on("pageerror", lambda error: problems.append(f"uncaught: {error}"))
    page.on(
        "console",
        lambda message: problems.append(message.text) if message.type == "error" else None,
    )


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A JupyterLab that serves a copy of notebooks/: it saves what it opens."""
    home = tmp_path_factory.mktemp("lab")
    served = Path(shutil.copytree(ROOT / "notebooks", home / "notebooks"))
    with serve(served, home) as started:
        yield started
