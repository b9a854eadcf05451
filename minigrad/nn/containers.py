"""Layers that hold other layers in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from minigrad.errors import ArgumentTypeError, message
from minigrad.nn.layer import Layer

__all__ = ["LayerList", "Sequential"]


class _Ordered(Layer):
    """A layer whose sublayers can be counted and indexed."""

    def __len__(self) -> int:
        return sum(1 for _ in self.children())

    def __iter__(self) -> Iterator[Layer]:
        return self.children()

    def __contains__(self, layer: object) -> bool:
        return any(child is layer for child in self.children())

    def __bool__(self) -> bool:
        return True  # an empty one is a layer too

    def __getitem__(self, index: Any) -> Any:
        named = dict(self.named_children())
        if isinstance(index, str):
            return named[index]
        if isinstance(index, slice):
            return type(self)(*self._chosen(list(named.values())[index]))
        return list(named.values())[index]

    def _chosen(self, layers: list[Layer]) -> list[Any]:
        """The arguments that make a container of these layers."""
        return layers


class Sequential(_Ordered):
    """Layers that run one after another, each on the result of the one before.

    Parameters
    ----------
    layers: layers, or pairs (name, layer); without names they are called 0, 1, 2, ...

    Example
    -------
    >>> import minigrad as mg
    >>> net = mg.nn.Sequential(mg.nn.Linear(2, 3), mg.nn.ReLU())
    >>> net
    Sequential(
      (0): Linear(in_features=2, out_features=3, dtype=float32)
      (1): ReLU()
    )
    >>> net(mg.ones([4, 2])).shape
    [4, 3]
    """

    def __init__(self, *layers: Any) -> None:
        super().__init__()
        for place, given in enumerate(layers):
            name, layer = given if isinstance(given, (tuple, list)) else (str(place), given)
            self.add_sublayer(name, layer)

    def __setitem__(self, index: int | str, layer: Layer) -> None:
        self.add_sublayer(self._name_at(index), layer)

    def __delitem__(self, index: int | str) -> None:
        delattr(self, self._name_at(index))

    def _name_at(self, index: int | str) -> str:
        return index if isinstance(index, str) else [n for n, _ in self.named_children()][index]

    def forward(self, x: Any) -> Any:
        """Run the layers in order."""
        for layer in self.children():
            x = layer(x)
        return x


class LayerList(_Ordered):
    """A list of layers whose parameters are found, unlike those in a plain list.

    Example
    -------
    >>> import minigrad as mg
    >>> blocks = mg.nn.LayerList([mg.nn.Linear(2, 2) for _ in range(3)])
    >>> len(blocks), len(blocks.parameters())
    (3, 6)
    """

    def __init__(self, sublayers: Iterable[Layer] | None = None) -> None:
        super().__init__()
        self.extend(sublayers or [])

    def _chosen(self, layers: list[Layer]) -> list[Any]:
        return [layers]

    def __setitem__(self, index: int, layer: Layer) -> None:
        layers = list(self)
        layers[index] = layer
        self._hold(layers)

    def __delitem__(self, index: int | slice) -> None:
        layers = list(self)
        del layers[index]
        self._hold(layers)

    def append(self, sublayer: Layer) -> LayerList:
        """Put a layer at the end; the list."""
        return self.extend([sublayer])

    def extend(self, sublayers: Iterable[Layer]) -> LayerList:
        """Put layers at the end; the list.

        Raises
        ------
        ArgumentTypeError: something in it is no layer.
        """
        self._hold([*self, *sublayers])
        return self

    def insert(self, index: int, sublayer: Layer) -> None:
        """Put a layer before the one at `index`."""
        layers = list(self)
        layers.insert(index, sublayer)
        self._hold(layers)

    def _hold(self, layers: list[Layer]) -> None:
        for layer in layers:
            if not isinstance(layer, Layer):
                raise ArgumentTypeError(
                    message(f"A LayerList holds layers, not {type(layer).__name__}.")
                )
        for name, _ in list(self.named_children()):
            delattr(self, name)
        for place, layer in enumerate(layers):
            self.add_sublayer(str(place), layer)
