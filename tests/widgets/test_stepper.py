"""The stepper in Python: its traits, what it sends to the browser, and how notebooks find it."""

from __future__ import annotations

import json
import math
import re

import ipywidgets
import pytest
import traitlets

import minigrad as mg
from minigrad.viz.assets import script, styles
from minigrad.viz.payload import payload
from minigrad.widgets.stepper import Stepper


@pytest.fixture
def trace() -> mg.Trace:
    x = mg.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    with mg.record() as trace:
        y = x * x
        y.sum().backward()
    return trace


def test_starts_at_the_first_step_and_follows_the_steps(trace):
    stepper = trace.stepper()
    assert isinstance(stepper, Stepper)
    assert (stepper.step, stepper.selected, stepper.playing, stepper.speed) == (0, None, False, 1.0)


def test_starts_where_it_is_told(trace):
    stepper = Stepper(trace, step=2, selected=1, playing=True, speed=2.5)
    assert (stepper.step, stepper.selected, stepper.playing, stepper.speed) == (2, 1, True, 2.5)


@pytest.mark.parametrize("asked, given", [(0, 0), (2, 2), (3, 3), (4, 3), (10**6, 3)], ids=str)
def test_a_step_beyond_the_last_is_the_last(trace, asked, given):
    assert len(trace.steps) == 4
    stepper = trace.stepper()
    stepper.step = asked
    assert stepper.step == Stepper(trace, step=asked).step == given


@pytest.mark.parametrize(
    "name, value",
    [
        ("step", -1),
        ("step", 0.5),
        ("selected", "y"),
        ("playing", "no"),
        ("speed", 0.0),
        ("speed", 99),
    ],
)
def test_refuses_what_is_no_such_thing(trace, name, value):
    stepper = trace.stepper()
    before = getattr(stepper, name)
    with pytest.raises(traitlets.TraitError):
        setattr(stepper, name, value)
    assert getattr(stepper, name) == before


def test_is_linked_to_a_slider_both_ways(trace):
    stepper = trace.stepper()
    slider = ipywidgets.IntSlider(min=0, max=100)
    link = traitlets.link((stepper, "step"), (slider, "value"))
    slider.value = 2
    assert stepper.step == 2
    stepper.step = 1
    assert slider.value == 1
    slider.value = 50  # beyond the last step
    assert stepper.step == 3
    link.unlink()
    slider.value = 0
    assert stepper.step == 3


def test_sends_the_four_traits_and_the_payload(trace):
    sent = trace.stepper().get_state()
    ours = {name for name in sent if not name.startswith("_")}
    assert ours >= {"payload", "step", "selected", "playing", "speed"}


def test_its_repr_tells_where_it_is_and_nothing_that_changes_from_run_to_run(trace):
    stepper = trace.stepper()
    assert repr(stepper) == f"Stepper({trace.title!r}, step 1 of 4)"
    stepper.step = 3
    assert repr(stepper) == repr(Stepper(trace, step=3)) == f"Stepper({trace.title!r}, step 4 of 4)"


def test_the_payload_is_json_even_of_what_is_not_finite():
    x = mg.to_tensor([math.inf, math.nan, -math.inf, 1.0], stop_gradient=False)
    with mg.record() as trace:
        (x * x).sum().backward()
    made = payload(trace)
    text = json.dumps(made, allow_nan=False)  # browsers refuse NaN and Infinity
    assert set(re.findall(r'"(-?inf|nan)"', text)) == {"nan", "inf", "-inf"}
    assert json.loads(text) == made
    assert made["trace"] == trace.to_dict()


def test_the_payload_has_every_formula_as_mathml(trace):
    made = payload(trace)
    formulas = {text for op in trace.ops.values() for text in (op.formula, *op.rules.values())}
    assert set(made["mathml"]) == formulas - {""}
    assert all(text.startswith("<math ") for text in made["mathml"].values())


def test_the_script_is_one_module_that_needs_no_other():
    code = script()
    assert re.findall(r"^ *export\b.*", code, re.MULTILINE) == ["export default { render };"]
    assert not re.search(r"^ *import\b|\bimport\s*\(|\brequire\s*\(", code, re.MULTILINE)
    assert code.count("function render(") == 1
    assert not re.search(
        r"\b(innerHTML|outerHTML) *=|\beval\(|\bFunction\(|insertAdjacentHTML", code
    )


@pytest.mark.parametrize("text", [script(), styles()], ids=["script", "styles"])
def test_nothing_is_fetched_from_elsewhere(text):
    names = {"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"}
    assert set(re.findall(r"https?://[^\s\"']*", text)) <= names
    assert "@import" not in text
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)", text))


def test_every_rule_of_the_styles_stays_inside_the_stepper():
    rules = re.sub(r"/\*.*?\*/", "", styles(), flags=re.DOTALL)
    selectors = re.findall(r"([^{};]+)\{", rules)
    outside = [
        one.strip()
        for selector in selectors
        if not selector.strip().startswith("@")
        for one in re.split(r",(?![^()]*\))", selector)
        if ".minigrad-stepper" not in one
    ]
    assert outside == []


def test_a_notebook_gets_the_widget_and_what_others_can_show(trace):
    data, metadata = trace._repr_mimebundle_()
    assert {"application/vnd.jupyter.widget-view+json", "text/plain", "image/svg+xml"} <= set(data)
    assert data["text/plain"] == str(trace)
    assert data["image/svg+xml"] == trace.to_svg()
    assert metadata == {}


def test_a_trace_without_a_backward_pass_is_only_told():
    with mg.record() as trace:
        mg.ones([2]) + 1.0
    assert trace._repr_mimebundle_() == {"text/plain": str(trace)}
