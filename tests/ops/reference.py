"""What each op computes, by hand in NumPy, as plainly as can be: the oracle of the examples."""

from __future__ import annotations

import numpy as np


def scale(x, scale=1.0, bias=0.0, bias_after_scale=True):
    return scale * x + bias if bias_after_scale else scale * (x + bias)


def axes(axis):
    return tuple(axis) if isinstance(axis, list) else axis


def reduction(function):
    def reduced(x, axis=None, keepdim=False):
        return function(x, axis=axes(axis), keepdims=keepdim)

    return reduced


def total(x, axis=None, dtype=None, keepdim=False):
    if dtype is None and not np.issubdtype(x.dtype, np.floating):
        dtype = np.int64
    return np.sum(x, axis=axes(axis), dtype=dtype, keepdims=keepdim)


def mean(x, axis=None, keepdim=False):
    one = np.ones_like(x)
    return total(x, axis, keepdim=keepdim) / total(one, axis, keepdim=keepdim)


def place(function):
    def found(x, axis=None, keepdim=False, dtype=None):
        where = np.asarray(function(x, axis=axis, keepdims=keepdim))
        return where.astype(dtype or np.int64)

    return found


def softmax(x, axis=-1):
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def log_softmax(x, axis=-1):
    return np.log(softmax(x, axis))


def cross_entropy(logits, label, ignore_index=-100, axis=-1):
    scores = np.moveaxis(log_softmax(logits, axis), axis, -1)
    losses = np.zeros(label.shape, logits.dtype)
    for index in np.ndindex(label.shape):
        if label[index] != ignore_index:
            losses[index] = -scores[(*index, label[index])]
    return losses


def matmul(x, y, transpose_x=False, transpose_y=False):
    x = np.swapaxes(x, -1, -2) if transpose_x and x.ndim > 1 else x
    y = np.swapaxes(y, -1, -2) if transpose_y and y.ndim > 1 else y
    letters_x, letters_y = ["k", "ik"][x.ndim > 1], ["k", "kj"][y.ndim > 1]
    result = letters_x.replace("k", "") + letters_y.replace("k", "")
    return np.einsum(f"...{letters_x},...{letters_y}->...{result}", x, y)


def linear(x, weight, bias=0.0):
    return np.einsum("...i,io->...o", x, weight) + bias


def set_item(x, value, index):
    out = x.copy()
    out[index] = value
    return out


def scatter_add(x, shape, index):
    out = np.zeros(shape, x.dtype)
    np.add.at(out, index, x)
    return out


def reshape(x, shape):
    return x.reshape([x.shape[i] if n == 0 and x.size else n for i, n in enumerate(shape)])


def squeeze(x, axis=None):
    listed = range(x.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    return np.squeeze(x, tuple(a for a in listed if x.shape[a] == 1))


def unsqueeze(x, axis):
    for a in [axis] if isinstance(axis, int) else axis:
        x = np.expand_dims(x, a)
    return x


def expand(x, shape):
    kept = (1,) * (len(shape) - x.ndim) + x.shape
    return np.broadcast_to(x, [k if n == -1 else n for n, k in zip(shape, kept, strict=True)])


def split(x, num_or_sections, axis=0):
    if isinstance(num_or_sections, int):
        return np.split(x, num_or_sections, axis)
    known = sum(n for n in num_or_sections if n > 0)
    lengths = [x.shape[axis] - known if n < 0 else n for n in num_or_sections]
    return np.split(x, np.cumsum(lengths)[:-1], axis)


def cast(x, dtype):
    return x.astype(dtype)


def concat(xs, axis=0):
    return np.concatenate(xs, axis)


def stack(xs, axis=0):
    return np.stack(xs, axis)
