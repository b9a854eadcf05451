"""What a layer consists of: its attributes, looked through by kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minigrad.errors import ArgumentTypeError, ArgumentValueError, message
from minigrad.tensor import Parameter, Tensor

__all__ = ["Members", "joined"]


class Members:
    """The half of Layer that finds and enters parameters, buffers and sublayers.

    There is no second book: an attribute that is a Parameter is a parameter, one that is a Layer is
    a sublayer, and one whose name was registered as a buffer is a buffer.
    """

    _buffer_names: dict[str, bool]  # and whether state_dict has it

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """The layers directly inside, each with its attribute's name."""
        for name, value in list(vars(self).items()):
            if isinstance(value, Members):
                yield name, value

    def children(self) -> Iterator[Any]:
        """The layers directly inside."""
        return (layer for _, layer in self.named_children())

    def named_sublayers(
        self,
        prefix: str = "",
        include_self: bool = False,
        layers_set: set[Any] | None = None,
    ) -> Iterator[tuple[str, Any]]:
        """All layers inside with their paths (`blocks.0.fc`), each once, the outer ones first."""
        seen = set() if layers_set is None else layers_set
        if self in seen:
            return
        seen.add(self)
        if include_self:
            yield prefix, self
        for name, layer in self.named_children():
            yield from layer.named_sublayers(joined(prefix, name), True, seen)

    def sublayers(self, include_self: bool = False) -> list[Any]:
        """All layers inside, each once, the outer ones first."""
        return [layer for _, layer in self.named_sublayers(include_self=include_self)]

    def named_parameters(
        self, prefix: str = "", include_sublayers: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters with their paths (`fc1.weight`), each once."""
        seen: set[int] = set()
        for path, layer in self._layers(prefix, include_sublayers):
            for name, value in list(vars(layer).items()):
                is_new = isinstance(value, Parameter) and id(value) not in seen
                if is_new and name not in layer._buffer_names:
                    seen.add(id(value))
                    yield joined(path, name), value

    def parameters(self, include_sublayers: bool = True) -> list[Parameter]:
        """The parameters, each once: what an optimizer is given."""
        return [p for _, p in self.named_parameters(include_sublayers=include_sublayers)]

    def named_buffers(
        self, prefix: str = "", include_sublayers: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """The buffers with their paths."""
        for path, layer in self._layers(prefix, include_sublayers):
            for name in layer._buffer_names:
                if vars(layer).get(name) is not None:
                    yield joined(path, name), vars(layer)[name]

    def buffers(self, include_sublayers: bool = True) -> list[Tensor]:
        """The buffers: tensors that belong to the layer and are not learned."""
        return [b for _, b in self.named_buffers(include_sublayers=include_sublayers)]

    def _layers(self, prefix: str, inside: bool) -> Iterator[tuple[str, Any]]:
        return self.named_sublayers(prefix, True) if inside else iter([(prefix, self)])

    def add_sublayer(self, name: str, sublayer: Any) -> Any:
        """Put a layer inside under a name that need not be an identifier; the layer."""
        self._add(name, sublayer, Members, "sublayer")
        return sublayer

    def add_parameter(self, name: str, parameter: Parameter | None) -> Parameter | None:
        """Enter a parameter under a name (None: there is none of that name); the parameter."""
        self._add(name, parameter, (Parameter, type(None)), "parameter")
        return parameter

    def register_buffer(self, name: str, tensor: Tensor | None, persistable: bool = True) -> None:
        """Enter a tensor that is not learned; `persistable` says whether `state_dict` has it."""
        self._add(name, tensor, (Tensor, type(None)), "buffer")
        self._buffer_names[name] = persistable

    def _add(self, name: Any, value: Any, kinds: Any, what: str) -> None:
        if not isinstance(value, kinds):
            raise ArgumentTypeError(
                message(f"A {what} cannot be {type(value).__name__}: {name!r} was not added.")
            )
        if not isinstance(name, str) or not name or "." in name:
            raise ArgumentValueError(
                message(
                    f"{name!r} cannot name a {what}.",
                    why="a name is a string, not empty, without the dot that paths are made with.",
                )
            )
        if hasattr(type(self), name):
            raise ArgumentValueError(
                message(f"{name!r} cannot name a {what}.", why="the class has an attribute of it.")
            )
        setattr(self, name, value)


def joined(prefix: str, name: str) -> str:
    """The path of a name inside `prefix`.

    Example
    -------
    >>> joined("", "fc"), joined("net", "fc")
    ('fc', 'net.fc')
    """
    return f"{prefix}.{name}" if prefix else name
