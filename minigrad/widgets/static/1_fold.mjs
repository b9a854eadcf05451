// What is known after each step. The events are folded once; after that any step is only looked up.

/**
 * A node's condition from one event on.
 * @typedef {{at: number, state: string, waits: number, freed: boolean, run: number, parts: number,
 *            values: (object|null)[]}} Condition
 */

/** Put something at the end of a list in a map. */
function append(map, key, one) {
  if (map.has(key)) map.get(key).push(one);
  else map.set(key, [one]);
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
    /** @type {Map<number, {at: number, event: any}[]>} */
    this.leaves = new Map();
    this.queues = [];
    this.memory = []; // bytes after each step
    this.peak = 0; // bytes, also in the middle of a step
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
    this.bytes.hold(after, values[slot]);
    values[slot] = after;
    this.#change(at, node, { values, parts: runs[condition.run].length });
  }

  #fold() {
    const { events, steps } = this.trace;
    this.now = new Set();
    this.bytes = new Memory(this.trace);
    this.open = new Map(); // the ready queue of each pass under way, the innermost last
    let step = 0;
    events.forEach((event, at) => {
      this.#take(event, at);
      this.peak = Math.max(this.peak, this.bytes.bytes);
      for (; step < steps.length && at >= steps[step].last; step += 1) this.#note(step);
    });
  }

  /** Keep what is known after a step. */
  #note(step) {
    this.queues[step] = [...this.open.values()].reverse().flat();
    this.memory[step] = this.bytes.bytes;
    this.touched[step] = [...this.now];
    this.now = new Set();
  }

  /** Move on by one event. */
  #take(event, at) {
    const { node } = event;
    const after = this.value(event.after);
    switch (event.kind) {
      case "op":
        this.bytes.save(node);
        break;
      case "pass_begin":
        this.open.set(event.pass || 0, []);
        this.bytes.begin(event.pass || 0);
        for (const [root] of event.roots || []) this.#begin(at, root, 0);
        for (const [other, waits] of event.waiting || []) this.#begin(at, other, waits);
        break;
      case "pass_end":
        this.open.delete(event.pass || 0);
        break;
      case "seed": {
        const value = this.value(event.value);
        const part = { from: null, given: !!event.given, value, at };
        this.#part(at, node, event.slot || 0, part, after || value);
        break;
      }
      case "ready": {
        const queue = this.open.get(event.pass || 0);
        if (event.front) queue.unshift(node);
        else queue.push(node);
        this.#change(at, node, { state: "ready" });
        break;
      }
      case "node_begin": {
        const queue = this.open.get(event.pass || 0);
        if (queue.includes(node)) queue.splice(queue.indexOf(node), 1);
        this.#change(at, node, { state: "running" });
        break;
      }
      case "hook":
        this.#part(at, node, event.slot || 0, { hook: event.name, value: after, at }, after);
        break;
      case "free":
        this.bytes.free(node);
        this.#change(at, node, { freed: true });
        break;
      case "arrive": {
        const value = this.value(event.contribution);
        const part = { from: event.source, edge: event.edge || 0, value, at };
        this.#part(at, event.target, event.slot || 0, part, after);
        this.#change(at, event.target, { waits: event.waits || 0 });
        append(this.sent, event.source, { at, event });
        break;
      }
      case "leaf":
        this.bytes.leaf(node, after);
        this.#drop(at, node);
        append(this.leaves, node, { at, event });
        break;
      case "node_end":
        this.#drop(at, node);
        this.#change(at, node, { state: "done" });
        break;
    }
  }

  /** The holder of a node is gone. */
  #drop(at, node) {
    this.bytes.hold(null, ...this.#now(node).values);
    this.#change(at, node, { values: [] });
  }

  #begin(at, node, waits) {
    const before = this.#now(node);
    const run = before ? before.run + (before.state === "done" ? 1 : 0) : 0;
    const waiting = before && before.at === at ? Math.max(before.waits, waits) : waits;
    this.#change(at, node, { state: "waiting", waits: waiting, run, parts: 0, values: [] });
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

  /** The `.grad` of a leaf after a step; before a pass reaches it, what that pass will find. */
  grad(node, step) {
    const list = this.leaves.get(node) || [];
    const event = this.leaf(node, step);
    return this.value(event ? event.after : list[0]?.event.before);
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
