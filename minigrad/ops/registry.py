r"""What an op is: its forward, one gradient rule per operand, its formula, in one place.

    @op(formula=r"z = x \odot y", rules={"x": r"g \odot y", "y": r"g \odot x"})
    def multiply(xp, x, y, /):
        return x * y

    @multiply.vjp("x")
    def _(xp, g, y):
        return g * y

Parameters before the `/` are operands (tensors), those after it are attributes. A rule's parameter
names say what it needs, and so what forward must save: operands, `out`, attributes, `x_shape`,
`x_dtype`, or `shapes` of a list of operands. Only what the needed rules ask for is kept.

A rule is pure and written once: given arrays, it computes; given Tensors, it builds the graph of
the gradient. It never sums broadcast axes, casts or checks: the engine does that for all of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from minigrad.errors import ArgumentTypeError, message

__all__ = ["OPS", "Op", "Plan", "install", "op"]

Rule = Callable[..., Any]

OPS: dict[str, Op] = {}  # every op by name, in the order of their files

_run: Callable[[Op, Sequence[Any], tuple[Any, ...]], Any]


def install(run: Callable[[Op, Sequence[Any], tuple[Any, ...]], Any]) -> None:
    """Say how an op is run; `autograd.apply` does this once: ops know nothing of autograd."""
    global _run
    _run = run


class Plan:
    """What one forward call must keep, given which operands need a gradient.

    Attributes
    ----------
    saves: the names to keep, each once.
    tensors: the positions in `saves` that are tensors (their versions are checked).
    rules: per operand None, or (rule, pick): `rule(xp, g, *pick(saved))` is its gradient.
    joint: the same for a rule that gives all gradients at once; `rules` is empty then.
    operands_only: where everything saved is an operand or the result, its place in
        (*operands, out); else None.
    """

    __slots__ = ("joint", "operands_only", "rules", "saves", "tensors")

    def __init__(self, op: Op, needs: tuple[bool, ...]) -> None:
        wanted = [op.joint] if op.joint else [op.rules[n] for n, k in zip(op.operands, needs) if k]
        names = dict.fromkeys(name for rule in wanted for name in _parameters(rule))
        self.saves = tuple(names)
        place = {name: position for position, name in enumerate(self.saves)}

        def with_pick(rule: Rule) -> tuple[Rule, Callable[..., Any]]:
            return rule, _pick([place[name] for name in _parameters(rule)])

        self.joint = with_pick(op.joint) if op.joint else None
        self.rules = tuple(
            with_pick(op.rules[name]) if needed else None
            for name, needed in zip(op.operands, needs)
            if not op.joint
        )
        places = {name: position for position, name in enumerate((*op.operands, "out"))}
        self.tensors = tuple(i for i, name in enumerate(self.saves) if name in places)
        self.operands_only = (
            tuple(places[name] for name in self.saves)
            if len(self.tensors) == len(self.saves) and not op.variadic
            else None
        )


def _parameters(rule: Rule) -> list[str]:
    """The names a rule wants saved: all of its parameters but `xp` and the gradient."""
    return list(inspect.signature(rule).parameters)[2:]


def _nothing(saved: tuple[Any, ...]) -> tuple[Any, ...]:
    return ()


def _pick(positions: list[int]) -> Callable[..., Any]:
    """A quick function from all that was saved to the tuple of what one rule needs."""
    if not positions:
        return _nothing
    if len(positions) == 1:
        return itemgetter(slice(positions[0], positions[0] + 1))
    return itemgetter(*positions)


class Op:
    """A differentiable function on tensors: call it with tensors, or read its parts.

    Attributes
    ----------
    name: Paddle's name for it.
    forward: the function on arrays.
    formula: LaTeX of what it computes.
    rule_formulas: LaTeX of each operand's gradient, `g` being the gradient of the result.
    operands: the names of its tensors.
    attributes: the names of its other arguments, with their defaults.
    variadic: whether the only operand is a list of tensors.
    promotes: whether floating dtypes that differ are brought together first.
    view: whether the result may share the first operand's memory.
    differentiable: whether gradients pass at all (comparisons have none).
    plans: those made so far, by which operands need a gradient.
    """

    def __init__(
        self,
        forward: Callable[..., Any],
        *,
        formula: str = "",
        rules: dict[str, str] | None = None,
        promotes: bool = False,
        view: bool = False,
        differentiable: bool = True,
        node_name: str = "",
    ) -> None:
        self.name = forward.__name__.rstrip("_")
        self.node_name = node_name or "".join(
            part.capitalize() for part in self.name.strip("_").split("_")
        )
        self.forward = forward
        self.formula = formula
        self.rule_formulas = rules or {}
        self.promotes, self.view, self.differentiable = promotes, view, differentiable
        parameters = list(inspect.signature(forward).parameters.values())[1:]
        operands = [p for p in parameters if p.kind is p.POSITIONAL_ONLY]
        self.operands = tuple(p.name for p in operands)
        self.optional = tuple(p.name for p in operands if p.default is not p.empty)
        self.variadic = self.operands == ("xs",)
        self.attributes = {p.name: p.default for p in parameters if p.kind is not p.POSITIONAL_ONLY}
        self.defaults = tuple(self.attributes.values())
        needs_more = inspect.Parameter.empty in self.defaults
        self._plain = -1 if needs_more else len(operands)  # so many tensors make a whole call
        self.rules: dict[str, Rule] = {}
        self.joint: Rule | None = None
        self.plans: dict[tuple[bool, ...], Plan] = {}
        self.__name__ = self.__qualname__ = self.name
        self.__module__ = forward.__module__
        self.__doc__ = forward.__doc__
        self.__signature__ = self._public_signature(operands)

    def _public_signature(self, operands: list[inspect.Parameter]) -> inspect.Signature:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        shown = [inspect.Parameter("x" if self.variadic else p.name, kind) for p in operands]
        shown += [inspect.Parameter(n, kind, default=d) for n, d in self.attributes.items()]
        return inspect.Signature([*shown, inspect.Parameter("name", kind, default=None)])

    def __repr__(self) -> str:
        return f"<op {self.name}{self.__signature__}>"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """As a method of Tensor, the tensor is the first operand."""
        return self if instance is None else _Bound(self, instance)

    def vjp(self, operand: str | None = None) -> Callable[[Rule], Rule]:
        """Register the gradient rule of `operand`, or of all operands at once (no argument)."""

        def register(rule: Rule) -> Rule:
            if operand is None:
                self.joint = rule
            else:
                if operand not in self.operands:
                    raise KeyError(operand)
                self.rules[operand] = rule
            return rule

        return register

    def plan(self, needs: tuple[bool, ...]) -> Plan:
        """The plan for the operands that need a gradient, made once for each combination."""
        found = self.plans.get(needs)
        if found is None:
            found = self.plans[needs] = Plan(self, needs)
        return found

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Run the op on tensors; as Paddle's functions do, it accepts and ignores `name`."""
        if len(args) == self._plain and not keywords:
            return _run(self, args[0] if self.variadic else args, self.defaults)
        operands, attributes = self._bind(args, keywords)
        return _run(self, operands[0] if self.variadic else operands, attributes)

    def _bind(
        self, args: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        names = ("x", *self.operands[1:]) if self.variadic else self.operands
        slots = {**dict.fromkeys(names), **self.attributes, "name": None}
        given = dict(zip(slots, args, strict=False))
        if len(args) > len(slots):
            raise self._misused(f"takes at most {len(slots)} arguments, and {len(args)} were given")
        for name, value in keywords.items():
            if name not in slots or name in given:
                trouble = "twice the argument" if name in given else "an unknown argument"
                raise self._misused(f"got {trouble} {name!r}")
            given[name] = value
        for name, default in slots.items():
            needed = default is inspect.Parameter.empty or name in names
            if needed and name not in given and name not in self.optional:
                raise self._misused(f"needs the argument {name!r}")
        operands = tuple(given.get(name) for name in names)
        return operands, tuple(given.get(n, default) for n, default in self.attributes.items())

    def _misused(self, trouble: str) -> ArgumentTypeError:
        return ArgumentTypeError(message(f"{self.name}() {trouble}.", hint=f"it is {self!r}."))


class _Bound:
    """An op as a method of one tensor: `x.sum(axis=0)`."""

    __slots__ = ("_first", "_op")

    def __init__(self, op: Op, first: Any) -> None:
        self._op, self._first = op, first

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self._op(self._first, *args, **keywords)

    def __repr__(self) -> str:
        return f"<op {self._op.name} of {type(self._first).__name__}>"


def op(**parts: Any) -> Callable[[Callable[..., Any]], Op]:
    """Make an op of a forward function and enter it in `OPS`. The parts are those of `Op`."""

    def make(forward: Callable[..., Any]) -> Op:
        made = Op(forward, **parts)
        if made.name in OPS:
            raise KeyError(f"an op named {made.name} exists already")
        OPS[made.name] = made
        return made

    return make
