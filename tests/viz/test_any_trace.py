from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given, settings

from minigrad.errors import TraceError
from minigrad.tracing.encode import decode
from minigrad.tracing.memory import peak_bytes
from minigrad.tracing.schema import validate
from minigrad.tracing.state import at
from minigrad.tracing.trace import Trace
from minigrad.viz.dot import to_dot
from minigrad.viz.svg import to_svg
from minigrad.viz.text import table
from tests.tracing.test_schema import mutated


@settings(max_examples=60, deadline=None)
@given(mutated())
def test_whatever_loads_can_be_drawn(data):
    try:
        validate(data)
    except TraceError:
        return
    trace = decode(data, Trace())
    for index in range(len(trace.events)):
        at(trace, index)
    assert peak_bytes(trace) >= 0
    assert table(trace)
    assert to_dot(trace)
    for step in range(len(trace.steps)):
        ET.fromstring(to_svg(trace, step))  # noqa: S314
