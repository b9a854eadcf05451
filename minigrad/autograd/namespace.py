"""The array namespace on Tensors: what gradient rules see as `xp` under `create_graph`.

The same names as on arrays, each an op with a graph of its own. So a rule that is written once
computes a gradient from arrays, and builds the graph of that gradient from Tensors.
"""

from __future__ import annotations

from typing import Any

from minigrad.ops import elementwise, indexing, linalg, logic, reduce, shape

__all__ = ["tensor_namespace"]


class tensor_namespace:  # noqa: N801 (a namespace, never instantiated)
    """Array API names for Tensors."""

    exp = elementwise.exp
    log = elementwise.log
    sqrt = elementwise.sqrt
    tanh = elementwise.tanh
    abs = elementwise.abs
    sign = elementwise.sign
    floor = elementwise.floor
    maximum = elementwise.maximum
    minimum = elementwise.minimum
    where = elementwise.where
    matmul = linalg.matmul
    reshape = shape.reshape
    permute_dims = shape.transpose
    broadcast_to = shape.expand
    concat = shape.concat
    stack = shape.stack
    isfinite = logic.isfinite
    take_index = indexing.getitem
    put_index = staticmethod(lambda x, index, values: indexing.set_item(x, values, index))

    @staticmethod
    def scatter_add(shape: tuple[int, ...], index: Any, values: Any) -> Any:
        return indexing.scatter_add(values, shape, index)

    @staticmethod
    def sum(x: Any, axis: Any = None, *, keepdims: bool = False, dtype: Any = None) -> Any:
        return reduce.sum(x, axis, dtype, keepdims) if axis != () else x

    @staticmethod
    def mean(x: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
        return reduce.mean(x, axis, keepdims)

    @staticmethod
    def max(x: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
        return reduce.max(x, axis, keepdims)

    @staticmethod
    def min(x: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
        return reduce.min(x, axis, keepdims)

    @staticmethod
    def any(x: Any) -> Any:
        return reduce.any(x)

    @staticmethod
    def expand_dims(x: Any, *, axis: int) -> Any:
        return shape.unsqueeze(x, axis)

    @staticmethod
    def squeeze(x: Any, axis: Any) -> Any:
        return shape.squeeze(x, axis)

    @staticmethod
    def matrix_transpose(x: Any) -> Any:
        rank = len(x.shape)
        return shape.transpose(x, [*range(rank - 2), rank - 1, rank - 2])

    @staticmethod
    def astype(x: Any, dtype: Any) -> Any:
        return elementwise.cast(x, dtype)

    @staticmethod
    def zeros_like(x: Any) -> Any:
        from minigrad.creation import zeros_like

        return zeros_like(x)

    @staticmethod
    def ones_like(x: Any) -> Any:
        from minigrad.creation import ones_like

        return ones_like(x)

    @staticmethod
    def numbers_like(x: Any, count: int) -> Any:
        from minigrad.tensor import wrap

        return wrap(x._backend.xp.numbers_like(x._data, count), x._backend)
