// The graph: drawn once; after that only what a step changes is touched.

const DRAWN_WHOLE = 250; // a graph of more nodes is drawn only where it is looked at
const IN_A_NODE = 18; // characters of a value; the layout has room for so many
const HIGHEST = 560; // px; a higher graph is looked at in part
const LEAST = 0.68; // a graph that must be drawn smaller to be seen whole is looked at in part,
const READABLE = 0.8; // at this size

/** The sides of a box, and how it is measured along them. */
const AXES = [["x", "width"], ["y", "height"]];

/** From where to where boxes reach along an axis. */
function span(boxes, axis, length) {
  return [
    Math.min(...boxes.map((box) => box[axis])),
    Math.max(...boxes.map((box) => box[axis] + box[length])),
  ];
}

/** Draws the graph and keeps it up to date. */
class GraphView {
  constructor(app) {
    this.app = app;
    const { layout } = app;
    this.nodes = new Map(); // what is drawn now, by id
    this.edges = new Map();
    this.boxes = new Map(layout.nodes.map((box) => [box.id, box]));
    this.seeds = new Map();
    for (const seed of layout.seeds) this.seeds.set(seed.node, [...(this.seeds.get(seed.node) || []), seed]);
    this.windowed = layout.nodes.length > DRAWN_WHOLE;
    this.live = [];
    this.others = []; // what the node shown sends to in this step
    this.marked = [null, null]; // the selected node, and the one that the step is about
    this.view = { x: 0, y: 0, scale: 1 };
    this.room = { width: 640, height: 420 }; // of the canvas, in px
    this.svg = make("svg:svg", {
      class: "mg-graph", role: "group", preserveAspectRatio: "xMidYMin", "aria-label": "Graph: gradients flow down",
    });
    this.svg.append(this.#arrows());
    this.below = make("svg:g", { class: "mg-edges" });
    this.above = make("svg:g", {});
    this.svg.append(this.below, this.above);
    this.legend = this.#legend();
    this.element = make("div", { class: "mg-canvas" }, this.svg, this.legend);
    this.#draw();
    this.#dragging();
    this.watcher = new ResizeObserver(() => this.#fit());
    this.watcher.observe(this.element);
  }

  /** Draw what is in view or near it and is not drawn yet; a large graph is never drawn whole. */
  #draw() {
    const { layout } = this.app;
    /** @type {(y: number, end: number) => boolean} */
    let near = () => true;
    if (this.windowed) {
      const size = this.#size();
      const top = this.view.y - size.height, bottom = this.view.y + 2 * size.height;
      if (this.drawn && top > this.drawn[0] - 1 && bottom < this.drawn[1] + 1) return;
      const span = [top - size.height, bottom + size.height];
      this.drawn = span;
      near = (y, end) => end >= span[0] && y <= span[1];
    }
    const step = this.app.step;
    for (const box of layout.nodes) {
      const wanted = near(box.y, box.y + box.height);
      const drawn = this.nodes.get(box.id);
      if (wanted && !drawn) {
        for (const seed of this.seeds.get(box.id) || []) this.above.append(this.#seed(seed));
        this.above.append(this.#node(box));
        if (step >= 0) this.#refresh(box.id, step);
      } else if (!wanted && drawn) {
        drawn.group.remove();
        this.nodes.delete(box.id);
      }
    }
    const passing = new Set(); // where the edges lead that only pass by
    for (const edge of layout.edges) {
      const key = `${edge.source}/${edge.edge}`;
      const from = this.boxes.get(edge.source), to = this.boxes.get(edge.target);
      let wanted = near(from.y, to.y);
      if (wanted && !near(from.y, from.y + from.height) && !near(to.y, to.y + to.height)) {
        wanted = !passing.has(edge.target); // those that only pass by share a lane: one is enough
        passing.add(edge.target);
      }
      const path = this.edges.get(key);
      if (wanted && !path) {
        const made = make("svg:path", { d: edge.path, class: "mg-edge", "marker-end": `url(#${this.app.id}-edge)` });
        this.edges.set(key, made);
        this.below.append(made);
      } else if (!wanted && path) {
        path.remove();
        this.edges.delete(key);
      }
    }
    if (this.windowed && step >= 0) {
      this.#arrivals(step);
      this.select(...this.marked);
    }
  }

  #arrows() {
    const arrow = (name) => make("svg:marker", {
      id: `${this.app.id}-${name}`, viewBox: "0 0 8 8", refX: 7, refY: 4,
      markerWidth: 11, markerHeight: 11, orient: "auto", class: `mg-arrow-${name}`,
      markerUnits: "userSpaceOnUse",
    }, make("svg:path", { d: "M0 0L8 4L0 8z" }));
    return make("svg:defs", {}, arrow("edge"), arrow("live"));
  }

  #seed(seed) {
    const path = make("svg:path", { d: seed.path, class: "mg-seed-line" });
    path.setAttribute("marker-end", `url(#${this.app.id}-edge)`);
    return make("svg:g", { class: "mg-seed" }, path,
      make("svg:text", { x: seed.x, y: seed.y }, seed.text));
  }

  #node(box) {
    const node = this.app.trace.nodes[box.id];
    const leaf = node.kind === "accumulation";
    const { x, y, width, height } = box;
    const inset = leaf ? 22 : 16;
    const one = leaf || !(node.expression || node.variable);
    const middle = y + height / 2 + 5;
    const text = (name, atX, atY, content = "") =>
      make("svg:text", { class: name, x: atX, y: atY }, content);
    const parts = {
      halo: make("svg:rect", {
        class: "mg-halo", x: x - 5, y: y - 5, width: width + 10, height: height + 10,
        rx: leaf ? height / 2 + 5 : 13,
      }),
      box: make("svg:rect", { class: "mg-box", x, y, width, height, rx: leaf ? height / 2 : 9 }),
      title: text("mg-name", x + inset, one && leaf ? middle : y + 23, shorten(this.app.title(node), 28)),
      state: text("mg-state", x + width - inset, leaf ? middle : y + 23),
      code: leaf ? null : text("mg-code", x + inset, y + 42.5, this.app.detail(node)),
      held: leaf ? null : text("mg-held", x + width - inset, y + 42.5),
      badge: make("svg:g", { class: "mg-badge" },
        make("svg:circle", { cx: x + width - (leaf ? 6 : 0), cy: y + (leaf ? 0 : 4), r: 13 }),
        make("svg:text", { x: x + width - (leaf ? 6 : 0), y: y + (leaf ? 4.5 : 8.5) })),
    };
    const group = make("svg:g", {
      class: `mg-node${leaf ? " mg-leaf" : ""}`, "data-node": box.id, role: "button",
      tabindex: "-1",
    }, make("svg:title", {}, this.app.title(node)), ...Object.values(parts));
    group.addEventListener("click", () => {
      if (!this.moved) this.app.select(box.id);
    });
    this.nodes.set(box.id, { group, parts, box, leaf });
    return group;
  }

  #legend() {
    const icon = make("svg:svg", { width: 20, height: 20, "aria-hidden": "true" },
      make("svg:circle", { cx: 10, cy: 10, r: 8.5 }),
      make("svg:text", { x: 10, y: 14 }, "n"));
    this.hint = make("span", { hidden: "" }, "drag to see the rest, + and − zoom");
    return make("div", { class: "mg-legend" },
      make("span", {}, "↓ gradients flow down"),
      make("span", {}, icon, " contributions still to arrive"), this.hint);
  }

  /** Bring the drawing to a step; `nodes` are those that may have changed (all if not given). */
  show(step, nodes = null) {
    for (const id of nodes || this.nodes.keys()) this.#refresh(id, step);
    this.#arrivals(step);
  }

  /** Light up the edges along which something is sent in a step. */
  #arrivals(step) {
    for (const path of this.live) {
      path.classList.remove("mg-live");
      path.setAttribute("marker-end", `url(#${this.app.id}-edge)`);
    }
    this.live = [];
    for (const event of this.app.story.events(step)) {
      if (event.kind !== "arrive") continue;
      const path = this.edges.get(`${event.source}/${event.edge || 0}`);
      if (path) {
        path.classList.add("mg-live");
        path.setAttribute("marker-end", `url(#${this.app.id}-live)`);
        path.parentNode.append(path);
        this.live.push(path);
      }
    }
  }

  #refresh(id, step) {
    const drawn = this.nodes.get(id);
    if (!drawn) return;
    const { group, parts, leaf } = drawn;
    const now = this.app.story.condition(id, step);
    const state = now ? now.state : "waiting";
    mark(group, "data-state", state);
    mark(group, "data-freed", now && now.freed ? "" : null);
    const waits = now ? now.waits : 0;
    parts.badge.style.display = waits && state === "waiting" ? "" : "none";
    mark(parts.badge, "data-waiting", waits && state === "waiting" ? waits : null);
    parts.badge.lastChild.textContent = waits > 99 ? "99+" : waits;
    const words = { waiting: "", ready: "ready", running: "running", done: "✓ done" };
    let held = "";
    if (leaf) {
      const value = this.app.story.grad(id, step);
      parts.state.textContent = value ? brief(value, IN_A_NODE) : state === "ready" ? "ready" : "empty";
      parts.state.classList.toggle("mg-value", !!value);
    } else {
      parts.state.textContent = words[state];
      const values = now ? now.values.filter(Boolean) : [];
      if (state !== "running" && values.length === 1) held = `holds ${brief(values[0], IN_A_NODE)}`;
      if (state !== "running" && values.length > 1) held = `holds ${values.length} slots`;
      const freed = state === "done" && now.freed;
      parts.held.textContent = freed ? "freed" : held;
      parts.held.classList.toggle("mg-freed", freed);
    }
    const holds = held ? `, ${held}` : "";
    const waiting = waits && state === "waiting" ? `, waits for ${waits}` : "";
    mark(group, "aria-label", `${this.app.title(this.app.trace.nodes[id])}, ${state}${waiting}${holds}`);
  }

  /** Mark the selected node, and the one that this step is about. */
  select(selected, current) {
    for (const [id, name] of [[this.marked[0], "mg-selected"], [this.marked[1], "mg-current"]]) {
      this.nodes.get(id)?.group.classList.remove(name);
    }
    this.marked = [selected, current];
    this.nodes.get(selected)?.group.classList.add("mg-selected");
    this.nodes.get(current)?.group.classList.add("mg-current");
  }

  // -- the view: which part of the drawing is seen, and how large ---------------------------------

  /**
   * Fit to the room there is: all of the graph where it can still be read, else a part of it.
   * Only here is the page asked for its size, as asking makes it lay out.
   */
  #fit() {
    const width = this.element.clientWidth || 640;
    const { layout } = this.app;
    const whole = width / layout.width;
    const wide = whole < LEAST ? READABLE : Math.min(1.15, whole);
    const high = HIGHEST / layout.height;
    const scale = high < 0.75 ? Math.min(1, wide) : Math.min(wide, high);
    const tall = Math.min(Math.max(layout.height * scale, 240), HIGHEST);
    this.element.style.setProperty("--mg-canvas-height", `${Math.ceil(tall)}px`);
    this.room = { width, height: Math.ceil(tall) };
    if (!this.touched) {
      this.view.scale = scale;
      this.#center(layout.width / 2, layout.height * scale <= tall + 1 ? layout.height / 2 : tall / 2 / scale);
    }
    this.#apply();
    if (this.shown !== undefined) this.reveal(this.shown);
  }

  #size() {
    const scale = this.view.scale;
    return { width: this.room.width / scale, height: this.room.height / scale };
  }

  #center(x, y) {
    const size = this.#size();
    this.view.x = x - size.width / 2;
    this.view.y = y - size.height / 2;
  }

  #apply() {
    const size = this.#size();
    this.svg.setAttribute("viewBox", `${this.view.x} ${this.view.y} ${size.width} ${size.height}`);
    const { layout } = this.app;
    this.hint.hidden = layout.width <= size.width + 1 && layout.height <= size.height + 1;
    if (this.windowed) this.#draw();
  }

  /**
   * Move the view only when a node, or one of `others` (what it sends to), is outside of it. The
   * others count when there is room for all.
   */
  reveal(id, others = this.others) {
    this.shown = id;
    this.others = others;
    const own = this.boxes.get(id);
    if (!own) return;
    const size = this.#size();
    const all = [own, ...others.map((other) => this.boxes.get(other)).filter(Boolean)];
    const fit = AXES.every(([axis, length]) => {
      const [start, end] = span(all, axis, length);
      return end - start <= size[length];
    });
    const before = { ...this.view };
    for (const [axis, length] of AXES) {
      const [start, end] = span(fit ? all : [own], axis, length);
      const at = this.view[axis];
      if (start >= at && end <= at + size[length]) continue;
      const most = this.app.layout[length] - size[length];
      const middle = (start + end - size[length]) / 2;
      this.view[axis] = most < 0 ? most / 2 : Math.min(most, Math.max(0, middle));
    }
    if (this.view.x !== before.x || this.view.y !== before.y) this.#apply();
  }

  /** Make the drawing larger or smaller around the middle of the view. */
  zoom(factor) {
    const size = this.#size();
    const middle = [this.view.x + size.width / 2, this.view.y + size.height / 2];
    this.touched = true;
    this.view.scale = Math.min(3, Math.max(0.08, this.view.scale * factor));
    this.#center(...middle);
    this.#apply();
  }

  #dragging() {
    let from = null;
    this.svg.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY, view: { ...this.view } };
      this.moved = false;
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!from || !event.buttons) return;
      const dx = event.clientX - from.x, dy = event.clientY - from.y;
      if (Math.abs(dx) + Math.abs(dy) < 4 && !this.moved) return;
      this.moved = this.touched = true;
      this.view.x = from.view.x - dx / this.view.scale;
      this.view.y = from.view.y - dy / this.view.scale;
      this.#apply();
    });
    this.svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // plain scrolling belongs to the page
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.12 : 1 / 1.12);
    }, { passive: false });
  }

  remove() {
    this.watcher.disconnect();
  }
}
