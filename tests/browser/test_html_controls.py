"""What can be done with the page of a trace, by mouse and by keys; and by names that attack."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

import minigrad as mg
from tests.browser.examples import two_roots

pytestmark = pytest.mark.browser

_VIEW = "() => document.querySelector('.mg-graph').getAttribute('viewBox').split(' ').map(Number)"


@pytest.fixture
def page(show) -> Page:
    """The page of c = a + b; d = c + c; e = d + d with the roots e, c, d: eight steps."""
    return show(two_roots())


@pytest.fixture
def root(page: Page) -> Locator:
    return page.locator(".minigrad-stepper")


def at(root: Locator, step: int) -> None:
    expect(root).to_have_attribute("data-step", str(step))


def click(page: Page, label: str) -> None:
    page.get_by_role("button", name=label, exact=True).click()


def test_buttons_step_and_end_where_the_steps_end(page, root):
    at(root, 0)
    first, previous, following, last = (
        page.get_by_role("button", name=name, exact=True)
        for name in ("First step", "Previous step", "Next step", "Last step")
    )
    expect(first).to_be_disabled()
    expect(previous).to_be_disabled()
    for button, step in [(following, 1), (following, 2), (previous, 1), (last, 7), (first, 0)]:
        button.click()
        at(root, step)
    last.click()
    expect(following).to_be_disabled()
    expect(last).to_be_disabled()
    expect(page.locator(".mg-counter")).to_have_text("step 8 of 8")


def test_the_play_button_plays_to_the_end_and_stops(page, root):
    page.clock.install()  # time now goes on only when told to
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    click(page, "Play")
    page.clock.run_for(2 * 1200)
    at(root, 2)
    page.get_by_role("combobox", name="Speed").select_option("4")
    page.clock.run_for(2 * 300)
    at(root, 4)
    click(page, "Pause")
    page.clock.run_for(5000)
    at(root, 4)
    click(page, "Play")
    page.clock.run_for(5000)
    at(root, 7)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    click(page, "Play")  # from the end, it starts again
    at(root, 0)


def test_the_slider_is_dragged_and_has_keys(page, root):
    slider = page.get_by_role("slider", name="Step")
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2

    def over(step: int) -> float:
        return box["x"] + box["width"] * (step + 0.5) / 8

    page.mouse.move(over(0), middle)
    page.mouse.down()
    for step in (1, 4, 6):
        page.mouse.move(over(step), middle)
        at(root, step)
    page.mouse.up()
    page.keyboard.press("ArrowLeft")
    at(root, 5)
    page.keyboard.press("ArrowRight")
    at(root, 6)
    expect(slider).to_be_focused()
    expect(slider).to_have_value("6")
    expect(slider).to_have_attribute("aria-valuetext", "step 7 of 8")


def test_the_memory_is_dragged_too(page, root):
    box = page.locator(".mg-time").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 2.5 / 8, middle)
    page.mouse.down()
    at(root, 2)
    page.mouse.move(box["x"] + box["width"] * 5.5 / 8, middle)
    at(root, 5)
    page.mouse.move(box["x"] + 2 * box["width"], middle)  # beyond the end
    at(root, 7)
    page.mouse.up()
    page.mouse.move(box["x"] + 3, middle)  # no longer held
    at(root, 7)


@pytest.mark.parametrize("modifier", ["Control", "Alt", "Meta"])
def test_keys_with_modifiers_belong_to_others(page, root, modifier):
    page.evaluate(
        "document.addEventListener('keydown', (e) => e.preventDefault(), true)"
    )  # so that the browser does not leave the page
    page.keyboard.press("ArrowRight")
    for key in ("ArrowRight", "End", "Home", "ArrowDown", "Enter", " "):
        page.keyboard.press(f"{modifier}+{key}")
    at(root, 1)
    expect(page.locator("details[open]")).to_have_count(0)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_keys_outside_do_nothing(page, root):
    root.evaluate("element => element.blur()")
    page.keyboard.press("End")
    at(root, 0)


def test_plus_and_minus_zoom_and_dragging_moves(page, root):
    before = page.evaluate(_VIEW)
    page.keyboard.press("+")
    nearer = page.evaluate(_VIEW)
    assert nearer[2] < before[2]
    assert nearer[3] < before[3]
    page.keyboard.press("-")
    assert page.evaluate(_VIEW) == pytest.approx(before)
    box = page.locator(".mg-graph").bounding_box()
    x, y = box["x"] + 20, box["y"] + 20  # beside the nodes
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 50)
    page.mouse.up()
    moved = page.evaluate(_VIEW)
    assert moved[0] < before[0]
    assert moved[1] < before[1]
    assert moved[2:] == pytest.approx(before[2:])
    at(root, 0)


def test_a_selected_node_stays_until_it_is_left(page, root):
    title = page.locator("[data-holder] h2")
    node = page.locator("[data-node]", has_text="add1")
    node.click()
    for _ in range(3):
        expect(title).to_contain_text("add1")
        expect(node).to_have_class(re.compile("mg-selected"))
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(title).to_contain_text("add3")  # the node of this step
    node.click()
    node.click()  # the same again lets go of it
    expect(title).to_contain_text("add3")
    page.keyboard.press("ArrowUp")  # from the node that is shown, the one before it
    expect(title).not_to_contain_text("add3")


def test_the_queue_is_a_way_to_its_nodes(page):
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.locator("[data-queue] [data-node-ref]").first.click()
    expect(page.locator("[data-holder] h2")).to_contain_text("add2")
    expect(page.locator("[data-queue]")).to_have_text("add2 · next")
    waiting = page.locator(".mg-behind button")
    assert waiting.all_inner_texts() == [
        "add1 waits for 2",
        "a.grad waits for 1",
        "b.grad waits for 1",
    ]
    waiting.first.click()
    expect(page.locator("[data-holder] h2")).to_contain_text("add1")


def test_the_sentence_is_said_at_every_step(page):
    trace = two_roots()
    sentence = page.locator("[data-sentence][aria-live=polite]")
    for step in trace.steps:
        expect(sentence).to_have_text(step.sentence)
        page.keyboard.press("ArrowRight")


def test_enter_shows_every_event_of_the_step(page):
    trace = two_roots()
    page.keyboard.press("Enter")
    lines = page.locator("details[open] ol > li")
    for step in trace.steps:
        expect(lines).to_have_count(step.last - step.first + 1)
        expect(page.locator("details ol")).to_have_attribute("start", str(step.first))
        kinds = [event.kind.replace("_", " ") for event in trace.events[step.first : step.last + 1]]
        assert page.locator("details code").all_inner_texts() == kinds
        page.keyboard.press("ArrowRight")


def test_a_search_without_a_match_says_so(page):
    page.keyboard.press("/")
    search = page.get_by_role("searchbox")
    search.fill("nowhere")
    search.press("Enter")
    expect(search).to_have_attribute("aria-invalid", "true")
    search.fill("A.GRAD")
    search.press("Enter")
    expect(search).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("[data-holder] h2")).to_contain_text("a.grad")


_ATTACKS = {
    "tag": "</script><script>window.hit = 1</script>",
    "comment": "<!--<script>",
    "quotes": "\"'` onload=alert(1) ${window.hit = 1}",
    "image": "<img src=x onerror='window.hit = 1'>",
    "entity": "&lt;b&gt;\u2028\u202e",
}


@pytest.mark.parametrize("name", _ATTACKS.values(), ids=_ATTACKS)
def test_a_name_is_text_in_every_view(show, name):
    x = mg.to_tensor([1.0, 2.0], stop_gradient=False)
    x.name = name
    y = x * x
    y.name = name
    y.register_hook(lambda gradient: gradient * 2)
    with mg.record() as trace, mg.name_scope(name):
        loss = (y * x).sum()
        loss.name = name
        loss.backward()
    page = show(trace)
    page.keyboard.press("Enter")
    for _ in trace.steps:
        page.keyboard.press("ArrowRight")
    shown = page.locator(".minigrad-stepper")
    assert page.evaluate("window.hit") is None
    assert shown.locator("img, script, style, iframe, [onload], [onerror]").count() == 0
    assert page.locator("script").count() == 2  # the data and the program
    assert f"{name}.grad" in shown.locator(".mg-graph").text_content()
    assert f"{name}.grad" in shown.locator("[data-holder] h2").text_content()


def test_the_page_allows_its_own_script_and_nothing_else(show, problems):
    page = show(two_roots())
    refused = page.evaluate(
        """async () => {
            const refused = [];
            document.addEventListener("securitypolicyviolation", (e) => {
                refused.push(e.effectiveDirective);
            });
            const script = document.createElement("script");
            script.textContent = "window.hit = 1";
            document.body.append(script);
            const style = document.createElement("style");
            style.textContent = "body { display: none }";
            document.body.append(style);
            for (let i = 0; i < 200 && refused.length < 2; i++)
                await new Promise((resolve) => setTimeout(resolve, 5));
            return refused;
        }"""
    )
    assert refused == ["script-src-elem", "style-src-elem"]
    assert page.evaluate("window.hit") is None
    expect(page.locator("body")).to_be_visible()
    assert len(problems) == 2
    assert all("Content Security Policy" in problem for problem in problems)
    problems.clear()  # these were asked for
