"""Take the pictures of the stepper again: `python docs/images/make.py` (playwright, chromium)."""
# ruff: noqa: INP001 - a script, in no package

from __future__ import annotations

import runpy
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PROGRAM = """\
import minigrad as mg

a = mg.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
b = mg.to_tensor([4.0, 5.0, 6.0], stop_gradient=False)
ones = mg.ones([3])
with mg.record() as trace:
    c = a + b
    d = c + c
    e = d + d
    mg.autograd.backward([e, c, d], [ones, ones, ones])
"""


def main() -> None:
    """Write `stepper-{light,dark}.png`, 1300 px wide, and `-700` variants of both."""
    sys.path.insert(0, str(ROOT))
    from playwright.sync_api import sync_playwright

    from tests.browser import chromium

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        program = Path(folder) / "two_roots.py"
        program.write_text(PROGRAM, encoding="utf-8")
        page = Path(folder) / "two_roots.html"
        runpy.run_path(str(program))["trace"].to_html(page)
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=chromium.ARGUMENTS
        )
        for scheme in ("light", "dark"):
            take(browser, page.as_uri(), 1300, scheme, f"stepper-{scheme}.png")
            take(browser, page.as_uri(), 700, scheme, f"stepper-{scheme}-700.png")
        browser.close()


def take(browser: Browser, address: str, width: int, scheme: str, name: str) -> None:
    """A picture of the step in which the last root fired, with the node that it sent to."""
    page = browser.new_page(
        viewport={"width": width, "height": 600},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page.goto(address)
    stepper = page.locator(".minigrad-stepper")
    stepper.focus()
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    page.locator("[data-node]", has_text="add2").click()
    stepper.evaluate("element => element.blur()")
    page.mouse.move(0, 0)
    page.screenshot(path=HERE / name, full_page=True)
    page.close()


if __name__ == "__main__":
    main()
