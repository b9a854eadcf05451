"""Bad arguments of ops: minigrad's own error that is the builtin too, and says what, where, why."""

from __future__ import annotations

import re

import pytest

import minigrad as mg
from minigrad import errors
from minigrad.ops import OPS
from tests.backend import strict_backend  # noqa: F401 (registers it)


def x(*shape, dtype="float32"):
    return mg.ones(shape, dtype)


SHAPE, VALUE, TYPE, DTYPE = (
    (errors.ShapeError, ValueError),
    (errors.ArgumentValueError, ValueError),
    (errors.ArgumentTypeError, TypeError),
    (errors.DtypeError, TypeError),
)

CASES = {
    # name: (a call that fails, what it raises, words that the text must have)
    "add": (lambda: x(2, 3) + x(2), SHAPE, "float32[2, 3], float32[2]", "try:"),
    "where": (lambda: mg.where(x(2) > 0, x(3), x(3)), SHAPE, "where", "bool[2]"),
    "matmul": (lambda: x(2, 3) @ x(2, 3), SHAPE, "matmul", "[2, 3]"),
    "matmul of numbers": (lambda: mg.matmul(x(), x(2)), SHAPE, "one axis", "try:"),
    "matmul dtypes": (
        lambda: mg.matmul(x(2, 2), x(2, 2, dtype="float64")),
        DTYPE,
        "float32 by float64",
        "astype('float64')",
    ),
    "linear": (lambda: mg.nn.functional.linear(x(2, 3), x(2, 3)), SHAPE, "linear"),
    "linear bias": (lambda: mg.nn.functional.linear(x(2, 3), x(3, 2), x(5)), SHAPE, "linear"),
    "reshape": (lambda: x(2, 3).reshape([4, 2]), SHAPE, "[2, 3]", "[4, 2]", "6 elements", "try:"),
    "reshape -1": (lambda: x(2, 3).reshape([-1, 4]), SHAPE, "[-1, 4]"),
    "reshape -1 twice": (lambda: x(2, 3).reshape([-1, -1]), SHAPE, "[-1, -1]"),
    "reshape of words": (lambda: mg.reshape(x(2), "two"), TYPE, "'two'"),
    "reshape of fractions": (lambda: mg.reshape(x(2), [2.0]), TYPE, "[2.0]"),
    "transpose": (lambda: mg.transpose(x(2, 3), [0, 0]), SHAPE, "[0, 0]", "try:"),
    "transpose short": (lambda: mg.transpose(x(2, 3), [0]), SHAPE, "2 axes"),
    "squeeze": (lambda: mg.squeeze(x(1, 3), 2), VALUE, "Axis 2", "use -2 to 1"),
    "unsqueeze": (lambda: mg.unsqueeze(x(3), 3), VALUE, "Axis 3"),
    "expand": (lambda: mg.expand(x(2), [3]), SHAPE, "[2]", "[3]", "length 1"),
    "expand fewer": (lambda: mg.expand(x(1, 2), [2]), SHAPE, "[1, 2]"),
    "split": (lambda: mg.split(x(3), 2), VALUE, "length 3", "try:"),
    "split lengths": (lambda: mg.split(x(3), [1, 1]), VALUE, "[1, 1]"),
    "split in zero": (lambda: mg.split(x(3), 0), VALUE, "into 0"),
    "split axis": (lambda: mg.split(x(3), 3, axis=1), VALUE, "Axis 1"),
    "concat": (lambda: mg.concat([x(2, 3), x(2, 2)]), SHAPE, "concat"),
    "concat axis": (lambda: mg.concat([x(2), x(2)], axis=1), SHAPE, "axis 1"),
    "concat of nothing": (lambda: mg.concat([]), VALUE, "at least one"),
    "concat of a number": (lambda: mg.concat(3), TYPE, "list of tensors", "int"),
    "stack": (lambda: mg.stack([x(2), x(3)]), SHAPE, "stack"),
    "sum axis": (lambda: x(2, 3).sum(axis=2), VALUE, "Axis 2", "2 axes", "try:"),
    "sum axis twice": (lambda: x(2, 3).sum(axis=[0, -2]), VALUE, "twice"),
    "sum of axes of a number": (lambda: x().sum(axis=0), VALUE, "no axes"),
    "mean axis": (lambda: x(2).mean(axis=1.5), TYPE, "1.5"),
    "max of nothing": (lambda: x(0, 2).max(axis=0), VALUE, "has a size of 0"),
    "min of nothing": (lambda: x(0).min(), VALUE, "min", "has a size of 0"),
    "argmax of nothing": (lambda: mg.argmax(x(0)), VALUE, "argmax", "has a size of 0"),
    "argmax axis": (lambda: mg.argmax(x(2), axis=1), VALUE, "Axis 1"),
    "softmax axis": (lambda: mg.nn.functional.softmax(x(2), axis=1), VALUE, "Axis 1"),
    "log_softmax axis": (lambda: mg.nn.functional.log_softmax(x(2), axis=1), VALUE, "Axis 1"),
    "labels": (
        lambda: OPS["softmax_with_cross_entropy"](x(2, 3), mg.to_tensor([0, 1, 2])),
        SHAPE,
        "[3]",
        "[2, 3]",
    ),
    "class": (
        lambda: OPS["softmax_with_cross_entropy"](x(2, 3), mg.to_tensor([0, 3])),
        VALUE,
        "3 classes",
    ),
    "index": (lambda: x(2)[5], (errors.IndexRangeError, IndexError), "getitem", "float32[2]"),
    "index of a number": (lambda: x()[0], (errors.IndexRangeError, IndexError), "getitem"),
    "index by a fraction": (lambda: x(2)[0.5], (errors.MinigradError, IndexError), "getitem"),
    "int and float": (
        lambda: x(2, dtype="int64") + x(2),
        DTYPE,
        "int64 and float32",
        "astype('float32')",
    ),
    "floor of booleans": (lambda: mg.sign(x(2) > 0), DTYPE, "sign", "bool[2]"),
    "a number too large": (lambda: x(2, dtype="int8") + 300, VALUE, "300", "int8"),
    "a string": (lambda: mg.add(x(2), "two"), TYPE, "add", "str", "try:"),
    "a list": (lambda: mg.exp([1.0]), TYPE, "exp", "list", "to_tensor"),
    "nothing": (lambda: mg.exp(None), TYPE, "exp", "NoneType"),
    "cast": (lambda: x(2).astype("float7"), DTYPE, "float7", "float32"),
    "two backends": (
        lambda: x(2) * mg.to_tensor([1.0], place="strict"),
        (errors.BackendError, RuntimeError),
        "numpy and strict",
        "try:",
    ),
}
WITHOUT_LINE = ["cast"]  # raised before there is an op


@pytest.mark.parametrize("name", CASES)
def test_says_what_where_and_why(name):
    call, kinds, *words = CASES[name]
    with pytest.raises(errors.MinigradError) as caught:
        call()
    for kind in kinds:
        assert isinstance(caught.value, kind)
    text = str(caught.value)
    for word in words:
        assert word in text, text
    assert "\n" in text, "it says only what failed"
    if name not in WITHOUT_LINE:
        assert re.search(r"\n  where: .*test_errors\.py, line \d+: ", text), text
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize(
    "call, word",
    [
        (lambda: mg.sum(x(2), axes=0), "unknown argument 'axes'"),
        (lambda: mg.sum(x(2), 0, axis=0), "twice the argument 'axis'"),
        (mg.exp, "needs the argument 'x'"),
        (lambda: mg.multiply(x(2)), "needs the argument 'y'"),
        (lambda: mg.exp(x(2), None, None), "at most 2 arguments"),
        (lambda: mg.reshape(x(2)), "needs the argument 'shape'"),
    ],
)
def test_wrong_keywords_are_type_errors_that_show_the_signature(call, word):
    with pytest.raises(errors.ArgumentTypeError, match=re.escape(word)) as caught:
        call()
    assert isinstance(caught.value, TypeError)
    assert "<op " in str(caught.value)


def test_as_in_paddle_an_op_takes_a_name_and_ignores_it():
    assert mg.exp(mg.zeros([1]), name="e").tolist() == [1.0]


def test_after_an_error_everything_works_as_before():
    leaf = mg.to_tensor([1.0, 2.0], stop_gradient=False)
    with pytest.raises(errors.ShapeError):
        _ = leaf + x(3)
    with pytest.raises(errors.DtypeError):
        _ = leaf + x(2, dtype="int64")
    assert leaf.inplace_version == 0
    (leaf * 2).sum().backward()
    assert leaf.grad.tolist() == [2.0, 2.0]


def test_the_line_named_is_the_users_own():
    with pytest.raises(errors.ShapeError) as caught:
        mg.nn.functional.linear(x(2, 3), x(4, 2))  # this line
    assert "# this line" in str(caught.value)
