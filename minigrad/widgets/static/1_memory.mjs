// Bytes held by saved tensors, holders and leaf gradients, each buffer once.

/** Bytes of one element of a dtype. */
function itemSize(dtype) {
  if (dtype === "bool") return 1;
  return Number(dtype.replace(/\D/g, "") || 64) / 8;
}

/** Bytes of a value. */
function byteSize(value) {
  return value ? value.shape.reduce((a, b) => a * b, 1) * itemSize(value.dtype) : 0;
}

/** Counts bytes while the events of a trace pass by. */
class Memory {
  constructor(trace) {
    this.nodes = trace.nodes;
    this.bytes = 0;
    this.users = new Map(); // of each buffer: how many saved tensors are in it
    this.saved = new Set(); // nodes that keep theirs
    this.grads = new Map(); // bytes of each leaf's gradient
    this.given = new Map(); // for each pass, the gradients that its leaves have when it begins
    this.#before(trace);
  }

  /** What was there before some of the events: read from what they say later. */
  #before({ events, values }) {
    const made = new Set();
    for (const event of events) {
      if (event.kind === "op") made.add(event.node);
      if (event.kind !== "leaf") continue;
      const grads = this.given.get(event.pass || 0) || new Map();
      if (!grads.has(event.node)) grads.set(event.node, values[event.before ?? -1]);
      this.given.set(event.pass || 0, grads);
    }
    for (const node of this.nodes) if (!made.has(node.id)) this.save(node.id);
    for (const pass of [...this.given.keys()].reverse()) this.begin(pass);
  }

  /** A pass begins. */
  begin(pass) {
    for (const [leaf, value] of this.given.get(pass) || []) this.leaf(leaf, value);
  }

  /** A leaf has another gradient. */
  leaf(node, value) {
    this.bytes += byteSize(value) - (this.grads.get(node) || 0);
    this.grads.set(node, byteSize(value));
  }

  /** A slot of a holder, or all of them, has something else. */
  hold(after, ...before) {
    this.bytes += byteSize(after);
    for (const value of before) this.bytes -= byteSize(value);
  }

  /** A node was made, with its saved tensors. */
  save(node) {
    if (this.saved.has(node)) return;
    this.saved.add(node);
    for (const one of this.nodes[node].saved || []) {
      const users = this.users.get(one.buffer) || 0;
      this.users.set(one.buffer, users + 1);
      if (!users) this.bytes += one.bytes || 0;
    }
  }

  /** A node drops its saved tensors. */
  free(node) {
    if (!this.saved.delete(node)) return;
    for (const one of this.nodes[node].saved || []) {
      const users = this.users.get(one.buffer) - 1;
      this.users.set(one.buffer, users);
      if (!users) this.bytes -= one.bytes || 0;
    }
  }
}
