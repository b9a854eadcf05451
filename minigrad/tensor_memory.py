"""What writes to the memory of a Tensor in place, and what copies it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad import backend as backends
from minigrad.autograd.modes import mode, no_grad
from minigrad.autograd.origin import describe, find_origin
from minigrad.autograd.saved import version_of
from minigrad.dtype import dtype_name
from minigrad.errors import ArgumentValueError, InplaceError, ShapeError, message

if TYPE_CHECKING:
    from minigrad.tensor import Tensor

__all__ = ["Memory"]


class Memory:
    """Writing in place, `set_value`, deepcopy and pickle.

    A write counts the version of the storage up, so that a node which saved it notices.
    """

    if TYPE_CHECKING:
        _data: Any
        _backend: Any
        _edge: Any
        _version: Any
        _borrowed: bool
        _view: bool
        stop_gradient: Any

        def __getattr__(self, name: str) -> Any: ...

    # -- writing in place ----------------------------------------------------------------------

    @property
    def inplace_version(self) -> int:
        """How often this tensor's memory was written in place."""
        return 0 if self._version is None else self._version.count

    def _write(self, value: Any) -> None:
        """Replace the elements, in this tensor's memory, by those of an array like it."""
        if self._borrowed:
            self._data, self._version, self._borrowed = value, None, False
        else:
            self._data = self._backend.write(self._data, value)
        version_of(self).step(find_origin())

    def _become(self, result: Tensor) -> Any:
        """Take over the elements and the history of `result`: what an op ending in `_` does.

        Raises
        ------
        InplaceError: this is a leaf whose gradient is wanted, or a view.
        """
        self._may_be_written(result)
        if result._data.shape != self._data.shape or result.dtype != self.dtype:
            raise ShapeError(
                message(
                    f"The result ({dtype_name(result.dtype)}{list(result.shape)}) does not fit "
                    f"into the tensor ({dtype_name(self.dtype)}{list(self.shape)}).",
                    where=describe(find_origin()),
                    hint="use the op without the _ at its end.",
                )
            )
        self._write(self._backend.copy(result._data) if self._borrowed else result._data)
        if mode.grad_enabled:
            self._edge = result._edge
        return self

    def _may_be_written(self, result: Tensor) -> None:
        if not mode.grad_enabled:
            return
        if self._edge is not None and self.is_leaf:
            raise InplaceError(
                message(
                    f"Leaf Var ({self.name}) that doesn't stop gradient can't use inplace "
                    "strategy.",
                    where=describe(find_origin()),
                    why="its gradient is wanted, and after the write there would be no leaf.",
                    hint="write under no_grad(), or use the op without the _ at its end.",
                )
            )
        if self._view and (self._edge is not None or result._edge is not None):
            raise InplaceError(
                message(
                    "An in-place operation on a view would change another tensor behind its back.",
                    where=describe(find_origin()),
                    why="the gradient of the tensor that it is a view of would be wrong.",
                    hint="write into a clone(), or under no_grad().",
                )
            )

    def set_value(self, value: Any) -> None:
        """Replace the elements, outside the graph; `value` has this shape.

        Raises
        ------
        ShapeError: another shape.
        """
        from minigrad.creation import to_tensor

        new = value if isinstance(value, Memory) else to_tensor(value)
        if new.shape != self.shape:
            raise ShapeError(
                message(
                    f"set_value got shape {list(new.shape)} for a tensor of shape "
                    f"{list(self.shape)}."
                )
            )
        with no_grad():
            self._write(self._backend.copy(new.to(self._backend.name).astype(self.dtype)._data))

    # -- Python's own protocols ----------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        import copy

        from minigrad.tensor import wrap

        if not self.is_leaf:
            raise ArgumentValueError(
                message(
                    "Only a leaf can be deep-copied.",
                    where=describe(self.grad_fn.origin if self.grad_fn else None),
                    why="a copy of an interior tensor would need a copy of its graph.",
                    hint="detach() it first, or clone() it.",
                )
            )
        new = wrap(self._backend.copy(self._data), self._backend)
        memo[id(self)] = new
        new.__class__ = type(self)  # type: ignore[assignment]
        for name, value in self.__dict__.items():
            if name == "_grad":
                new._grad = copy.deepcopy(value, memo)
            elif not name.startswith("_") or name == "_name":
                new.__dict__[name] = copy.deepcopy(value, memo)
        new.stop_gradient = self.stop_gradient
        return new

    def __reduce__(self) -> Any:
        extra = {k: v for k, v in self.__dict__.items() if not k.startswith("_") or k == "_name"}
        return _restore, (type(self), self.numpy(), self.stop_gradient, self._backend.name, extra)


def _restore(
    kind: type[Tensor], data: np.ndarray[Any, Any], stop: bool, name: str, extra: dict[str, Any]
) -> Tensor:
    from minigrad.tensor import wrap

    target = backends.get(name)
    tensor = wrap(target.asarray(data), target)
    tensor.__class__ = kind
    tensor.__dict__.update(extra)
    tensor.stop_gradient = stop
    return tensor
