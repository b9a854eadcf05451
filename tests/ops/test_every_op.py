"""One factory for all ops: an op that is registered is tested, or the suite fails with its name."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from latex2mathml.converter import convert

import minigrad as mg
from minigrad.autograd import gradcheck, gradgradcheck
from minigrad.autograd.modes import mode
from minigrad.ops import OPS
from tests.ops.examples import EXAMPLES
from tests.ops.running import call, gradients, leaves, seeds, tensors

ALL = [example for examples in EXAMPLES.values() for example in examples]
PASSING = [e for e in ALL if e.op in OPS and OPS[e.op].differentiable]
"""Examples of the ops through which gradients pass."""
FLOWING = [e for e in PASSING if any(a.dtype.kind == "f" for a in e.arrays())]

NEED_AXES = ["linear", "matmul", "split", "concat", "argmax", "argmin", "softmax", "log_softmax"]

every_op = pytest.mark.parametrize("name", OPS)
every_example = pytest.mark.parametrize("example", ALL, ids=str)
every_flowing_example = pytest.mark.parametrize("example", FLOWING, ids=str)


# -- what an op must come with ---------------------------------------------------------------------


@every_op
def test_has_examples(name):
    assert EXAMPLES.get(name), f"tests/ops/examples.py has no example of {name}"


@every_op
def test_has_examples_without_axes_and_without_elements(name):
    shapes = [array.shape for example in EXAMPLES[name] for array in example.arrays()]
    assert any(0 in shape for shape in shapes), f"{name} has no example of size 0"
    if name not in NEED_AXES:
        assert () in shapes, f"{name} has no example without axes"


def test_no_examples_of_ops_that_are_not_there():
    assert set(EXAMPLES) <= set(OPS)


@every_op
def test_has_a_formula_and_one_for_each_rule(name):
    op = OPS[name]
    assert op.formula, f"{name} has no formula"
    assert op.differentiable == bool(op.rules or op.joint), f"{name} has no rules"
    having_rules = set(op.operands) if op.joint else set(op.rules)
    assert set(op.rule_formulas) == having_rules
    assert all(op.rule_formulas.values())


@every_op
def test_formulas_can_be_typeset(name):
    op = OPS[name]
    for latex in (op.formula, *op.rule_formulas.values()):
        mathml = convert(latex)
        assert mathml.startswith("<math")
        assert "\\" not in mathml, f"latex2mathml does not know all of {latex}"


@every_op
def test_has_a_docstring_with_an_example(name):
    doc = OPS[name].__doc__ or ""
    examples = doctest.DocTestParser().get_examples(doc)
    assert doc.split("\n")[0].endswith((".", ";", ":")), f"{name} has no summary"
    assert any(e.want for e in examples), f"{name} has no example in its docstring"


# -- what it computes ------------------------------------------------------------------------------


@every_example
def test_forward_agrees_with_numpy(example):
    outputs, expected = call(example, tensors(example)), example.expected()
    assert len(outputs) == len(expected)
    for out, known in zip(outputs, expected, strict=True):
        assert tuple(out.shape) == known.shape
        assert str(out.dtype) == str(known.dtype)
        np.testing.assert_allclose(out.numpy(), known, rtol=1e-12, atol=1e-12)


@every_flowing_example
def test_first_derivative(example):
    assert gradcheck(lambda *inputs: call(example, list(inputs)), tensors(example))


@every_flowing_example
def test_second_derivative(example):
    assert gradgradcheck(lambda *inputs: call(example, list(inputs)), tensors(example))


@every_flowing_example
def test_create_graph_gives_the_same_gradients(example):
    plain = gradients(example, tensors(example))
    built = gradients(example, tensors(example), create_graph=True)
    for a, b in zip(plain, built, strict=True):
        assert a.stop_gradient
        np.testing.assert_array_equal(a.numpy(), b.numpy())


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("example", [e for e in FLOWING if "dtype" not in e.attributes], ids=str)
def test_keeps_the_dtype(example, dtype):
    inputs = tensors(example, dtype)
    tolerance = {"float16": 2e-2, "bfloat16": 1e-1, "float32": 1e-5}[dtype]
    for out, known in zip(call(example, inputs), example.expected(), strict=True):
        assert str(out.dtype) == dtype
        np.testing.assert_allclose(out.numpy(), known, rtol=tolerance, atol=tolerance)
    for options in ({}, {"create_graph": True}):
        found = gradients(example, inputs, **options)
        exact = gradients(example, tensors(example))
        for gradient, known in zip(found, exact, strict=True):
            assert str(gradient.dtype) == dtype
            np.testing.assert_allclose(
                gradient.numpy(), known.numpy(), rtol=tolerance, atol=tolerance
            )


# -- what it leaves alone --------------------------------------------------------------------------


@every_example
def test_never_writes_into_what_it_is_given(example):
    inputs = tensors(example)
    for x in inputs:
        x._data.flags.writeable = False
    outputs = call(example, inputs)
    if not outputs[0].stop_gradient:
        start = seeds(outputs)
        for array in [*start, *outputs]:
            array._data.flags.writeable = False
        mg.autograd.backward(outputs, start)
    for x, array in zip(inputs, example.arrays(), strict=True):
        np.testing.assert_array_equal(x.numpy(), array)


@every_example
def test_shares_memory_only_as_a_view(example):
    inputs = tensors(example)
    for out in call(example, inputs):
        shared = any(np.shares_memory(out._data, x._data) for x in inputs)
        assert not shared or (OPS[example.op].view and out._view)


def wanting_alone(example):
    """Inputs of which one wants a gradient, for each that could."""
    count = len(leaves(tensors(example)))
    for number in range(count):
        inputs = tensors(example)
        for other, x in enumerate(leaves(inputs)):
            x.stop_gradient = other != number
        yield number, inputs


@pytest.mark.parametrize("name", [n for n, op in OPS.items() if op.differentiable])
def test_keeps_nothing_that_its_rules_do_not_need(name):
    """A saved tensor that may be anything without changing a gradient need not have been saved."""
    needed, kept = set(), set()
    for example in [e for e in FLOWING if e.op == name]:
        for number, inputs in wanting_alone(example):
            outputs = call(example, inputs)
            right = mg.grad(outputs, leaves(inputs), seeds(outputs))
            node = outputs[0].grad_fn
            saved = node.saved
            for position, (what, array) in zip(node.plan.tensors, node.saved_items(), strict=True):
                kept.add((number, what))
                spoiled = ~array if array.dtype == bool else array * 0 + 5 - array
                node.saved = (*saved[:position], spoiled, *saved[position + 1 :])
                with np.errstate(all="ignore"):
                    wrong = mg.grad(outputs, leaves(inputs), seeds(outputs))
                if right[0].tolist() != wrong[0].tolist():
                    needed.add((number, what))
    assert kept == needed


@every_flowing_example
def test_records_nothing_when_no_gradient_is_wanted(example):
    with mg.no_grad():
        assert all(out.stop_gradient for out in call(example, tensors(example)))
    constants = [x.detach() for x in tensors(example)]
    assert all(out.stop_gradient for out in call(example, constants))
    assert mode.grad_enabled


@pytest.mark.parametrize("example", [e for e in ALL if not OPS[e.op].differentiable], ids=str)
def test_without_a_derivative_outputs_stop_gradients(example):
    for out in call(example, tensors(example)):
        assert out.stop_gradient
        assert out.grad_fn is None


@every_flowing_example
def test_each_input_can_be_the_only_one_that_wants_a_gradient(example):
    every = gradients(example, tensors(example))
    for number, inputs in wanting_alone(example):
        (alone,) = gradients(example, inputs)
        np.testing.assert_array_equal(alone.numpy(), every[number].numpy())
