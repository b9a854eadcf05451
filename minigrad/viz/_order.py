"""The first half of a layered drawing: which row each node stands in, and in which order.

Rows by longest path; an edge over several rows gets one dummy vertex in each row between; the order
in the rows by sweeps that put every vertex at the barycentre of its neighbours, keeping the order
with the fewest crossings. Iterative throughout: a long chain must not meet Python's stack.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

__all__ = ["Chain", "Rows", "arrange"]

_SWEEPS = 6
_SPANS = (8, 5, 3, 2, 1)  # how many rows an edge may span by dummies; the first one affordable


@dataclass(slots=True)
class Chain:
    """The edges from one node to another, drawn as one line or as parallel ones.

    `vertices` are the dummies between the two ends, top first; `lane` says that the edges span too
    many rows for dummies and run in a lane of their own, beside the drawing.
    """

    source: int
    target: int
    edges: list[tuple[int, int]]  # (edge, slot of the target)
    vertices: list[int] = field(default_factory=list)
    lane: bool = False


@dataclass(slots=True)
class Rows:
    """Vertices in rows: node ids, and negative numbers for dummies."""

    rows: list[list[int]]
    row_of: dict[int, int]
    chains: list[Chain]
    below: dict[int, list[int]]
    above: dict[int, list[int]]


def arrange(nodes: Sequence[int], edges: Iterable[tuple[int, int, int, int]]) -> Rows:
    """Put `nodes` into ordered rows so that every edge points to a lower row.

    Parameters
    ----------
    nodes: ids, in the order in which unrelated nodes shall stand from left to right.
    edges: (source, edge, target, slot); both ends in `nodes`, no cycles.
    """
    chains = _bundle(edges)
    row_of = _longest_paths(nodes, chains)
    rows = _with_dummies(nodes, row_of, chains)
    _first_order(nodes, rows)
    _fewer_crossings(rows)
    return rows


def _bundle(edges: Iterable[tuple[int, int, int, int]]) -> list[Chain]:
    chains: dict[tuple[int, int], Chain] = {}
    for source, edge, target, slot in edges:
        chain = chains.setdefault((source, target), Chain(source, target, []))
        chain.edges.append((edge, slot))
    return list(chains.values())


def _longest_paths(nodes: Sequence[int], chains: list[Chain]) -> dict[int, int]:
    """Every node one row below the lowest that feeds it; a root right above its first target."""
    after: dict[int, list[int]] = {node: [] for node in nodes}
    waiting = dict.fromkeys(nodes, 0)
    for chain in chains:
        after[chain.source].append(chain.target)
        waiting[chain.target] += 1
    tops = [node for node in nodes if not waiting[node]]
    row_of = dict.fromkeys(nodes, 0)
    ready = deque(tops)
    while ready:
        node = ready.popleft()
        for target in after[node]:
            row_of[target] = max(row_of[target], row_of[node] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    for node in tops:
        if after[node]:
            row_of[node] = min(row_of[target] for target in after[node]) - 1
    return row_of


def _with_dummies(nodes: Sequence[int], row_of: dict[int, int], chains: list[Chain]) -> Rows:
    lengths = [row_of[chain.target] - row_of[chain.source] for chain in chains]
    budget = 4 * len(nodes) + 200
    span = next(
        (s for s in _SPANS if sum(n - 1 for n in lengths if n <= s) <= budget),
        1,
    )
    rows: list[list[int]] = [[] for _ in range(max(row_of.values(), default=-1) + 1)]
    for node in nodes:
        rows[row_of[node]].append(node)
    result = Rows(rows, row_of, chains, {n: [] for n in nodes}, {n: [] for n in nodes})
    dummy = 0
    for chain, length in zip(chains, lengths, strict=True):
        if length > span:
            chain.lane = True
            continue
        upper = chain.source
        for row in range(row_of[chain.source] + 1, row_of[chain.target]):
            dummy -= 1
            chain.vertices.append(dummy)
            rows[row].append(dummy)
            row_of[dummy] = row
            result.below[dummy], result.above[dummy] = [], []
            result.below[upper].append(dummy)
            result.above[dummy].append(upper)
            upper = dummy
        result.below[upper].append(chain.target)
        result.above[chain.target].append(upper)
    return result


def _first_order(nodes: Sequence[int], result: Rows) -> None:
    """Order each row as a walk down from the roots, left inputs first, meets its vertices."""
    met: dict[int, int] = {}
    for top in nodes:
        if result.above[top]:
            continue
        stack = [top]
        while stack:
            vertex = stack.pop()
            if vertex in met:
                continue
            met[vertex] = len(met)
            stack.extend(reversed(result.below[vertex]))
    for row in result.rows:
        row.sort(key=met.__getitem__)


def _fewer_crossings(result: Rows) -> None:
    best, fewest = [row[:] for row in result.rows], _crossings(result)
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        down = sweep % 2 == 0
        neighbours = result.above if down else result.below
        order = range(1, len(result.rows)) if down else range(len(result.rows) - 2, -1, -1)
        for index in order:
            _by_barycentre(
                result.rows[index], result.rows[index - 1 if down else index + 1], neighbours
            )
        crossings = _crossings(result)
        if crossings < fewest:
            best, fewest = [row[:] for row in result.rows], crossings
    result.rows[:] = best


def _by_barycentre(row: list[int], fixed: list[int], neighbours: dict[int, list[int]]) -> None:
    place = {vertex: index for index, vertex in enumerate(fixed)}
    key = {}
    previous = 0.0
    for vertex in row:
        found = [place[other] for other in neighbours[vertex]]
        previous = (
            sum(found) / len(found) if found else previous
        )  # no neighbour: stay beside the left one
        key[vertex] = previous
    row.sort(key=key.__getitem__)


def _crossings(result: Rows) -> int:
    total = 0
    for upper, lower in zip(result.rows, result.rows[1:], strict=False):
        if len(upper) == 1 or len(lower) == 1:
            continue
        place = {vertex: index for index, vertex in enumerate(lower)}
        seen: list[int] = []
        for vertex in upper:
            ends = sorted(place[other] for other in result.below[vertex])
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total
