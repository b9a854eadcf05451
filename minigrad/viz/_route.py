"""The lines of a layered drawing: where they leave and enter the boxes, and how they bend between.

Lines leave a box at its lower side and enter at the upper one, side by side in the order in which
their other ends stand, so that they do not cross more than they must. Several edges between two
boxes bow apart. An edge over very many rows runs in a lane to the left of the drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from minigrad.viz._order import Chain, Rows
from minigrad.viz._place import spread

__all__ = ["LANE", "Box", "lanes", "number", "route"]

LANE = 14.0
"""The distance between two lanes."""

_APART = 44.0  # between two lines at a box with room for it
_CORNER = 24.0  # what they keep clear of the box's corners
_BOW = 15.0
_TURN = 56.0  # the height in which a line turns into its lane


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its top left corner; a dummy vertex has no width."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Its middle from left to right."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """Its lower side."""
        return self.y + self.height


def lanes(rows: Rows) -> dict[tuple[int, int], int]:
    """Which lane, 0 next to the drawing, each chain (source, target) in need of one runs in.

    Lines to one target share a lane; lanes whose rows do not overlap are one lane.
    """
    to: dict[int, list[Chain]] = {}
    for chain in rows.chains:
        if chain.lane:
            to.setdefault(chain.target, []).append(chain)
    spans = sorted(
        (min(rows.row_of[chain.source] for chain in chains), rows.row_of[target], target)
        for target, chains in to.items()
    )
    found: dict[tuple[int, int], int] = {}
    free_from: list[int] = []  # for each lane, the first row in which it is free
    for begin, end, target in spans:
        lane = next((i for i, row in enumerate(free_from) if row < begin), len(free_from))
        free_from[lane : lane + 1] = [end]
        found.update(((chain.source, target), lane) for chain in to[target])
    return found


def route(
    rows: Rows, boxes: dict[int, Box], lane_of: dict[tuple[int, int], int], left: float
) -> dict[tuple[int, int], str]:
    """The path of every edge, by (source, edge).

    Parameters
    ----------
    rows, boxes: the vertices, ordered and placed.
    lane_of: what `lanes` gave.
    left: where the drawing ends and lane 0 begins.
    """
    outgoing: dict[int, list[_End]] = {}
    incoming: dict[int, list[_End]] = {}
    for chain in rows.chains:
        in_lane = (chain.source, chain.target) in lane_of
        first, last = (chain.vertices or [chain.target])[0], (chain.vertices or [chain.source])[-1]
        for edge, _ in chain.edges:
            key = (chain.source, edge)
            to, by = (left, left) if in_lane else (boxes[first].middle, boxes[last].middle)
            outgoing.setdefault(chain.source, []).append((to, chain.target, edge, key))
            incoming.setdefault(chain.target, []).append((by, chain.source, edge, key))
    start, end = _ports(outgoing, boxes), _ports(incoming, boxes)
    paths: dict[tuple[int, int], str] = {}
    for chain in rows.chains:
        top, bottom = boxes[chain.source].bottom, boxes[chain.target].y
        lane = lane_of.get((chain.source, chain.target))
        for (edge, _), side in zip(chain.edges, _sides(len(chain.edges)), strict=True):
            key = (chain.source, edge)
            ends = (start[key], top), (end[key], bottom)
            if lane is not None:
                paths[key] = _through_lane(*ends, left - LANE * (lane + 0.5) + side * LANE / 4)
            else:
                paths[key] = _through_rows(*ends, chain, boxes, side)
    return paths


Point = tuple[float, float]
_End = tuple[float, int, int, tuple[int, int]]  # sorts by where the other end is


def _ports(ends: dict[int, list[_End]], boxes: dict[int, Box]) -> dict[tuple[int, int], float]:
    """Where along the side of its box each line begins or ends: near its other end, but apart."""
    found: dict[tuple[int, int], float] = {}
    for vertex, lines in ends.items():
        box = boxes[vertex]
        lines.sort()
        if len(lines) == 1:  # as most are
            found[lines[0][3]] = box.middle
            continue
        apart = min(_APART, (box.width - 2 * _CORNER) / (len(lines) - 1))
        reach = apart * (len(lines) - 1) / 2
        pulls = [[(min(max(to, box.middle - reach), box.middle + reach), 1.0)] for to, *_ in lines]
        gaps = [apart if a[1] == b[1] else apart / 2 for a, b in pairwise(lines)]
        for (*_, key), port in zip(lines, _kept(spread(pulls, gaps), gaps, box), strict=True):
            found[key] = port
    return found


def _kept(ports: list[float], gaps: list[float], box: Box) -> list[float]:
    """The ports, moved as little as it takes to keep them off the corners of the box."""
    before = list(accumulate(gaps, initial=0.0))
    least, most = box.x + _CORNER, box.x + box.width - _CORNER - before[-1]
    return [
        min(max(port, least + offset), most + offset)
        for port, offset in zip(ports, before, strict=True)
    ]


def _sides(count: int) -> list[float]:
    """How far to the left (-1) or right (1) each of `count` parallel edges bows."""
    if count == 1:
        return [0.0]
    return [2 * index / (count - 1) - 1 for index in range(count)]


def _through_rows(
    start: Point, end: Point, chain: Chain, boxes: dict[int, Box], side: float
) -> str:
    pieces = [f"M{number(start[0])} {number(start[1])}"]
    at = start
    shift = side * min(_BOW, 5.0 * len(chain.edges)) if chain.vertices else 0.0
    for vertex in chain.vertices:
        box = boxes[vertex]
        pieces.append(_curve(at, (box.middle + shift, box.y)))
        pieces.append(f"V{number(box.bottom)}")
        at = (box.middle + shift, box.bottom)
    pieces.append(_curve(at, end, 0.0 if chain.vertices else side * _BOW))
    return "".join(pieces)


def _through_lane(start: Point, end: Point, x: float) -> str:
    down, up = (x, start[1] + _TURN), (x, end[1] - _TURN)
    first = f"M{number(start[0])} {number(start[1])}"
    return f"{first}{_curve(start, down)}V{number(up[1])}{_curve(up, end)}"


def _curve(start: Point, end: Point, bow: float = 0.0) -> str:
    """A curve that leaves and arrives vertically, or bowed to one side."""
    reach = 0.45 * (end[1] - start[1])
    points: Sequence[Point] = (
        (start[0] + bow, start[1] + reach),
        (end[0] + bow, end[1] - reach),
        end,
    )
    return "C" + " ".join(f"{number(x)} {number(y)}" for x, y in points)


def number(value: float) -> str:
    """A coordinate, no longer than it needs to be.

    Example
    -------
    >>> number(12.0), number(12.345)
    ('12', '12.3')
    """
    return f"{value:.1f}".removesuffix(".0")
