from __future__ import annotations

import pytest

from minigrad.autograd.events import Value
from minigrad.viz.labels import number, short_value
from minigrad.viz.measure import columns, shorten, text_width


def whole(data, shape, dtype="float64"):
    return Value(tuple(shape), dtype, tuple(data))


@pytest.mark.parametrize(
    "value, text",
    [
        (None, "undefined"),
        (whole([3.0], []), "3"),
        (whole([2.0, 2.0], [2]), "2"),
        (whole([1.0, 2.5], [2]), "[1, 2.5]"),
        (whole([0.123456, 1234.5], [2]), "2 numbers"),
        (whole(range(6), [2, 3]), "2×3"),
        (whole([7.0] * 6, [2, 3]), "7"),
        (whole([], [0]), "0 numbers"),
        (whole([float("nan"), 1.0], [2]), "[nan, 1]"),
        (whole([True, False], [2], "bool"), "[1, 0]"),
        (Value((64, 10), "float32"), "64×10"),
        (Value((64, 10), "float32", min=0.0, max=1.0, mean=0.5, norm=2.0), "64×10"),
        (Value((99,), "float32", min=3.0, max=3.0, mean=3.0, norm=30.0), "3"),
        (Value((99,), "float32", min=3.0, max=3.0, mean=3.0, norm=30.0, nan=1), "99 numbers"),
        (Value((99,), "float32", min=3.0, max=3.0, mean=3.0, norm=30.0, inf=1), "99 numbers"),
    ],
)
def test_values(value, text):
    assert short_value(value) == text


@pytest.mark.parametrize("value", [1e300, -1.23456e-300, 99999.4, -99999.96, 0.00123456, 1e5])
def test_numbers_stay_short(value):
    text = number(value)
    assert len(text) <= 10
    assert float(text) == pytest.approx(value, rel=1e-2)


def test_widths_grow_with_the_text():
    assert text_width("ii", 10) < text_width("WW", 10) < text_width("WW", 10, face="bold")
    assert text_width("张量", 10) > text_width("ab", 10)


def test_shortening_counts_columns():
    assert columns(shorten("张量" * 10, 9)) <= 9
    assert shorten("a\nb\x1b", 9) == "a b "
