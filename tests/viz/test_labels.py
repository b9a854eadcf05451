from __future__ import annotations

import pytest

from minigrad.autograd.events import Value
from minigrad.viz.labels import number, short_value, value_text
from minigrad.viz.measure import columns, shorten, text_width


def whole(data, shape, dtype="float64"):
    return Value(tuple(shape), dtype, tuple(data))


@pytest.mark.parametrize(
    "value, short, full",
    [
        (None, "undefined", "undefined"),
        (whole([3.0], []), "3", "3"),
        (whole([2.0, 2.0], [2]), "2", "[2, 2]"),
        (whole([1.0, 2.5], [2]), "[1, 2.5]", "[1, 2.5]"),
        (whole([0.123456, 1234.5], [2]), "2 numbers", "[0.1235, 1234]"),
        (whole(range(6), [2, 3]), "2×3", "[2, 3] mean 2.5 norm 7.416"),
        (whole([7.0] * 6, [2, 3]), "7", "[2, 3] of 7"),
        (whole([], [0]), "0 numbers", "empty [0]"),
        (whole([float("nan"), 1.0], [2]), "[nan, 1]", "[nan, 1]"),
        (whole([True, False], [2], "bool"), "[1, 0]", "[1, 0]"),
        (Value((64, 10), "float32"), "64×10", "[64, 10]"),
        (Value((99,), "float32", min=3.0, max=3.0, mean=3.0, norm=30.0), "3", "[99] of 3"),
        (
            Value((99,), "float32", min=3.0, max=3.0, mean=3.0, norm=30.0, nan=1),
            "99 numbers",
            "[99] mean 3 norm 30",
        ),
        (Value((64, 10), "float32", mean=0.5, norm=2.0), "64×10", "[64, 10] mean 0.5 norm 2"),
    ],
)
def test_values(value, short, full):
    assert short_value(value) == short
    assert value_text(value) == full


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
