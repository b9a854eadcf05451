"""The page of a trace: what it shows is what `trace.at` says, and it is for keyboards too."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import minigrad as mg
from minigrad.autograd.events import Value
from tests.browser.examples import EXAMPLES, chain, two_roots

pytestmark = pytest.mark.browser

_SEEN = """() => {
    const root = document.querySelector(".minigrad-stepper");
    const of = (name, map) => [...root.querySelectorAll(name)].map(map);
    return {
        step: Number(root.dataset.step),
        grads: Object.fromEntries(
            of("[data-node]:has(.mg-value)", (n) =>
                [n.dataset.node, n.querySelector(".mg-value").textContent])),
        states: Object.fromEntries(
            of("[data-node]", (n) => [n.dataset.node, n.dataset.state])),
        freed: of("[data-node][data-freed]", (n) => Number(n.dataset.node)),
        waiting: Object.fromEntries(
            of("[data-node]:has([data-waiting])", (n) =>
                [n.dataset.node, Number(n.querySelector("[data-waiting]").dataset.waiting)])),
        memory: root.querySelector("[data-memory]").textContent,
        queue: of("[data-queue] [data-node-ref]", (n) => Number(n.dataset.nodeRef)),
    };
}"""


def _bytes(count: int) -> str:
    return f"{count} B" if count < 1024 else f"{count / 1024:.1f} KiB"


def _brief(value: Value) -> str:
    """How a small float32 array is written in a node."""
    numbers = [f"{one:.4g}" for one in value.data]
    return numbers[0] if len(set(numbers)) == 1 else f"[{', '.join(numbers)}]"


def expected(trace: mg.Trace, step: int, nodes: list[int]) -> dict:
    state = trace.at(trace.steps[step].last)
    states = {str(node): state.node_state(node) for node in nodes}
    return {
        "step": step,
        "states": states,
        "freed": sorted(node for node in nodes if node in state.freed),
        "waiting": {
            node: state.in_degree[int(node)]
            for node, of in states.items()
            if of == "waiting" and state.in_degree.get(int(node))
        },
        "grads": {str(node): _brief(value) for node, value in state.grads.items()},
        "memory": _bytes(state.memory),
        "queue": list(state.ready_queue),
    }


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_step_shows_what_the_trace_says(show, name):
    trace = EXAMPLES[name]()
    page = show(trace)
    page.keyboard.press("Home")
    nodes = sorted(int(node) for node in page.evaluate(_SEEN)["states"])
    there = range(len(trace.steps))
    for step in (*there, *reversed(there)):  # and back: nothing may be left over
        page.keyboard.press("Home")
        page.evaluate(
            "step => { const range = document.querySelector('.minigrad-stepper input[type=range]');"
            " range.value = step; range.dispatchEvent(new Event('input')); }",
            step,
        )
        seen = page.evaluate(_SEEN)
        seen["freed"].sort()
        assert seen == expected(trace, step, nodes)
    expect(page.locator(".mg-timeline")).to_contain_text(f"peak {_bytes(trace.peak_bytes)}")


def test_a_holder_names_who_sent_what(show):
    trace = two_roots()
    page = show(trace)
    page.keyboard.press("Home")
    d = next(node.id for node in trace.nodes if node.variable == "d")
    page.locator(f"[data-node='{d}']").click()
    holder = page.locator(f"[data-holder='{d}'] [data-slot='0']")
    expect(holder.locator("[data-contribution]")).to_have_count(0)
    for _ in range(3):  # the seeds of c and d, then e fires
        page.keyboard.press("ArrowRight")
    parts = [part.inner_text() for part in holder.locator("[data-contribution]").all()]
    assert [part.split("\n")[0] for part in parts] == ["your seed", "add3, edge 0", "add3, edge 1"]
    expect(holder).to_contain_text("gradient of d")


def test_keys_step_and_stay_inside(show):
    page = show(two_roots())
    page.evaluate(
        "window.leaked = []; for (const type of ['keydown', 'keyup', 'keypress'])"
        " document.addEventListener(type, (e) => window.leaked.push(type + ' ' + e.key))"
    )
    root = page.locator(".minigrad-stepper")
    last = int(root.get_attribute("data-steps")) - 1

    def press(key: str, step: int) -> None:
        page.keyboard.press(key)
        expect(root).to_have_attribute("data-step", str(step))

    press("Home", 0)
    press("ArrowLeft", 0)
    press("ArrowRight", 1)
    press("End", last)
    press("ArrowRight", last)
    press("ArrowLeft", last - 1)
    for key in ("ArrowDown", "ArrowUp", "a", "d", "x", "+", "-"):
        press(key, last - 1)
    press("Home", 0)
    details = page.locator(".minigrad-stepper details")
    page.keyboard.press("Enter")
    expect(details).to_have_attribute("open", "")
    page.keyboard.press("Enter")
    expect(details).not_to_have_attribute("open", "")
    assert page.evaluate("window.leaked") == []


def test_space_plays_and_pauses(show):
    page = show(two_roots())
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(page.locator(".minigrad-stepper")).to_have_attribute("data-step", "1")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_search_is_reached_and_left_by_keys(show):
    page = show(two_roots())
    page.keyboard.press("Home")
    page.keyboard.press("/")
    page.keyboard.type("add2")
    page.keyboard.press("Enter")
    expect(page.locator("[data-holder] h2")).to_contain_text("add2")
    page.keyboard.press("Home")  # of the text, not of the steps
    page.keyboard.press("Escape")
    expect(page.locator(".minigrad-stepper")).to_be_focused()


def test_names_are_text_whatever_they_contain(show):
    hostile = "</script><img src=x onerror=window.hit=1><b>"
    x = mg.to_tensor([1.0, 2.0], stop_gradient=False)
    x.name = hostile
    with mg.record() as trace, mg.name_scope(hostile):
        (x * x).sum().backward()
    page = show(trace)
    page.keyboard.press("End")
    assert page.evaluate("window.hit") is None
    assert page.locator(".minigrad-stepper img, .minigrad-stepper b b").count() == 0
    assert hostile in page.locator(".mg-graph").text_content()


def test_a_step_in_two_thousand_nodes_touches_few_elements(show):
    page = show(chain(1000))
    page.locator(".minigrad-stepper").wait_for()
    touched = page.evaluate(
        """() => {
            const root = document.querySelector(".minigrad-stepper"), counts = [];
            const watch = new MutationObserver(() => {});
            const what = {subtree: true, childList: true, attributes: true, characterData: true};
            watch.observe(document.querySelector(".mg-graph"), what);
            for (let i = 0; i < 21; i++) {
                const key = {key: "ArrowRight", bubbles: true};
                root.dispatchEvent(new KeyboardEvent("keydown", key));
                counts.push(watch.takeRecords().length);
            }
            return counts.sort((a, b) => a - b)[10];
        }"""
    )
    assert 0 < touched < 60


# Text against what is behind it, by WCAG; and text that is cut or lies on other text.
_FAULTS = """() => {
    const root = document.querySelector(".minigrad-stepper"), faults = [];
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const rgb = (colour, under = [255, 255, 255]) => {
        canvas.fillStyle = `rgb(${under})`; canvas.fillRect(0, 0, 1, 1);
        canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = (c) => c.map((v) => v / 255)
        .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (e) => {
        if (!e) return [255, 255, 255];
        const box = e.matches("[data-node]") ? e.querySelector(".mg-box")
            : e.matches(".mg-badge") ? e.querySelector("circle") : null;
        const style = getComputedStyle(box || e);
        return rgb(box ? style.fill : style.backgroundColor, behind(e.parentElement));
    };
    const texts = [...root.querySelectorAll("*")].filter((e) => e.checkVisibility()
        && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())
        && !e.closest("math, option, button:disabled"));
    for (const e of texts) {
        const back = behind(e), style = getComputedStyle(e);
        const front = rgb(e.namespaceURI.endsWith("svg") ? style.fill : style.color, back);
        const [a, b] = [light(front), light(back)].sort((p, q) => q - p);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${e.textContent}`);
        if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth && style.overflow === "hidden")
            faults.push(`cut: ${e.textContent}`);
    }
    const drawn = texts.filter((e) => e.closest(".mg-graph"))
        .map((e) => [e.textContent, e.getBoundingClientRect()]);
    drawn.forEach(([one, p], i) => drawn.slice(i + 1).forEach(([other, q]) => {
        const beside = p.left > q.right - 1 || q.left > p.right - 1;
        const apart = p.top > q.bottom - 3 || q.top > p.bottom - 3;
        if (!beside && !apart) faults.push(`${one} over ${other}`);
    }));
    if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the window");
    return faults;
}"""


@pytest.mark.parametrize("width", [1300, 800, 700, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read(show, width, scheme):
    page = show(EXAMPLES["inner_pass"](), width=width, color_scheme=scheme, reduced_motion="reduce")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    steps = int(page.locator(".minigrad-stepper").get_attribute("data-steps"))
    for _ in range(steps):
        assert page.evaluate(_FAULTS) == []
        page.keyboard.press("ArrowRight")


def test_edges_that_only_pass_by_are_drawn_once(show):
    page = show(chain(200))  # of 401 nodes, 200 send to the one leaf at the end
    page.locator("input[type=range]").fill("200")
    assert 1 < page.locator(".mg-edge").count() < 60
