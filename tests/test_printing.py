"""Printing is compared, character by character, with what Paddle 3.3.1 printed."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest

from minigrad.errors import ArgumentTypeError, ArgumentValueError
from minigrad.printing import set_printoptions, tensor_repr
from tests.golden.record_printing import (
    DEFAULTS,
    GOLDEN,
    LARGE,
    SHAPES,
    make_array,
    print_with_paddle,
    random_case,
)

GROUPS = json.loads(GOLDEN.read_text())["groups"]


@pytest.fixture(autouse=True)
def _first_options():
    set_printoptions(**DEFAULTS)
    yield
    set_printoptions(**DEFAULTS)


def show(array: Any, **facts: Any) -> str:
    facts = {"place": "Place(cpu)", "stop_gradient": True} | facts
    facts.setdefault("dtype_name", str(array.dtype))
    return tensor_repr(array, shape=list(array.shape), **facts)


def show_case(case: dict[str, Any], array: Any) -> str:
    return show(
        array,
        dtype_name=case["dtype"],
        stop_gradient=case["stop_gradient"],
        parameter_name="w" if case.get("parameter") else None,
    )


def test_the_golden_file_is_rich():
    cases = [case for group in GROUPS for case in group["cases"]]
    assert len(cases) > 400
    assert len({case["dtype"] for case in cases}) == 12
    assert sum("..." in case["text"] for case in cases) > 70
    assert sum("inf" in case["text"] for case in cases) > 20


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: json.dumps(group["options"]))
def test_as_paddle_printed(group):
    set_printoptions(**group["options"])
    wrong = [
        (case, text)
        for case in group["cases"]
        if (text := show_case(case, make_array(case))) != case["text"]
    ]
    assert not wrong


def test_bfloat16_arrays():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    cases = [case for g in GROUPS[:1] for case in g["cases"] if case["dtype"] == "bfloat16"]
    assert cases
    for case in cases:
        assert show_case(case, make_array(case).astype(ml_dtypes.bfloat16)) == case["text"]


def test_any_memory_layout():
    x = np.arange(6.0).reshape(2, 3)
    assert show(np.asfortranarray(x)) == show(x)
    assert show(x[:, ::-1][:, ::-1]) == show(x)
    assert show(x.astype(">f8"), dtype_name="float64") == show(x)


def test_place_is_said():
    text = show(np.zeros(1), place="Place(gpu:0)")
    assert text.startswith("Tensor(shape=[1], dtype=float64, place=Place(gpu:0), stop_gradient=")


def test_options_stay_until_changed():
    set_printoptions(precision=2)
    set_printoptions(linewidth=20)
    text = show(np.array([0.5, 0.25, 0.125]))
    assert text.endswith("\n       [0.50, 0.25,\n        0.12])")
    set_printoptions()
    assert show(np.array([0.5, 0.25, 0.125])) == text


def test_printing_changes_nothing():
    x = np.arange(2000.0)
    x.flags.writeable = False
    show(x)
    np.testing.assert_array_equal(x, np.arange(2000.0))


@pytest.mark.parametrize(
    "option,value",
    [
        ("precision", 1.5),
        ("precision", "4"),
        ("precision", True),
        ("threshold", "all"),
        ("edgeitems", 1.0),
        ("linewidth", [80]),
        ("sci_mode", 1),
        ("sci_mode", "no"),
    ],
)
def test_an_option_of_the_wrong_type(option, value):
    before = show(np.arange(30.0) / 4)
    with pytest.raises(ArgumentTypeError, match=option):
        set_printoptions(**{"linewidth": 40, "precision": 2, option: value})
    assert show(np.arange(30.0) / 4) == before


@pytest.mark.parametrize("option", ["precision", "edgeitems"])
def test_a_negative_option(option):
    with pytest.raises(ArgumentValueError, match=f"{option} must not be negative"):
        set_printoptions(**{option: -1})


def test_numpy_scalars_are_options():
    set_printoptions(precision=np.int64(2), sci_mode=np.bool_(True))
    assert show(np.array(1.25)).endswith(" 1.25e+00)")


@pytest.mark.parity("paddle")
@pytest.mark.parametrize("seed", range(20))
def test_as_paddle_prints_random_tensors(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a compiler cache
        import paddle
    rng = np.random.default_rng(seed)
    options = {
        "precision": int(rng.integers(0, 11)),
        "threshold": int(rng.integers(0, 1500)),
        "edgeitems": int(rng.integers(0, 6)),
        "sci_mode": bool(rng.integers(2)),
        "linewidth": int(rng.integers(-5, 140)),
    }
    try:
        for chosen in (DEFAULTS, options):
            paddle.set_printoptions(**chosen)
            set_printoptions(**chosen)
            for _ in range(40):
                case = random_case(rng, SHAPES * 3 + LARGE)
                assert show_case(case, make_array(case)) == print_with_paddle(paddle, case), case
    finally:
        paddle.set_printoptions(**DEFAULTS)
