"""The doors to the engine: `backward` and `backward_steps`, and the checks of what comes in."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from minigrad.autograd.engine import run
from minigrad.autograd.modes import mode
from minigrad.autograd.node import Edge
from minigrad.autograd.origin import describe, find_origin
from minigrad.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    BackendError,
    ShapeError,
    message,
)
from minigrad.tensor import Tensor, wrap

__all__ = [
    "backward",
    "backward_steps",
    "check_dump",
    "check_flag",
    "check_tensors",
    "prepare_seeds",
]


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool = False,
    create_graph: bool = False,
    *,
    dump_backward_graph_path: str | None = None,
) -> None:
    """Compute the gradients of all leaves that `tensors` were made from, and add them to `.grad`.

    Parameters
    ----------
    tensors: the roots, in any order; one may be an ancestor of another. Roots that stop gradients
        are skipped.
    grad_tensors: the gradient to start from at each root, of its shape; ones where None.
    retain_graph: keep the graph, so that backward can run through it again.
    create_graph: make the gradients differentiable; the graph is kept, being part of theirs.
    dump_backward_graph_path: a directory to write the graph of this backward to.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError, ShapeError: arguments that do not fit.
    GraphFreedError: an earlier backward freed part of the graph.
    InplaceError: a tensor that backward needs was written in place since forward.

    Example (PaddlePaddle/Paddle#72816)
    -------
    >>> import minigrad as mg
    >>> a = mg.ones([2]); a.stop_gradient = False
    >>> c = a + a
    >>> e = c * c
    >>> mg.autograd.backward([c, e])    # c is a root, and an ancestor of another root
    >>> a.grad.tolist()
    [10.0, 10.0]
    """
    if dump_backward_graph_path is not None:
        check_dump(dump_backward_graph_path)
    # A deque of length 0 throws away what it is fed: this runs the generator to its end.
    deque(
        _start(tensors, grad_tensors, retain_graph, create_graph, mode.observer),
        maxlen=0,
    )


def backward_steps(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool = False,
    create_graph: bool = False,
) -> Iterator[Any]:
    """Run backward as far as the returned iterator is iterated, and give its events.

    The arguments are those of `backward`, and are checked at once.

    Example
    -------
    >>> import minigrad as mg
    >>> x = mg.to_tensor(2.0, stop_gradient=False)
    >>> [event.kind for event in mg.autograd.backward_steps(x * x)][:3]
    ['pass_begin', 'seed', 'ready']
    """
    from minigrad.autograd.observer import Observer

    watch = mode.observer or Observer()
    return _start(tensors, grad_tensors, retain_graph, create_graph, watch)


def _start(
    tensors: Any, grad_tensors: Any, retain_graph: Any, create_graph: Any, watch: Any
) -> Iterator[Any]:
    roots = check_tensors(tensors, "tensors")
    check_flag(retain_graph, "retain_graph")
    check_flag(create_graph, "create_graph")
    seeds = prepare_seeds(roots, grad_tensors, "grad_tensors", create_graph=create_graph)
    live = [(t._edge, seed) for t, seed in zip(roots, seeds) if t._edge is not None]
    edges: list[Edge] = [edge for edge, _ in live]
    if watch is not None:
        watch = watch.begin("backward", roots, grad_tensors, retain_graph, create_graph)
    return run(
        edges,
        [seed for _, seed in live],
        retain_graph=retain_graph or create_graph,
        create_graph=create_graph,
        watch=watch,
        called_from=find_origin(2),
    )


def check_tensors(tensors: Any, name: str) -> list[Tensor]:
    """The argument `name` as a list of Tensors.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError: it is None, empty, not Tensors, or has one twice.
    """
    if isinstance(tensors, Tensor):
        return [tensors]
    if tensors is None:
        raise ArgumentTypeError(message(f"{name} should not be None."))
    if not isinstance(tensors, (list, tuple)):
        raise ArgumentTypeError(
            message(f"{name} must be Tensor or list of Tensor, not {type(tensors).__name__}.")
        )
    if not tensors:
        raise ArgumentValueError(message(f"{name} cannot be empty."))
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise ArgumentTypeError(
                message(f"Elements of {name} must be Tensor, not {type(tensor).__name__}.")
            )
    if len({id(tensor) for tensor in tensors}) != len(tensors):
        raise ArgumentValueError(
            message(
                f"{name} contains duplicate Tensor objects.",
                hint="name each tensor once; add up the seeds if it should count twice.",
            )
        )
    return list(tensors)


def check_flag(flag: Any, name: str) -> None:
    """Raise an ArgumentTypeError unless `flag` is True or False."""
    if not isinstance(flag, bool):
        raise ArgumentTypeError(message(f"{name} must be True or False, not {flag!r}."))


def prepare_seeds(
    roots: Sequence[Tensor], given: Any, name: str, *, create_graph: bool
) -> list[Any]:
    """One seed for each root: a copy of the gradient given, or ones.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError, ShapeError, BackendError: they do not fit the roots.
    """
    listed = [given] if isinstance(given, Tensor) else given
    if listed is None or (isinstance(listed, (list, tuple)) and not listed):
        listed = [None] * len(roots)
    if not isinstance(listed, (list, tuple)):
        raise ArgumentTypeError(
            message(
                f"{name} must be None, a Tensor or a list of Tensors and None, "
                f"not {type(given).__name__}."
            )
        )
    if len(listed) != len(roots):
        raise ArgumentValueError(
            message(
                f"The length of {name} must be equal to that of the tensors: "
                f"{len(listed)} and {len(roots)}."
            )
        )
    return [_seed(root, seed, name, create_graph) for root, seed in zip(roots, listed)]


def _seed(root: Tensor, seed: Any, name: str, create_graph: bool) -> Any:
    backend = root._backend
    if seed is None:
        ones = backend.xp.ones_like(root._data)
        return wrap(ones, backend) if create_graph else ones
    if not isinstance(seed, Tensor):
        raise ArgumentTypeError(
            message(
                f"Elements of {name} must be Tensor or None, not {type(seed).__name__}.",
                hint="minigrad.to_tensor(value) makes one.",
            )
        )
    if seed._data.shape != root._data.shape:
        raise ShapeError(
            message(
                f"The seed of shape {list(seed.shape)} does not fit the root of shape "
                f"{list(root.shape)}.",
                where=describe(root.grad_fn.origin if root.grad_fn else None),
                why="a gradient has the shape of what it is the gradient of.",
            )
        )
    if seed._backend is not backend:
        raise BackendError(
            message(
                f"The root lives on {backend.name} and its seed on {seed._backend.name}.",
                hint="move the seed with cpu() or cuda().",
            )
        )
    if create_graph:
        fitted = seed if seed.dtype == root.dtype else seed.astype(root.dtype)
        return wrap(backend.copy(fitted._data), backend, fitted._edge)
    dtype = root._data.dtype
    if seed._data.dtype == dtype:
        return backend.copy(seed._data)
    return backend.xp.astype(seed._data, dtype)


def check_dump(path: Any) -> None:
    """Refuse to dump: no dumps are written yet."""
    raise NotImplementedError(
        f"dump_backward_graph_path={path!r}: dumping the backward graph is not there yet"
    )
