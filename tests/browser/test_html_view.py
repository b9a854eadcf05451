"""What part of a graph is in view, and where the keyboard is, in a page and in a notebook."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.examples import chain, second_order, two_roots

pytestmark = pytest.mark.browser

# The nodes that are wholly in view, the height of their names on the screen in px, and the hint.
_VIEW = """() => {
    const root = document.querySelector(".minigrad-stepper");
    const view = root.querySelector(".mg-graph").getBoundingClientRect();
    const inside = [...root.querySelectorAll("[data-node]")].filter((node) => {
        const box = node.querySelector(".mg-box").getBoundingClientRect();
        return box.left >= view.left - 1 && box.right <= view.right + 1
            && box.top >= view.top - 1 && box.bottom <= view.bottom + 1;
    });
    const name = root.querySelector("[data-node] .mg-name");
    return {
        inside: inside.map((node) => Number(node.dataset.node)),
        size: parseFloat(getComputedStyle(name).fontSize) * name.getScreenCTM().a,
        hint: root.querySelector(".mg-legend").innerText.includes("drag"),
    };
}"""


@pytest.mark.parametrize("width", [1300, 700, 360])
def test_a_wide_graph_is_readable_and_the_step_is_in_view(show, width):
    trace = second_order()
    page = show(trace, width=width)
    page.keyboard.press("Home")
    for step in trace.steps:
        seen = page.evaluate(_VIEW)
        assert seen["size"] >= 10
        assert seen["hint"]
        assert step.node in seen["inside"]
        if width > 400:  # there is room for what it sends to as well
            events = trace.events[step.first : step.last + 1]
            assert {e.target for e in events if e.kind == "arrive"} <= set(seen["inside"])
        page.keyboard.press("ArrowRight")


def test_a_small_graph_is_seen_whole(show):
    page = show(two_roots())
    seen = page.evaluate(_VIEW)
    assert not seen["hint"]
    assert len(seen["inside"]) == page.locator("[data-node]").count()
    page.locator(".minigrad-stepper").focus()
    for _ in range(5):
        page.keyboard.press("+")
    assert page.evaluate(_VIEW)["hint"]


def test_picking_a_node_that_is_in_view_moves_nothing(show):
    page = show(chain(20))
    page.keyboard.press("End")
    page.locator(".mg-graph").scroll_into_view_if_needed()
    _drag(page, 400)
    graph = page.locator(".mg-graph")
    before = graph.get_attribute("viewBox")
    picked = page.evaluate(_VIEW)["inside"][0]
    page.locator(f"[data-node='{picked}'] .mg-box").click()
    expect(page.locator(f"[data-holder='{picked}']")).to_be_visible()
    assert graph.get_attribute("viewBox") == before


def _drag(page: Page, down: int) -> None:
    box = page.locator(".mg-graph").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 10, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 10, box["y"] + 20 + down, steps=4)
    page.mouse.up()


def test_finding_the_only_match_again_keeps_it(show):
    page = show(two_roots())
    page.keyboard.press("/")
    page.keyboard.type("add2")
    for _ in range(2):
        page.keyboard.press("Enter")
        expect(page.locator("[data-holder] h2")).to_contain_text("add2")


def test_the_focus_is_seen_where_a_notebook_cuts_off_what_is_outside(show):
    page = show(two_roots())
    ring = """() => {
        const style = getComputedStyle(document.querySelector(".minigrad-stepper"), "::after");
        return [style.content !== "none", style.borderTopWidth, style.position, style.top];
    }"""
    page.keyboard.press("Home")
    assert page.evaluate(ring) == [True, "2px", "absolute", "0px"]
    page.locator(".minigrad-stepper").evaluate("element => element.blur()")
    assert page.evaluate(ring)[0] is False
