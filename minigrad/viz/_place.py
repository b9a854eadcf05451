"""The second half of a layered drawing: where each vertex of an ordered row stands.

Each vertex wants to stand where its neighbours are; those of one row must keep their distance. The
best compromise for a row, in the sum of absolute (weighted) deviations, is found exactly by pooling
adjacent violators. Absolute and not squared, since a median keeps a chain with side branches
straight where a mean would bend it a little at every row.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from itertools import pairwise

from minigrad.viz._order import Rows

__all__ = ["place", "spread"]

_SWEEPS = 8
_ALMOST = 30.0

Pull = tuple[float, float]  # (where to, how strongly)


def _median(pulls: list[Pull]) -> float:
    """The middle of the weighted medians of sorted pulls."""
    if len(pulls) == 1:
        return pulls[0][0]
    half = sum(weight for _, weight in pulls) / 2
    total = 0.0
    for index, (position, weight) in enumerate(pulls):
        total += weight
        if total > half:
            return position
        if total == half:
            return (position + pulls[index + 1][0]) / 2 if index + 1 < len(pulls) else position
    return pulls[-1][0]


def spread(pulls: Sequence[list[Pull]], gaps: Sequence[float]) -> list[float]:
    """Positions from left to right, each near its pulls, neighbours at least `gaps` apart.

    Parameters
    ----------
    pulls: for each position, at least one (target, weight).
    gaps: the least distance between position i and i + 1; one fewer than positions.

    Example
    -------
    >>> spread([[(10.0, 1.0)], [(10.0, 1.0)]], [4.0])
    [8.0, 12.0]
    """
    if len(pulls) == 1:  # as in a chain, for quickness
        return [_median(sorted(pulls[0]))]
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    blocks: list[tuple[float, list[Pull], int]] = []  # (position, pulls, how many vertices)
    for own, offset in zip(pulls, offsets, strict=True):
        merged = sorted((position - offset, weight) for position, weight in own)
        middle, count = _median(merged), 1
        while blocks and blocks[-1][0] > middle:
            _, other, others = blocks.pop()
            small, merged = sorted((merged, other), key=len)
            for pull in small:
                insort(merged, pull)
            middle, count = _median(merged), count + others
        blocks.append((middle, merged, count))
    starts = [middle for middle, _, count in blocks for _ in range(count)]
    return [start + offset for start, offset in zip(starts, offsets, strict=True)]


def place(
    rows: Rows,
    left: Callable[[int], float],
    right: Callable[[int], float],
    weight: Callable[[int, int], float],
    gap: float,
) -> dict[int, float]:
    """The x of every vertex's middle.

    Parameters
    ----------
    rows: the ordered rows.
    left, right: how far a vertex reaches to either side of its middle.
    weight: how much the line between two neighbouring vertices wants to be straight.
    gap: the least distance between two vertices of a row.
    """
    gaps = [[right(a) + gap + left(b) for a, b in pairwise(row)] for row in rows.rows]
    x = _centred(rows, gaps)
    above = {v: [(u, weight(u, v)) for u in found] for v, found in rows.above.items()}
    below = {v: [(u, weight(v, u)) for u in found] for v, found in rows.below.items()}
    both = {v: above[v] + below[v] for v in above}
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        neighbours = both if sweep >= _SWEEPS - 2 else above if down else below
        order = range(len(gaps)) if down else range(len(gaps) - 1, -1, -1)
        moved = False
        for index in order:
            row = rows.rows[index]
            pulls = [
                [(x[u], strength) for u, strength in neighbours[v]] or [(x[v], 1e-3)] for v in row
            ]
            found = spread(pulls, gaps[index])
            moved = moved or any(x[v] != at for v, at in zip(row, found, strict=True))
            x.update(zip(row, found, strict=True))
        if not moved and neighbours is both:
            break
    _straighten(rows, x, gaps)
    return x


def _centred(rows: Rows, gaps: list[list[float]]) -> dict[int, float]:
    """Every row as close together as it may be, and in the middle."""
    x: dict[int, float] = {}
    for row, distances in zip(rows.rows, gaps, strict=True):
        at = -sum(distances) / 2
        for vertex, distance in zip(row, [*distances, 0.0], strict=True):
            x[vertex] = at
            at += distance
    return x


def _straighten(rows: Rows, x: dict[int, float], gaps: list[list[float]]) -> None:
    """Put what stands almost below its only neighbour above exactly there, if there is room."""
    for row, distances in zip(rows.rows, gaps, strict=True):
        for index, vertex in enumerate(row):
            above = rows.above[vertex]
            if len(above) != 1 or abs(x[above[0]] - x[vertex]) > _ALMOST:
                continue
            wanted = x[above[0]]
            least = x[row[index - 1]] + distances[index - 1] if index else wanted
            most = x[row[index + 1]] - distances[index] if index + 1 < len(row) else wanted
            if least <= wanted <= most:
                x[vertex] = wanted
