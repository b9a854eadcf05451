"""Run an op forward, and leave a grad node behind when one of its inputs needs a gradient."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from minigrad.autograd.modes import mode
from minigrad.autograd.node import OpNode
from minigrad.autograd.origin import describe, find_origin, is_ours
from minigrad.autograd.saved import Version, version_of
from minigrad.backend import Backend
from minigrad.dtype import dtype_name, is_floating
from minigrad.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    BackendError,
    DtypeError,
    IndexRangeError,
    MinigradError,
    ShapeError,
    message,
)
from minigrad.ops import OPS
from minigrad.ops.promotion import common_dtype
from minigrad.ops.registry import Op, install
from minigrad.tensor import Tensor, as_operand, wrap

__all__ = ["apply", "binary"]

_new = object.__new__


def binary(op: Op, x: Tensor, y: Tensor) -> Any:
    """`apply(op, (x, y))` for the case that must be quick: `x * y`, `x + y`, alike in dtype.

    It does what `apply` does, line by line, for an elementwise op without attributes.
    """
    backend = x._backend
    a, b = x._data, y._data
    if a.dtype is not b.dtype or y._backend is not backend or not mode.quick:
        return apply(op, (x, y), ())
    try:
        data = op.forward(backend.xp, a, b)
    except (ValueError, TypeError) as error:
        raise _explain(op, (x, y), error) from None
    if data.__class__ is not backend.array_type:
        data = backend.asarray(data)
    out = _new(Tensor)
    out._data = data
    out._backend = backend
    x_edge, y_edge = x._edge, y._edge
    if (x_edge is None and y_edge is None) or not op.differentiable:
        out._edge = None
        return out
    needs = (x_edge is not None, y_edge is not None)
    plan = op.plans.get(needs) or op.plan(needs)
    saved: tuple[Any, ...] = ()
    versions: tuple[tuple[Version, int], ...] = ()
    for place in plan.operands_only:  # type: ignore[union-attr]  # these rules need no attributes
        tensor = (x, y, out)[place]
        version = tensor._version
        if version is None:
            version = tensor._version = Version()
        saved += (tensor._data,)
        versions += ((version, version.count),)
    frame = sys._getframe(2)
    code = frame.f_code
    origin = find_origin(2) if is_ours[code.co_filename] else (code, frame.f_lasti)
    node = OpNode(
        op, plan, (x_edge, y_edge), saved, versions, ((data.shape, data.dtype),), backend, origin
    )
    out._edge = (node, 0)
    return out


def apply(op: Op, operands: Sequence[Any], attributes: tuple[Any, ...]) -> Any:
    """Run `op` on tensors (or what can be made one), with its attributes in their order.

    Raises
    ------
    BackendError: tensors of two backends.
    ShapeError, DtypeError: they do not fit together.
    """
    tensors = _tensors(op, operands)
    backend = _backend_of(op, tensors)
    if op.promotes:
        tensors = _promote(op, tensors)
    if op is _cast:
        attributes = (backend.native(attributes[0]),)
    arrays = [tensor._data for tensor in tensors]
    try:
        given = (arrays,) if op.variadic else arrays
        result = op.forward(backend.xp, *given, *attributes)
    except MinigradError as error:
        raise _placed(error) from None
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise _explain(op, tensors, error) from None
    several = isinstance(result, (list, tuple))
    outs = [wrap(array, backend) for array in (result if several else (result,))]
    if op.view:
        _share_versions(op, tensors[0], outs)
    edges = tuple(
        tensor._edge if op.joint or name in op.rules else None
        for name, tensor in zip(op.operands * len(tensors) if op.variadic else op.operands, tensors)
    )
    if mode.grad_enabled and op.differentiable and any(edges) and not _cut(op, attributes):
        node = _make_node(op, tensors, outs, edges, attributes, backend)
        for slot, out in enumerate(outs):
            out._edge = (node, slot)
        if mode.observer is not None:
            mode.observer.op(node, tensors, outs, attributes)
    return outs if several else outs[0]


def _make_node(
    op: Op,
    tensors: Sequence[Tensor],
    outs: list[Tensor],
    edges: tuple[Any, ...],
    attributes: tuple[Any, ...],
    backend: Backend,
) -> OpNode:
    plan = op.plan((True,) if op.variadic else tuple(edge is not None for edge in edges))
    saved, versions = [], []
    for name in plan.saves:
        kept = _kept(name, op, tensors, outs, attributes)
        if isinstance(kept, Tensor):
            version = version_of(kept)
            versions.append((version, version.count))
            kept = kept._data
        saved.append(kept)
    slots = tuple((out._data.shape, out._data.dtype) for out in outs)
    return OpNode(op, plan, edges, tuple(saved), tuple(versions), slots, backend, find_origin(2))


def _kept(
    name: str, op: Op, tensors: Sequence[Tensor], outs: list[Tensor], attributes: tuple[Any, ...]
) -> Any:
    """What a rule means by a parameter name."""
    if name == "shapes":
        return [tensor._data.shape for tensor in tensors]
    if name == "out":
        return outs[0]
    if name in op.operands:
        return tensors[op.operands.index(name)]
    if name in op.attributes:
        return attributes[list(op.attributes).index(name)]
    operand, _, what = name.rpartition("_")
    return getattr(tensors[op.operands.index(operand)]._data, what)


def _tensors(op: Op, operands: Sequence[Any]) -> Sequence[Tensor]:
    """The operands as Tensors: arrays and numbers become constants, as dtypes allow."""
    if op.variadic and isinstance(operands, Tensor):
        operands = list(operands)
    if not isinstance(operands, (list, tuple)):
        raise ArgumentTypeError(
            message(
                f"{op.name} takes a list of tensors, not {type(operands).__name__}.",
                where=describe(find_origin()),
            )
        )
    if op.optional:
        operands = [
            o for o, name in zip(operands, op.operands) if not (o is None and name in op.optional)
        ]
    like = next((o for o in operands if isinstance(o, Tensor)), None)
    if not operands:
        raise ArgumentValueError(
            message(f"{op.name} needs at least one tensor.", where=describe(find_origin()))
        )
    return [o if isinstance(o, Tensor) else as_operand(o, like, op.name) for o in operands]


def _share_versions(op: Op, x: Tensor, outs: list[Tensor]) -> None:
    """Let views count writes together with what they are views of."""
    for out in outs:
        if getattr(out._data, "base", x) is not None:
            out._version = version_of(x)
            out._view = True
            out._borrowed = op is _expand  # one element is seen many times there


def _promote(op: Op, tensors: Sequence[Tensor]) -> Sequence[Tensor]:
    """The last two operands in one dtype, by cast nodes like any other op."""
    x, y = tensors[-2:]
    if x._data.dtype is y._data.dtype or x.dtype == y.dtype:
        return tensors
    try:
        dtype = common_dtype(
            x.dtype, y.dtype, x_number=not x._data.shape, y_number=not y._data.shape
        )
    except DtypeError as error:
        raise _placed(DtypeError(f"{op.name} cannot be computed. {error}")) from None
    cast = [t if t.dtype == dtype else apply(_cast, (t,), (dtype,)) for t in (x, y)]
    return [*tensors[:-2], *cast]


def _cut(op: Op, attributes: tuple[Any, ...]) -> bool:
    """Whether this is a cast to a dtype whose derivative is zero."""
    return op is _cast and not is_floating(attributes[0])


def _placed(error: MinigradError) -> MinigradError:
    """The same error with the user's line in it: ops do not know who called them."""
    what, *rest = str(error).split("\n")
    line = describe(find_origin())
    return type(error)("\n".join([what, f"  where: {line}", *rest])) if line else error


def _backend_of(op: Op, tensors: Sequence[Tensor]) -> Backend:
    """The one backend that all tensors are on."""
    backend = tensors[0]._backend
    if all(tensor._backend is backend for tensor in tensors):
        return backend
    names = sorted({tensor._backend.name for tensor in tensors})
    raise BackendError(
        message(
            f"{op.name} got tensors of two backends: {' and '.join(names)}.",
            where=describe(find_origin()),
            why="an op runs where all of its tensors are.",
            hint="move one of them with t.cpu() or t.cuda(), or t.to(backend).",
        )
    )


_KINDS: list[tuple[type[Exception], type[MinigradError]]] = [
    (TypeError, DtypeError),
    (ValueError, ShapeError),
    (IndexError, IndexRangeError),
    (OverflowError, ArgumentValueError),
]
"""What an array library's errors are about: the first match (an axis error is a ValueError too)."""


def _explain(op: Op, tensors: Sequence[Tensor], error: Exception) -> MinigradError:
    """An array library's complaint as an error that says what was asked, and where."""
    shown = ", ".join(f"{dtype_name(t.dtype)}{list(t._data.shape)}" for t in tensors)
    kind = next(ours for theirs, ours in _KINDS if isinstance(error, theirs))
    hint = ""
    if kind is ShapeError and len(tensors) > 1 and op.promotes:
        hint = "shapes broadcast when, counted from the last axis, they are equal or one is 1."
    return kind(
        message(
            f"{op.name} cannot be computed on {shown}.",
            where=describe(find_origin()),
            why=str(error).rstrip(".") + ".",
            hint=hint,
        )
    )


_cast, _expand = OPS["cast"], OPS["expand"]
install(apply)
