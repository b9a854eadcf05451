"""Backends: which arrays the engine runs on. `use("numpy")`, `use("cupy")`, or one of your own."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from minigrad.backend.numpy_backend import numpy_backend
from minigrad.backend.protocol import Backend, Namespace
from minigrad.errors import ArgumentValueError, BackendError, message

__all__ = [
    "Backend",
    "Namespace",
    "available",
    "backend_of",
    "current",
    "device_backend",
    "get",
    "get_device",
    "register",
    "set_device",
    "use",
]


def _cupy() -> Backend:
    made: Backend = importlib.import_module("minigrad.backend.cupy_backend").CupyBackend()
    return made


_factories: dict[str, Callable[[], Backend]] = {"numpy": lambda: numpy_backend, "cupy": _cupy}
_made: dict[str, Backend] = {"numpy": numpy_backend}
_by_array_type: dict[type, Backend] = {numpy_backend.array_type: numpy_backend}
_current: Backend = numpy_backend


def register(name: str, factory: Callable[[], Backend]) -> None:
    """Make a backend known under `name`; `factory` is called when it is first used.

    Packages can do the same without being imported, through the entry point group
    `minigrad.backends`.

    Raises
    ------
    ArgumentValueError: the name is taken.
    """
    if name in _factories:
        raise ArgumentValueError(
            message(f"A backend named {name!r} is registered already.", hint="choose another name.")
        )
    _factories[name] = factory


def available() -> tuple[str, ...]:
    """The names of the registered backends; whether one can be made is known when it is used."""
    return tuple(_factories)


def get(name: str) -> Backend:
    """The backend called `name`, made on first use.

    Raises
    ------
    BackendError: no such backend, or what it needs is not there (it says what to install).

    Example
    -------
    >>> get("numpy").place
    'cpu'
    """
    if name not in _made:
        if name not in _factories:
            _load_entry_points()
        if name not in _factories:
            known = ", ".join(_factories)
            raise BackendError(
                message(
                    f"There is no backend named {name!r}.",
                    hint=f"use one of {known}, or minigrad.backend.register({name!r}, factory).",
                )
            )
        made = _factories[name]()
        _made[name] = made
        _by_array_type[made.array_type] = made
    return _made[name]


def _load_entry_points() -> None:
    from importlib.metadata import entry_points

    for point in entry_points(group="minigrad.backends"):
        _factories.setdefault(point.name, point.load())


def use(name: str) -> Backend:
    """Make new tensors live on the backend called `name`; the backend.

    Raises
    ------
    BackendError: as `get`.
    """
    global _current
    _current = get(name)
    return _current


def current() -> Backend:
    """The backend that new tensors live on."""
    return _current


def backend_of(array: Any) -> Backend | None:
    """The backend whose kind of array this is, or None."""
    return _by_array_type.get(type(array))


_DEVICES = {"cpu": "numpy", "gpu": "cupy", "cuda": "cupy"}


def set_device(device: str) -> Backend:
    """Paddle's way to say it: `cpu`, `gpu` or `gpu:0`.

    Raises
    ------
    ArgumentValueError: another word.
    BackendError: no GPU, or CuPy is not installed.
    """
    return use(device_backend(device))


def device_backend(device: str) -> str:
    """The name of the backend of a device.

    Raises
    ------
    ArgumentValueError: no such device.

    Example
    -------
    >>> device_backend("cpu"), device_backend("gpu:0")
    ('numpy', 'cupy')
    """
    kind, _, index = device[:].partition(":")
    if kind not in _DEVICES or index not in ("", "0"):
        raise ArgumentValueError(
            message(f"{device!r} is not a device.", hint="use 'cpu', 'gpu' or 'gpu:0'.")
        )
    return _DEVICES[kind]


def get_device() -> str:
    """Where new tensors live: `cpu` or `gpu:0`."""
    return _current.place
