// What is known after each step. The events are folded once; after that any step is only looked up.

/**
 * A node's condition from one event on.
 * @typedef {{at: number, state: string, waits: number, freed: boolean, run: number, parts: number,
 *            values: (object|null)[]}} Condition
 */

/** Bytes of one element of a dtype. */
function itemSize(dtype) {
  if (dtype === "bool") return 1;
  return Number(dtype.replace(/\D/g, "") || 64) / 8;
}

/** Bytes of a value. */
function byteSize(value) {
  return value ? value.shape.reduce((a, b) => a * b, 1) * itemSize(value.dtype) : 0;
}

/** The trace, folded: conditions of nodes, queue and memory after any step. */
class Story {
  constructor(trace) {
    this.trace = trace;
    this.steps = trace.steps;
    /** @type {Map<number, Condition[]>} */
    this.conditions = new Map();
    /** @type {Map<number, object[][]>} contributions of each run of a node */
    this.parts = new Map();
    /** @type {Map<number, {at: number, event: object}[]>} */
    this.leaves = new Map();
    this.queues = [];
    this.memory = [];
    this.touched = [];
    this.sent = new Map();
    this.#fold();
  }

  value(index) {
    return index === undefined || index === null ? null : this.trace.values[index];
  }

  #now(node) {
    const list = this.conditions.get(node);
    return list ? list[list.length - 1] : null;
  }

  #change(at, node, change) {
    const before = this.#now(node) || {
      state: "waiting", waits: 0, freed: false, run: 0, parts: 0, values: [],
    };
    const next = { ...before, ...change, at };
    const list = this.conditions.get(node) || [];
    if (list.length && list[list.length - 1].at === at) list.pop();
    list.push(next);
    this.conditions.set(node, list);
    this.now.add(node);
  }

  #part(at, node, slot, part, after) {
    const condition = this.#now(node);
    const runs = this.parts.get(node) || [[]];
    this.parts.set(node, runs);
    while (runs.length <= condition.run) runs.push([]);
    runs[condition.run].push({ ...part, slot });
    const values = condition.values.slice();
    values[slot] = after;
    this.#change(at, node, { values, parts: runs[condition.run].length });
  }

  #fold() {
    const { events, steps } = this.trace;
    const queue = [];
    const saved = this.#savedBytes();
    let held = 0, grads = 0;
    let step = 0;
    this.now = new Set();
    events.forEach((event, at) => {
      const value = (name) => this.value(event[name]);
      const replace = (node, slot, after) => {
        held += byteSize(after) - byteSize(this.#now(node)?.values[slot]);
      };
      switch (event.kind) {
        case "pass_begin":
          for (const [node] of event.roots || []) this.#begin(at, node, 0);
          for (const [node, waits] of event.waiting || []) this.#begin(at, node, waits);
          break;
        case "seed": {
          const after = value("after") || value("value");
          replace(event.node, event.slot, after);
          const part = { from: null, given: !!event.given, value: value("value"), at };
          this.#part(at, event.node, event.slot, part, after);
          break;
        }
        case "ready":
          this.#change(at, event.node, { state: "ready" });
          if (event.front) queue.unshift(event.node);
          else queue.push(event.node);
          break;
        case "node_begin": {
          const place = queue.indexOf(event.node);
          if (place >= 0) queue.splice(place, 1);
          this.#change(at, event.node, { state: "running" });
          break;
        }
        case "hook":
          this.#part(at, event.node, event.slot,
            { hook: event.name, value: value("after"), at }, value("after"));
          break;
        case "free":
          this.#change(at, event.node, { freed: true });
          saved.drop(event.node);
          break;
        case "arrive": {
          const after = value("after");
          replace(event.target, event.slot, after);
          this.#part(at, event.target, event.slot, {
            from: event.source, edge: event.edge, value: value("contribution"),
            undefined: event.how === "undefined", at,
          }, after);
          this.#change(at, event.target, { waits: event.waits || 0 });
          const sent = this.sent.get(event.source) || [];
          sent.push({ at, event });
          this.sent.set(event.source, sent);
          break;
        }
        case "leaf": {
          const list = this.leaves.get(event.node) || [];
          list.push({ at, event });
          this.leaves.set(event.node, list);
          grads += byteSize(value("after")) - byteSize(value("before"));
          this.now.add(event.node);
          break;
        }
        case "node_end":
        case "error":
          for (const one of this.#now(event.node)?.values || []) held -= byteSize(one);
          this.#change(at, event.node, { state: "done", values: [] });
          break;
      }
      while (step < steps.length && at >= steps[step].last) {
        this.queues[step] = queue.slice();
        this.memory[step] = saved.bytes + held + grads;
        this.touched[step] = [...this.now];
        this.now = new Set();
        step += 1;
      }
    });
    for (; step < steps.length; step += 1) {
      this.queues[step] = queue.slice();
      this.memory[step] = saved.bytes + held + grads;
      this.touched[step] = [...this.now];
    }
  }

  #begin(at, node, waits) {
    const before = this.#now(node);
    const run = before ? before.run + (before.state === "done" ? 1 : 0) : 0;
    const waiting = before && before.at === at ? Math.max(before.waits, waits) : waits;
    this.#change(at, node, { state: "waiting", waits: waiting, run, parts: 0, values: [] });
  }

  /** Saved tensors: bytes now, each buffer once. */
  #savedBytes() {
    const users = new Map();
    const sizes = new Map();
    let bytes = 0;
    for (const node of this.trace.nodes) {
      for (const one of node.saved || []) {
        if (!users.has(one.buffer)) {
          users.set(one.buffer, new Set());
          sizes.set(one.buffer, one.bytes || 0);
          bytes += one.bytes || 0;
        }
        users.get(one.buffer).add(node.id);
      }
    }
    const nodes = this.trace.nodes;
    return {
      get bytes() { return bytes; },
      drop(node) {
        for (const one of nodes[node].saved || []) {
          const who = users.get(one.buffer);
          if (who.delete(node) && who.size === 0) bytes -= sizes.get(one.buffer);
        }
      },
    };
  }

  /** The last entry of a list that is not after event `at`. */
  static latest(list, at) {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle].at <= at) low = middle + 1;
      else high = middle;
    }
    return low ? list[low - 1] : null;
  }

  /** A node's condition after a step, or null before anything happened to it. */
  condition(node, step) {
    const list = this.conditions.get(node);
    if (!list) return null;
    return Story.latest(list, this.steps[step].last);
  }

  /** The contributions in a node's holder after a step, of the run it is in. */
  contributions(node, step) {
    const condition = this.condition(node, step);
    if (!condition) return [];
    return (this.parts.get(node)?.[condition.run] || []).slice(0, condition.parts);
  }

  /** What happened to a leaf last, up to a step. */
  leaf(node, step) {
    const list = this.leaves.get(node);
    return list ? (Story.latest(list, this.steps[step].last)?.event ?? null) : null;
  }

  /** What a node has sent up to a step: the arrive events. */
  deliveries(node, step) {
    const last = this.steps[step].last;
    return (this.sent.get(node) || []).filter((one) => one.at <= last).map((one) => one.event);
  }

  /** The events of one step. */
  events(step) {
    const { first, last } = this.steps[step];
    return this.trace.events.slice(first, last + 1);
  }

  /** The nodes whose look may differ between two steps. */
  between(one, other) {
    const nodes = new Set();
    for (let i = Math.min(one, other); i <= Math.max(one, other); i += 1) {
      for (const node of this.touched[i]) nodes.add(node);
    }
    return nodes;
  }
}
