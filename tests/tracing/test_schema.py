from __future__ import annotations

import copy
import json

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.autograd.events import KINDS
from minigrad.errors import TraceError
from minigrad.tracing.encode import decode
from minigrad.tracing.schema import SCHEMA, validate
from minigrad.tracing.trace import Trace
from tests.tracing.example import chain, network, three_roots
from tests.work import calls

SCHEMA_SAYS = jsonschema.Draft202012Validator(SCHEMA)


def recorded() -> dict:
    x = mg.to_tensor([1.0, 2.0, 3.0], dtype="float64", stop_gradient=False)
    x.register_hook(lambda g: g * 2)
    with mg.record() as trace:
        y = x * x + 1.0
        y.sum().backward(retain_graph=True)
        mg.grad(y.mean(), [x], allow_unused=True)
    return trace.to_dict()


@pytest.mark.parametrize("made", [three_roots, network, recorded])
def test_real_traces_fit(made):
    validate(made())
    SCHEMA_SAYS.validate(made())


def test_the_schema_is_a_schema_and_knows_every_kind_of_event():
    SCHEMA_SAYS.check_schema(SCHEMA)
    kinds = SCHEMA["$defs"]["event"]["oneOf"]
    assert [kind["properties"]["kind"]["const"] for kind in kinds] == list(KINDS)


def _set(path, value):
    def change(data):
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value

    return change


def _drop(*path):
    def change(data):
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]

    return change


WRONG = [
    (_set(["version"], 999), "where: version", "must be 1, not 999"),
    (_drop("version"), "where: version", "is missing"),
    (_set(["version"], True), "where: version", "must be 1, not true"),
    (_drop("events"), "where: events", "is missing"),
    (_set(["events"], {}), "where: events", "must be a list, not an object"),
    (_set(["nodes", 2, "id"], 3), "where: nodes[2].id", "must be 2"),
    (_set(["nodes", 2, "kind"], "ob"), "where: nodes[2].kind", "one of op, pylayer, accumulation"),
    (_set(["nodes", 2, "more"], 1), "where: nodes[2]", "no field 'more'"),
    (_set(["nodes", 2, "edges", 1, 0], 5), "where: nodes[2].edges[1][0]", "5 is no node"),
    (_set(["nodes", 2, "edges", 1, 1], 7), "where: nodes[2].edges[1]", "no slot 7"),
    (_set(["nodes", 2, "edges", 1], [4, 0]), "where: nodes[", "cycle"),
    (_set(["nodes", 2, "slots", 0, "dtype"], 1), "where: nodes[2].slots[0].dtype", "a dtype"),
    (_set(["nodes", 2, "source"], [0, 1]), "where: nodes[2].source[0]", "there is no source"),
    (_set(["values", 0, "data"], [1.0]), "where: values[0].data", "must have 2 items"),
    (_set(["values", 0, "data", 1], "NaN"), "where: values[0].data[1]", "must be a finite number"),
    (_set(["values", 0, "data", 1], float("inf")), "values[0].data[1]", "must be a finite number"),
    (_set(["values", 0, "shape"], [2**62, 4]), "where: values[0].shape", "less than 2**63"),
    (_set(["events", 1, "node"], 10000), "where: events[1].node", "they are 0 to 4"),
    (_set(["events", 1, "node"], "4"), "where: events[1].node", "'4' is no node"),
    (_set(["events", 1, "slot"], 1), "where: events[1].slot", "no slot 1"),
    (_set(["events", 1, "value"], 10000), "where: events[1].value", "is no value"),
    (_set(["events", 1, "given"], 1), "where: events[1].given", "must be true or false, not 1"),
    (_set(["events", 1, "pass"], 1), "where: events[1].pass", "they are 0 to 0"),
    (_set(["events", 1, "kind"], "sprout"), "where: events[1].kind", "no kind of event"),
    (_set(["events", 25, "how"], "eaten"), "where: events[25].how", "one of moved, added"),
    (_set(["events", 6, "how"], "eaten"), "where: events[6].how", "one of moved, added"),
    (_drop("events", 1, "node"), "where: events[1].node", "is missing"),
    (_set(["steps", 1, "last"], 10000), "where: steps[1].last", "is no event"),
    (_set(["steps", 1, "first"], 0), "where: steps[1].first", "after the step before"),
    (_set(["steps", 2, "last"], 0), "where: steps[2].last", "must not be before first"),
    (_set(["passes", 0, "last"], 10000), "where: passes[0].last", "is no event"),
    (_set(["passes", 0, "parent"], 0), "where: passes[0].parent", "an earlier pass"),
    (_set(["ops", "add"], "z"), "where: ops['add']", "must be an object, not 'z'"),
]


@pytest.mark.parametrize("change, where, why", WRONG)
def test_says_where_and_why(change, where, why):
    data = three_roots()
    change(data)
    with pytest.raises(TraceError) as caught:
        validate(data)
    assert where in str(caught.value)
    assert why in str(caught.value)


@pytest.mark.parametrize("data", [None, [], "x", 1, {}, {"version": 1}])
def test_refuses_what_is_no_trace_at_all(data):
    with pytest.raises(TraceError):
        validate(data)


def test_an_edge_that_an_arrival_names_must_be_there():
    data = three_roots()
    arrival = next(i for i, event in enumerate(data["events"]) if event["kind"] == "arrive")
    data["events"][arrival]["edge"] = 2
    with pytest.raises(TraceError, match=rf"where: events\[{arrival}\].edge"):
        validate(data)


def test_a_trace_twice_as_long_costs_twice_as_much():
    short, long = chain(200), chain(400)
    assert calls(lambda: validate(long)) < 2.2 * calls(lambda: validate(short))


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 30),
    st.sampled_from([10**400, 2**63, 1e308, float("nan"), float("inf"), -0.5]),
    st.text(max_size=3),
    st.sampled_from(["nan", "-inf", "moved", "grad", "leaf", "op", "pass_begin", "int64", "bool"]),
    st.lists(st.integers(0, 6), max_size=3),
    st.just({}),
)


def _mutate(draw, data):
    """Walk down from the top, and at some place put in, take out, or replace."""
    place = data
    while True:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        if not keys:
            return
        key = draw(st.sampled_from(list(keys)))
        inner = place[key]
        if isinstance(inner, (dict, list)) and inner and draw(st.integers(0, 5)):
            place = inner
            continue
        break
    action = draw(st.sampled_from(["replace", "replace", "drop", "add"]))
    if action == "replace":
        place[key] = draw(ODD)
    elif action == "drop":
        del place[key]
    elif isinstance(place, list):
        place.insert(key, draw(st.one_of(ODD, st.just(copy.deepcopy(inner)))))
    else:
        names = ["parent", "parent_node", "source", "scope", "front", "before", "saved", "more"]
        place[draw(st.sampled_from(names))] = draw(ODD)


def _confuse(draw, data):
    """Events that may well fit, one by one, but make no sense together."""
    events = data.get("events")
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        return
    place = draw(st.integers(0, len(events) - 1))
    event, other = events[place], draw(st.integers(0, len(events) - 1))
    action = draw(st.sampled_from(["number", "number", "forget", "swap", "again"]))
    if action == "number":
        numbers = [name for name, value in event.items() if type(value) is int and name != "pass"]
        if numbers:
            event[draw(st.sampled_from(numbers))] = draw(st.integers(0, 4))
    elif action == "forget":
        for name in ("before", "after", "values", "waiting", "contribution", "value", "front"):
            event.pop(name, None)
    elif action == "swap":
        events[place], events[other] = events[other], event
    else:
        events[place] = copy.deepcopy(events[other])


@st.composite
def mutated(draw):
    data = copy.deepcopy(draw(st.sampled_from(_ORIGINALS)))
    for _ in range(draw(st.integers(1, 3))):
        draw(st.sampled_from([_mutate, _confuse, _confuse, _confuse]))(draw, data)
    return data


_ORIGINALS = [three_roots(), network(1), recorded()]


@settings(max_examples=60, deadline=None)
@given(mutated())
@example({**three_roots(), "steps": []})
def test_what_is_accepted_fits_the_schema_and_can_be_read(data):
    try:
        validate(data)
    except TraceError:
        return
    SCHEMA_SAYS.validate(data)
    trace = decode(data, Trace())
    json.dumps(trace.to_dict(), allow_nan=False)
