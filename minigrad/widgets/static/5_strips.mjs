// The strips below the graph: the ready queue, and memory and steps over time.

/** The ready queue in order, and who waits behind it. */
class QueueView {
  constructor(app) {
    this.app = app;
    this.list = make("div", { class: "mg-cards", "data-queue": "" });
    this.behind = make("div", { class: "mg-cards mg-behind" });
    this.count = make("span", { class: "mg-dim" });
    this.element = make("div", { class: "mg-queue" },
      make("span", { class: "mg-strip-name" }, "Ready queue"), this.list, this.behind, this.count);
  }

  show(step) {
    const { app } = this;
    const queue = app.story.queues[step];
    const cards = queue.slice(0, 12).map((id, place) =>
      this.#card(id, place ? "" : " · next", place ? "mg-ready" : "mg-ready mg-next"));
    if (queue.length > 12) cards.push(make("span", { class: "mg-dim" }, `and ${queue.length - 12} more`));
    if (!queue.length) cards.push(make("span", { class: "mg-dim" }, "empty"));
    this.list.replaceChildren(...cards);
    const behind = [];
    for (const id of app.inPass(step)) {
      const now = app.story.condition(id, step);
      if (now && now.state === "waiting" && now.waits) behind.push([id, now.waits]);
    }
    // As many of them as there is room for: the strip keeps its height from step to step.
    this.behind.replaceChildren(...behind.slice(0, 8).map(([id, waits]) => {
      const card = this.#card(id, ` waits for ${waits}`, "mg-waits");
      card.removeAttribute("data-node-ref");
      return card;
    }));
    this.count.textContent = behind.length ? `${behind.length} waiting` : "";
  }

  #card(id, after, name) {
    const title = this.app.title(this.app.trace.nodes[id]);
    const card = make("button", {
      class: `mg-chip ${name}`, type: "button", "data-node-ref": id, tabindex: "-1", title,
    }, shorten(title, 28), after ? make("small", {}, after) : null);
    card.addEventListener("click", () => this.app.select(id));
    return card;
  }
}

const WIDE = 1000, TALL = 34;

/** Memory as an area, steps as marks; drag anywhere to go there. */
class TimelineView {
  constructor(app) {
    this.app = app;
    const { steps, memory } = app.story;
    this.count = steps.length;
    const peak = Math.max(1, ...memory);
    this.svg = make("svg:svg", {
      class: "mg-time", viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", "aria-hidden": "true",
    });
    const x = (step) => (WIDE * step) / this.count;
    let path = `M0 ${TALL}`;
    memory.forEach((bytes, step) => {
      const y = TALL - 2 - (TALL - 6) * (bytes / peak);
      path += `L${x(step)} ${y}L${x(step + 1)} ${y}`;
    });
    this.cursor = make("svg:rect", { class: "mg-cursor", y: 0, width: 2, height: TALL });
    this.svg.append(make("svg:path", { class: "mg-memory", d: `${path}L${WIDE} ${TALL}z` }), this.cursor);
    this.marks = make("div", { class: "mg-marks", "aria-hidden": "true" });
    if (this.count <= 60) {
      for (const step of steps) this.marks.append(make("span", { class: `mg-mark mg-mark-${step.kind}` }));
    }
    this.range = make("input", {
      type: "range", min: 0, max: Math.max(0, this.count - 1), step: 1, "aria-label": "Step", value: 0,
    });
    this.range.addEventListener("input", () => app.go(Number(this.range.value)));
    this.now = make("span", { "data-memory": "" });
    this.note = make("span", { class: "mg-strip-name" }, this.now,
      make("small", {}, `peak ${bytes(app.story.peak)}`));
    const line = make("div", { class: `mg-line${this.count > 60 ? " mg-many" : ""}` }, this.marks, this.range);
    this.area = make("div", { class: "mg-area" }, this.svg, line);
    this.area.style.setProperty("--mg-steps", this.count);
    this.element = make("div", { class: "mg-timeline" },
      make("span", { class: "mg-strip-name" }, make("span", {}, "memory"), make("span", {}, "steps")),
      this.area, this.note);
    this.#scrubbing();
  }

  #scrubbing() {
    const to = (event) => {
      const box = this.area.getBoundingClientRect();
      const place = (event.clientX - box.left) / box.width;
      this.app.go(Math.min(this.count - 1, Math.max(0, Math.floor(place * this.count))));
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      to(event);
    });
    this.svg.addEventListener("pointermove", (event) => { if (event.buttons) to(event); });
  }

  show(step) {
    this.cursor.setAttribute("x", (WIDE * (step + 0.5)) / this.count - 1);
    this.range.value = step;
    this.range.setAttribute("aria-valuetext", `step ${step + 1} of ${this.count}`);
    [...this.marks.children].forEach((one, place) => one.classList.toggle("mg-here", place === step));
    this.now.textContent = bytes(this.app.story.memory[step]);
  }
}

/** The events of a step, for those who want to see each of them. */
class EventsView {
  constructor(app) {
    this.app = app;
    this.list = make("ol", {});
    this.summary = make("summary", {});
    this.element = make("details", { class: "mg-events" }, this.summary, this.list);
    this.element.addEventListener("toggle", () => this.show(this.step));
  }

  show(step) {
    this.step = step;
    const events = this.app.story.events(step);
    this.summary.textContent = `${plural(events.length, "event")} in this step`;
    if (!this.element.open) return;
    this.list.start = this.app.trace.steps[step].first;
    this.list.replaceChildren(...events.map((event) => this.#line(event)));
  }

  #line(event) {
    const { app } = this;
    const name = (id) => app.title(app.trace.nodes[id]);
    const value = (index) => brief(app.story.value(index));
    const text = {
      op: () => `${name(event.node)} computed ${(event.outputs || []).map(value).join(", ")}`,
      seed: () => `${name(event.node)} got ${value(event.value)}`,
      ready: () => `${name(event.node)} to the ${event.front ? "front" : "back"} of the queue`,
      node_begin: () => `${name(event.node)} with ${(event.values || []).map(value).join(", ")}`,
      hook: () => `${event.name}: ${value(event.before)} became ${value(event.after)}`,
      unpack: () => `${name(event.node)} read ${event.name} = ${value(event.value)}`,
      reduce: () => `edge ${event.edge || 0}: ${kinds(event)}`,
      cast: () => `edge ${event.edge || 0}: ${kinds(event)}`,
      nan: () => `${plural(event.count, "element")} NaN or infinite`,
      free: () => `${name(event.node)} dropped ${bytes(event.bytes || 0)}`,
      arrive: () => `${value(event.contribution)} at ${name(event.target)}, ${event.how}: `
        + `${value(event.after)}, ${event.waits || 0} to come`,
      leaf: () => `${name(event.node)} ${event.how}: ${value(event.after)}`,
      error: () => `${event.type}: ${event.message}`,
    };
    const kinds = (one) => [one.before, one.after]
      .map((index) => app.story.value(index)).map((v) => (v ? kindOf(v) : "?")).join(" became ");
    const said = text[event.kind] ? text[event.kind]() : event.node !== undefined ? name(event.node) : "";
    return make("li", {}, make("code", {}, event.kind.replace("_", " ")), ` ${said}`);
  }
}
