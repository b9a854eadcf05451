"""Pages of traces of every kind: several passes, passes inside nodes, slots, wide and long ones."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import minigrad as mg
from tests.browser.examples import (
    EXAMPLES,
    chain,
    inner_pass,
    inside_a_hook,
    slots,
    twice,
    two_roots,
)

pytestmark = pytest.mark.browser


def go(page: Page, step: int) -> None:
    page.locator(".minigrad-stepper").focus()
    page.keyboard.press("Home")
    for _ in range(step):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".minigrad-stepper")).to_have_attribute("data-step", str(step))


@pytest.mark.parametrize("make", [inner_pass, inside_a_hook])
def test_a_pass_inside_a_node_says_where_it_is(show, make):
    trace = make()
    page = show(trace)
    crumbs = page.locator(".mg-crumbs")
    inside = []
    for number, step in enumerate(trace.steps):
        go(page, number)
        if trace.passes[step.pass_id].parent is None:
            expect(crumbs).to_be_hidden()
        else:
            node = trace.nodes[trace.passes[step.pass_id].parent_node]
            expect(crumbs).to_have_text(f"backward › a pass inside {node.name}")
            inside.append(number)
    assert inside == list(range(inside[0], inside[-1] + 1))
    assert inside[0] > 0
    assert inside[-1] < len(trace.steps) - 1


def test_each_slot_of_a_holder_is_shown(show):
    trace = slots()
    page = show(trace)
    (split,) = (node for node in trace.nodes if node.op == "split")
    page.locator(f"[data-node='{split.id}']").click()
    holder = page.locator(f"[data-holder='{split.id}']")
    assert holder.locator("h3").all_text_contents()[:3] == [f"Holder, slot {n}" for n in range(3)]

    def contributions() -> list[list[str]]:
        return [
            [card.inner_text() for card in holder.locator(f"[data-slot='{n}'] .mg-card").all()]
            for n in range(3)
        ]

    go(page, 0)
    assert contributions() == [[], [], []]
    (fires,) = (n for n, step in enumerate(trace.steps) if step.node == split.id)
    go(page, fires - 1)
    node = page.locator(f"[data-node='{split.id}']")
    expect(node.locator(".mg-held")).to_have_text("holds 2 slots")
    assert contributions() == [
        ["add1, edge 1\n1", "multiply1, edge 0\n3", "gradient of a\n4"],
        [],
        ["multiply1, edge 1\n1"],
    ]
    expect(holder.locator("[data-slot='1']")).to_have_text("empty")


def test_a_leaf_shows_what_each_pass_adds(show):
    trace = twice()
    page = show(trace)
    (leaf,) = (node.id for node in trace.nodes if node.kind == "accumulation")
    first, second = (n for n, step in enumerate(trace.steps) if step.kind == "leaf")
    row = page.locator(f"[data-holder='{leaf}'] .mg-sum").last

    def texts() -> list[str]:
        return [re.sub(r"\s+", " ", text) for text in row.locator(".mg-card").all_inner_texts()]

    go(page, first - 1)
    page.locator(f"[data-node='{leaf}']").click()
    assert texts() == ["as it was 0.5 0.5 0.5"]
    go(page, first)
    assert texts() == ["before 0.5 0.5 0.5", "this backward 2 -4 6", "x.grad 2.5 -3.5 6.5"]
    go(page, second - 1)
    assert texts()[-1] == "x.grad 2.5 -3.5 6.5"  # what the first pass left
    go(page, second)
    assert texts() == ["before 2.5 -3.5 6.5", "this backward 2 -4 6", "x.grad 4.5 -7.5 12.5"]
    page.keyboard.press("Home")
    assert texts() == ["as it was 0.5 0.5 0.5"]


def test_a_leaf_without_a_gradient_is_empty_first(show):
    trace = slots()
    page = show(trace)
    (leaf,) = (node.id for node in trace.nodes if node.kind == "accumulation")
    page.locator(f"[data-node='{leaf}']").click()
    row = page.locator(f"[data-holder='{leaf}'] .mg-sum").last
    expect(row).to_have_text("empty so far")
    page.keyboard.press("End")
    expect(row).to_contain_text("empty→")
    expect(row.locator(".mg-card")).to_have_count(1)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_trace_read_back_has_the_same_page(name):
    trace = EXAMPLES[name]()
    assert mg.Trace.from_json(trace.to_json()).to_html() == trace.to_html()


def test_a_long_chain_is_followed_and_kept_in_view(show):
    trace = chain(20)
    page = show(trace)
    frame = page.locator(".mg-graph").bounding_box()
    for number, step in enumerate(trace.steps):
        go(page, number) if number == 0 else page.keyboard.press("ArrowRight")
        box = page.locator(f"[data-node='{step.node}'] .mg-box").bounding_box()
        assert frame["y"] <= box["y"]
        assert box["y"] + box["height"] <= frame["y"] + frame["height"]


def test_two_thousand_nodes_are_never_drawn_whole(show):
    trace = chain(1000)
    page = show(trace)
    drawn = page.locator("[data-node]")
    assert 0 < drawn.count() < 100
    for key in ("End", "ArrowLeft"):
        page.keyboard.press(key)
        step = trace.steps[int(page.locator(".minigrad-stepper").get_attribute("data-step"))]
        expect(page.locator(f"[data-node='{step.node}']")).to_have_attribute("data-state", "done")
        assert drawn.count() < 100
    expect(page.locator(".mg-mark")).to_have_count(0)  # too many to be told apart


def _wide(count: int, name: str) -> mg.Trace:
    leaves = [mg.to_tensor([float(n)], stop_gradient=False) for n in range(count)]
    for number, leaf in enumerate(leaves):
        leaf.name = f"decoder.layers.{number}.{name}"
    with mg.record() as trace:
        mg.concat(leaves).sum().backward()
    return trace


def test_long_names_are_cut_and_told_whole_on_asking(show):
    trace = _wide(12, "self_attention.output.weight")
    page = show(trace)
    go(page, 2)
    overlaps = page.evaluate(
        """() => [...document.querySelectorAll("[data-node]")].filter((node) => {
            const box = (name) => node.querySelector(name).getBoundingClientRect();
            return box(".mg-name").right > box(".mg-state").left
                || box(".mg-state").right > box(".mg-box").right;
        }).length"""
    )
    assert overlaps == 0
    whole = "decoder.layers.11.self_attention.output.weight.grad"
    chip = page.locator("[data-queue] [data-node-ref]").first
    assert "…" in chip.inner_text()
    expect(chip).to_have_attribute("title", whole)
    assert page.locator("[data-node] title").all_text_contents().count(whole) == 1
    chip.click()
    expect(page.locator("[data-holder] h2")).to_contain_text(whole)


def test_a_full_panel_scrolls_and_moves_nothing_below_it(show):
    trace = _wide(12, "weight")
    page = show(trace)
    go(page, 0)
    panel = page.locator(".mg-details")
    heights, needed = set(), set()
    for _ in trace.steps:
        heights.add(panel.bounding_box()["height"])
        needed.add(panel.evaluate("panel => panel.scrollHeight"))
        page.keyboard.press("ArrowRight")
    assert len(heights) == 1
    assert max(needed) > max(heights)  # or nothing would have been tried


def test_a_large_array_of_one_number_is_that_number(show):
    ones = [mg.to_tensor(np.ones(100, "float32"), stop_gradient=False) for _ in range(2)]
    with mg.record() as trace:
        c = ones[0] + ones[1]
        d = c * 3.0
        mg.autograd.backward([d], [mg.ones([100])])
    page = show(trace)
    scale, add = (page.locator("[data-node]", has_text=name) for name in ("scale1", "add1"))
    expect(scale.locator(".mg-held")).to_have_text("holds 1")
    page.keyboard.press("ArrowRight")
    expect(add.locator(".mg-held")).to_have_text("holds 3")
    page.keyboard.press("ArrowRight")
    card = page.locator("[data-contribution]")
    assert card.inner_text().split("\n") == ["scale1, edge 0", *"33333", "…"]


def test_forced_colours_keep_states_apart_in_words_and_shapes(show):
    page = show(two_roots(), forced_colors="active")
    go(page, 3)
    styles = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("[data-node]")].map((node) => {
            const box = getComputedStyle(node.querySelector(".mg-box"));
            const text = node.querySelector(".mg-state").textContent;
            const dashed = box.strokeDasharray !== "none";
            return [node.dataset.state, [text, dashed, box.fill, box.stroke]];
        }))"""
    )
    words = {state: tuple(style[:2]) for state, style in styles.items()}
    assert words == {"done": ("✓ done", False), "ready": ("ready", False), "waiting": ("", True)}
    for _, _, fill, stroke in styles.values():
        assert fill != stroke


def test_the_focus_ring_is_for_the_keyboard(show):
    page = show(two_roots())
    root = page.locator(".minigrad-stepper")
    ring = """e => getComputedStyle(e).outlineStyle === "solid"
        || getComputedStyle(e, "::after").borderTopStyle === "solid" """
    root.evaluate("e => e.blur()")
    page.locator(".mg-sentence").click()
    page.locator("[data-node]").first.click()
    assert not root.evaluate(ring)
    page.mouse.click(1, 1)
    page.keyboard.press("Tab")
    expect(root).to_be_focused()
    assert root.evaluate(ring)
    page.keyboard.press("Tab")
    button = page.locator("button:focus")
    assert button.evaluate(ring)
