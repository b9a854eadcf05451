"""The tour in a real JupyterLab: run all cells, step by mouse, step by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import open_notebook, run_all

pytestmark = pytest.mark.browser

FAILED = "text=/Error displaying widget|Error creating widget|Loading widget/"
CELLS = """() => {
    const { widgets, activeCellIndex } = jupyterapp.shell.currentWidget.content;
    return [widgets.length, activeCellIndex, widgets[activeCellIndex].model.type];
}"""


def test_the_tour_is_run_and_stepped(open_page, problems, lab):
    page: Page = open_page()
    panel = open_notebook(page, lab, "00_tour.ipynb")
    assert run_all(page) == []

    stepper = panel.locator(".minigrad-stepper").last
    stepper.scroll_into_view_if_needed()
    assert panel.locator(FAILED).all_inner_texts() == []
    steps = int(stepper.get_attribute("data-steps"))
    assert steps >= 5

    def at(step: int) -> None:
        expect(stepper).to_have_attribute("data-step", str(step))

    def click(label: str) -> None:
        stepper.get_by_role("button", name=label, exact=True).click()

    click("Last step")
    at(steps - 1)
    click("First step")
    at(0)
    click("Next step")
    at(1)
    click("Next step")
    click("Previous step")
    at(1)
    expect(stepper.locator("[aria-live=polite]").first).not_to_be_empty()

    stepper.focus()
    before = page.evaluate(CELLS)
    page.keyboard.press("Home")
    at(0)
    page.keyboard.press("ArrowRight")
    at(1)
    page.keyboard.press("End")
    at(steps - 1)
    page.keyboard.press("ArrowLeft")
    at(steps - 2)
    # In JupyterLab's command mode these select, add, change and delete cells.
    for key in ("ArrowDown", "a", "b", "m", "d", "d"):
        page.keyboard.press(key)
    assert page.evaluate(CELLS) == before
    at(steps - 2)

    assert problems == []
