"""Traces made by hand: dicts as `Trace.to_dict()` gives them, without the engine.

`backward` is a toy that writes down one pass over nodes that multiply by constants. What reads
traces is tested with it on graphs of any shape, and stays testable when the engine is broken.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from minigrad.tracing.encode import decode
from minigrad.tracing.trace import Trace

Json = dict[str, Any]


def add(name: str, expression: str, edges: list[list[int] | None], **more: Any) -> Json:
    """The record of an `add`; `factors` in `more` are what each edge multiplies by."""
    return {
        "kind": "op",
        "op": "add",
        "name": "",
        "variable": name,
        "expression": expression,
        "slots": [{"shape": [2], "dtype": "float64", "variable": name}],
        "operands": ["x", "y"][: len(edges)],
        "edges": edges,
        **more,
    }


def leaf(name: str) -> Json:
    """The record of the accumulation node of a leaf."""
    slots = [{"shape": [2], "dtype": "float64", "variable": name}]
    return {"kind": "accumulation", "name": name, "slots": slots}


def backward(nodes: list[Json], roots: list[list[int]], *, bytes_saved: int = 0) -> Json:
    """The trace of one backward pass from `roots`, each seeded with ones."""
    return _Toy(nodes, bytes_saved).run(roots)


def three_roots() -> Json:
    """c = a + b; d = c + c; e = d + d, all three of them roots (PaddlePaddle/Paddle#72816)."""
    nodes = [
        leaf("a"),
        leaf("b"),
        add("c", "a + b", [[0, 0], [1, 0]]),
        add("d", "c + c", [[2, 0], [2, 0]]),
        add("e", "d + d", [[3, 0], [3, 0]]),
    ]
    return backward(nodes, [[4, 0], [2, 0], [3, 0]])


def chain(length: int) -> Json:
    """A leaf and `length` ops, each of which has the one before as its only input."""
    nodes = [leaf("x")]
    nodes += [add(f"y{i}", f"y{i - 1} * 1", [[i - 1, 0]]) for i in range(1, length + 1)]
    return backward(nodes, [[length, 0]])


def network(layers: int = 3) -> Json:
    """Something like a small net: every layer has a weight and a bias, and there is one skip."""
    nodes: list[Json] = []

    def new(record: Json) -> int:
        nodes.append(record)
        return len(nodes) - 1

    x = hidden = new(add("h0", "embed(x)", [[new(leaf("embedding")), 0]], op="embed"))
    for i in range(1, layers + 1):
        weight, bias = new(leaf(f"fc{i}.weight")), new(leaf(f"fc{i}.bias"))
        product = new(add("", f"h{i - 1} @ w", [[hidden, 0], [weight, 0]], op="matmul"))
        linear = new(add(f"a{i}", f"h{i - 1} @ w + b", [[product, 0], [bias, 0]]))
        hidden = new(add(f"h{i}", f"relu(a{i})", [[linear, 0]], op="relu"))
    joined = new(add("out", f"h{layers} + h0", [[hidden, 0], [x, 0]]))
    loss = new(add("loss", "out.mean()", [[joined, 0]], op="mean"))
    return backward(nodes, [[loss, 0]], bytes_saved=16)


class _Toy:
    """One run of the toy engine: what it has written down so far."""

    def __init__(self, nodes: list[Json], bytes_saved: int) -> None:
        counts: dict[str, int] = {}
        self.factors = [node.pop("factors", [1.0] * len(node.get("edges", []))) for node in nodes]
        self.nodes = nodes
        for number, node in enumerate(nodes):
            node["id"] = number
            if node["kind"] == "op":
                counts[node["op"]] = counts.get(node["op"], 0) + 1
                node["name"] = f"{node['op']}{counts[node['op']]}"
            if bytes_saved and node["kind"] == "op":
                saved = {"name": "x", "shape": [2], "dtype": "float64", "bytes": bytes_saved}
                node["saved"] = [{**saved, "buffer": number}]
        self.values: list[Json] = []
        self.events: list[Json] = []
        self.steps: list[Json] = []
        self.waiting = dict.fromkeys(range(len(nodes)), 0)
        self.holders: dict[int, int] = {}  # node: values index; every node has one slot

    def run(self, roots: list[list[int]]) -> Json:
        waiting = self._in_degrees([root for root, _ in roots])
        self._event("pass_begin", roots=roots, waiting=waiting)
        begun = 0
        for root, slot in roots:
            self._event("seed", node=root, slot=slot, value=self._value([1.0, 1.0]), given=True)
            self._deliver(root, self.events[-1])
            self._step("seed", root, begun)
            begun = len(self.events)
        self.ready = deque(dict.fromkeys(root for root, _ in roots if not self.waiting[root]))
        for root in self.ready:
            self._event("ready", node=root)
        self.steps[-1]["last"] = len(self.events) - 1
        while self.ready:
            self._fire(self.ready.popleft())
        self._event("pass_end")
        self.steps[-1]["last"] = len(self.events) - 1
        names = ", ".join(self.nodes[root].get("variable", "") for root, _ in roots)
        whole = {"id": 0, "kind": "backward", "roots": roots, "last": len(self.events) - 1}
        return {
            "version": 1,
            "title": f"backward of {names}",
            "nodes": self.nodes,
            "ops": {"add": {"formula": "z = x + y", "rules": {"x": "g", "y": "g"}}},
            "values": self.values,
            "passes": [{**whole, "first": 0}],
            "events": self.events,
            "steps": self.steps,
        }

    def _fire(self, node: int) -> None:
        begun = len(self.events)
        held = self.holders.pop(node)
        self._event("node_begin", node=node, values=[held])
        if self.nodes[node]["kind"] == "accumulation":
            self._event("leaf", node=node, contribution=held, after=held, how="moved")
        if self.nodes[node].get("saved"):
            self._event("free", node=node, bytes=self.nodes[node]["saved"][0]["bytes"])
        for number, edge in enumerate(self.nodes[node].get("edges", [])):
            if edge is not None:
                self._arrive(node, number, edge, held)
        self._event("node_end", node=node)
        leaf_step = self.nodes[node]["kind"] == "accumulation"
        self._step("leaf" if leaf_step else "node", node, begun)

    def _arrive(self, node: int, number: int, edge: list[int], held: int) -> None:
        factor = self.factors[node][number]
        sent = self._value([factor * item for item in self.values[held]["data"]])
        target, slot = edge
        self.waiting[target] -= 1
        fields = {"source": node, "edge": number, "target": target, "slot": slot}
        self._event("arrive", **fields, contribution=sent, waits=self.waiting[target])
        self._deliver(target, self.events[-1], sent)
        if not self.waiting[target]:
            front = self.nodes[target]["kind"] == "accumulation"
            (self.ready.appendleft if front else self.ready.append)(target)
            self._event("ready", node=target, **({"front": True} if front else {}))

    def _deliver(self, target: int, event: Json, sent: int | None = None) -> None:
        """Add to the holder of `target`, and write into the event what that did."""
        sent = event["value"] if sent is None else sent
        before = self.holders.get(target)
        if before is None:
            self.holders[target] = sent
            event.update({"after": sent, "how": "moved"} if event["kind"] == "arrive" else {})
            return
        pairs = zip(self.values[before]["data"], self.values[sent]["data"], strict=True)
        self.holders[target] = self._value([a + b for a, b in pairs])
        event.update(before=before, after=self.holders[target], how="added")

    def _in_degrees(self, roots: list[int]) -> list[list[int]]:
        reached = list(dict.fromkeys(roots))
        known = set(reached)
        for node in reached:
            for edge in self.nodes[node].get("edges", []):
                if edge is not None:
                    self.waiting[edge[0]] += 1
                    if edge[0] not in known:
                        known.add(edge[0])
                        reached.append(edge[0])
        return [[node, self.waiting[node]] for node in reached if self.waiting[node]]

    def _value(self, data: list[float]) -> int:
        self.values.append({"shape": [len(data)], "dtype": "float64", "data": data})
        return len(self.values) - 1

    def _event(self, kind: str, **fields: Any) -> None:
        self.events.append({"kind": kind, "pass": 0, **fields})

    def _step(self, kind: str, node: int, first: int) -> None:
        name = self.nodes[node]["name"]
        sentence = f"{name} fired." if kind != "seed" else f"Your seed goes to {name}."
        step = {"kind": kind, "pass": 0, "node": node, "first": first, "sentence": sentence}
        self.steps.append({**step, "last": len(self.events) - 1})


def trace_of(record: Json) -> Trace:
    """The `Trace` of a dict."""
    return decode(record, Trace())
