"""Random tensors, and the seeded generator of each backend behind them."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad import backend as backends
from minigrad.dtype import as_dtype, dtype_name, get_default_dtype, is_floating
from minigrad.errors import ArgumentTypeError, ArgumentValueError, DtypeError, message
from minigrad.ops.broadcasting import sizes
from minigrad.tensor import Tensor, wrap

__all__ = [
    "bernoulli",
    "get_rng_state",
    "normal",
    "rand",
    "randint",
    "randn",
    "randperm",
    "seed",
    "set_rng_state",
    "standard_normal",
    "uniform",
]

_generators: dict[str, Any] = {}
_seed: int | None = None


def seed(seed: int) -> None:
    """Start the generators of all backends anew from one number.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError: it is no whole number, or negative.

    Example
    -------
    >>> seed(7); first = randn([2]).tolist()
    >>> seed(7); first == randn([2]).tolist()
    True
    """
    global _seed
    if not isinstance(seed, (int, np.integer)):
        raise ArgumentTypeError(message(f"The seed must be a whole number, not {seed!r}."))
    if seed < 0:
        raise ArgumentValueError(message(f"The seed must not be negative, but is {seed}."))
    _seed = int(seed)
    _generators.clear()


def _generator() -> Any:
    backend = backends.current()
    if backend.name not in _generators:
        start = _seed if _seed is not None else int(np.random.SeedSequence().generate_state(1)[0])
        _generators[backend.name] = backend.generator(start)
    return _generators[backend.name]


def get_rng_state() -> Any:
    """The state of the current backend's generator, to be put back with `set_rng_state`."""
    return _generator().state


def set_rng_state(state: Any) -> None:
    """Put back a state: the same numbers follow.

    Example
    -------
    >>> state = get_rng_state()
    >>> first = rand([3]).tolist()
    >>> set_rng_state(state)
    >>> rand([3]).tolist() == first
    True
    """
    _generator().state = state


def _drawn(values: Any, dtype: Any, *, whole: bool = False) -> Tensor:
    backend = backends.current()
    kind = as_dtype(get_default_dtype() if dtype is None else dtype)
    if is_floating(kind) == whole:
        wanted = "an integer" if whole else "a floating"
        raise DtypeError(message(f"This needs {wanted} dtype, not {dtype_name(kind)}."))
    array = values if backends.backend_of(values) is backend else backend.asarray(values)
    return wrap(backend.xp.astype(array, backend.native(kind)), backend)


def randn(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Standard normal numbers."""
    return _drawn(_generator().normal(sizes(shape)), dtype)


standard_normal = randn


def normal(mean: float = 0.0, std: float = 1.0, shape: Any = None) -> Tensor:
    """Normal numbers of a mean and standard deviation."""
    made: Tensor = randn([1] if shape is None else shape) * float(std) + float(mean)
    return made


def rand(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Numbers from [0, 1)."""
    return _drawn(_generator().uniform(sizes(shape)), dtype)


def uniform(shape: Any, dtype: Any = None, min: float = 0.0, max: float = 1.0) -> Tensor:
    """Numbers from [min, max)."""
    return _drawn(_generator().uniform(sizes(shape)) * (max - min) + min, dtype)


def randint(low: int = 0, high: int | None = None, shape: Any = (1,), dtype: Any = None) -> Tensor:
    """Integers from [low, high), or [0, low)."""
    if high is None:
        low, high = 0, low
    if low >= high:
        raise ArgumentValueError(message(f"There are no integers from {low} up to {high}."))
    return _drawn(_generator().integers(low, high, sizes(shape)), dtype or "int64", whole=True)


def randperm(n: int, dtype: Any = "int64") -> Tensor:
    """The numbers 0 to n - 1 in random order."""
    return _drawn(_generator().permutation(sizes(n)[0]), dtype, whole=True)


def bernoulli(x: Tensor) -> Tensor:
    """1 with the probability that x says, else 0."""
    from minigrad.autograd.modes import no_grad

    with no_grad():
        drawn: Tensor = (rand(x.shape, x.dtype) < x).astype(x.dtype)
    return drawn
