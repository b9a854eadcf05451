// The stepper: puts the views together, goes from step to step, and listens to keys.

let count = 0;

/** Icons of the buttons, as paths in a 14 by 14 square. */
const ICONS = {
  first: "M1 1h2v12H1zM13 1v12L4 7z",
  previous: "M11 1v12L3 7z",
  play: "M3 1v12l9-6z",
  pause: "M2 1h4v12H2zM8 1h4v12H8z",
  next: "M3 1v12l8-6z",
  last: "M11 1h2v12h-2zM1 1v12l9-6z",
};

/** How fast it can be asked to play, 1 being a step every 1.2 seconds. */
const SPEEDS = [0.5, 1, 2, 4, 8];

/** One stepper in one element. */
class Stepper {
  /**
   * @param {{get(name: string): any, set(name: string, value: any): void, save_changes(): void,
   *          on(name: string, f: () => void): void, off(name: string, f: () => void): void}} model
   */
  constructor(model, element) {
    this.model = model;
    const { trace, layout, mathml } = model.get("payload");
    this.trace = trace;
    this.layout = layout;
    this.mathml = mathml;
    count += 1;
    this.id = `mg${count}-${Math.floor(Math.random() * 1e9).toString(36)}`;
    this.story = new Story(trace);
    this.last = this.story.steps.length - 1;
    this.step = -1;
    this.picked = null;
    this.names = new Set(trace.nodes.map((node) => this.title(node)));
    this.graph = new GraphView(this);
    this.details = new DetailsView(this);
    this.queue = new QueueView(this);
    this.timeline = new TimelineView(this);
    this.events = new EventsView(this);
    this.sentence = make("p", { class: "mg-sentence", "data-sentence": "", "aria-live": "polite" });
    this.crumbs = make("div", { class: "mg-crumbs" });
    this.root = make("div", {
      class: "minigrad-stepper", tabindex: "0", role: "group", "aria-label": `Stepper: ${trace.title}`,
      "aria-keyshortcuts": "ArrowRight ArrowLeft ArrowDown ArrowUp Home End Space Enter + - /",
      "data-steps": this.last + 1, "data-lm-suppress-shortcuts": "true",
    },
    this.#bar(), this.sentence, this.crumbs,
    this.#main(),
    this.queue.element, this.timeline.element, this.events.element);
    this.root.addEventListener("keydown", (event) => this.#key(event));
    for (const type of ["keyup", "keypress"]) {
      this.root.addEventListener(type, (event) => event.stopPropagation());
    }
    element.append(this.root);
    this.#listen();
    this.go(model.get("step") || 0);
    const selected = model.get("selected");
    if (selected !== null && selected !== undefined && selected >= 0) this.select(selected);
    if (model.get("playing")) this.play(true);
  }

  // -- names ---------------------------------------------------------------------------------------

  title(node) {
    const name = node.name || node.op || `node ${node.id}`;
    return node.kind === "accumulation" ? `${name}.grad` : name;
  }

  detail(node) {
    const text = node.variable && node.expression
      ? `${node.variable} = ${node.expression}` : node.expression || node.variable || "";
    return shorten(text, 26);
  }

  /** The nodes that wait in the pass of a step. */
  inPass(step) {
    const pass = this.trace.passes[this.trace.steps[step].pass || 0];
    const begin = this.trace.events[pass.first || 0];
    return (begin.waiting || []).map(([node]) => node);
  }

  /** The graph and the panel side by side; a wide graph has more of the width. */
  #main() {
    const main = make("div", { class: "mg-main" }, this.graph.element, this.details.element);
    const share = Math.min(1.6, Math.max(1.15, this.layout.width / 600));
    main.style.setProperty("--mg-share", `${share.toFixed(2)}fr`);
    return main;
  }

  // -- the bar -------------------------------------------------------------------------------------

  #bar() {
    const button = (icon, label, act) => {
      const path = make("svg:path", { d: ICONS[icon] });
      const made = make("button", { type: "button", "aria-label": label, title: label },
        make("svg:svg", { viewBox: "0 0 14 14", width: 14, height: 14, "aria-hidden": "true" }, path));
      made.addEventListener("click", act);
      return made;
    };
    this.playing = button("play", "Play", () => this.play(!this.timer));
    this.playing.classList.add("mg-play");
    this.buttons = {
      first: button("first", "First step", () => this.go(0)),
      previous: button("previous", "Previous step", () => this.go(this.step - 1)),
      next: button("next", "Next step", () => this.go(this.step + 1)),
      last: button("last", "Last step", () => this.go(this.last)),
    };
    const { first, previous, next, last } = this.buttons;
    this.counter = make("span", { class: "mg-counter" });
    this.search = make("input", {
      type: "search", class: "mg-search", placeholder: "find a node", "aria-label": "Find a node",
      hidden: this.layout.nodes.length < 9 ? "" : null,
    });
    this.search.addEventListener("keydown", (event) => this.#searching(event));
    return make("div", { class: "mg-bar" }, make("h1", { title: this.trace.title }, this.trace.title), this.search,
      make("div", { class: "mg-buttons", role: "group", "aria-label": "Steps" },
        first, previous, this.playing, next, last),
      this.#speeds(), this.counter);
  }

  /** The menu of speeds. Its value may also be one that Python chose. */
  #speeds() {
    this.speed = make("select", { class: "mg-speed", "aria-label": "Speed", title: "Speed" });
    this.speed.addEventListener("change", () => {
      this.model.set("speed", Number(this.speed.value));
      this.model.save_changes();
      if (this.timer) this.play(true);
    });
    this.#offerSpeeds();
    return this.speed;
  }

  #offerSpeeds() {
    const now = this.model.get("speed") || 1;
    const all = [...new Set([...SPEEDS, now])].sort((a, b) => a - b);
    this.speed.replaceChildren(...all.map((one) => make("option", { value: one }, `${one}×`)));
    this.speed.value = now;
  }

  #searching(event) {
    event.stopPropagation();
    if (event.key === "Escape") this.root.focus();
    if (event.key !== "Enter") return;
    const word = this.search.value.trim().toLowerCase();
    if (!word) return;
    const matches = this.layout.nodes.map(({ id }) => this.trace.nodes[id]).filter((node) =>
      [this.title(node), node.variable, node.scope, node.expression, node.op]
        .some((text) => text && text.toLowerCase().includes(word)));
    mark(this.search, "aria-invalid", matches.length ? null : "true");
    if (!matches.length) return;
    const place = matches.findIndex((node) => node.id === this.picked);
    const { id } = matches[(place + 1) % matches.length];
    if (id !== this.picked) this.select(id);
  }

  // -- going from step to step ---------------------------------------------------------------------

  /** Show a step; the views are told which nodes may have changed. */
  go(wanted) {
    const step = Math.min(this.last, Math.max(0, wanted));
    if (step === this.step) return;
    const changed = this.step < 0 ? null : this.story.between(this.step, step);
    this.step = step;
    this.root.dataset.step = step;
    this.#say(step);
    this.graph.show(step, changed);
    this.queue.show(step);
    this.timeline.show(step);
    this.events.show(step);
    this.#show();
    this.#follow();
    this.counter.textContent = `step ${step + 1} of ${this.last + 1}`;
    this.buttons.first.disabled = this.buttons.previous.disabled = step === 0;
    this.buttons.next.disabled = this.buttons.last.disabled = step === this.last;
    if (this.model.get("step") !== step) {
      this.model.set("step", step);
      this.model.save_changes();
    }
  }

  /** The node that the step is about, and the one that the panel shows. */
  #show() {
    const { node } = this.trace.steps[this.step];
    const current = node === undefined ? null : node;
    const shown = this.picked ?? current;
    this.graph.select(shown, current);
    this.details.show(this.step, shown);
  }

  /** Bring the node that the step is about into view, and those that it sends to. */
  #follow() {
    const { node } = this.trace.steps[this.step];
    if (node === undefined) return;
    const sent = this.story.events(this.step).filter((event) => event.kind === "arrive");
    this.graph.reveal(node, [...new Set(sent.map((event) => event.target))]);
  }

  /** Keep the panel on one node; the same node again, or null, lets it follow the steps. */
  select(id) {
    this.picked = this.picked === id ? null : id;
    this.#show();
    if (this.picked === null) this.#follow();
    else this.graph.reveal(this.picked, []);
    if (this.model.get("selected") !== this.picked) {
      this.model.set("selected", this.picked);
      this.model.save_changes();
    }
  }

  /** Keep the panel on the next node of the drawing, or the one before. */
  #selectBeside(by) {
    const all = this.layout.nodes;
    const shown = this.picked ?? this.trace.steps[this.step].node;
    const place = all.findIndex((box) => box.id === shown);
    const next = all[Math.min(all.length - 1, Math.max(0, place + by))];
    if (next && next.id !== this.picked) this.select(next.id);
  }

  #say(step) {
    const { sentence = "", pass = 0 } = this.trace.steps[step];
    const words = sentence.split(/([^\s,:;()]+)/);
    this.sentence.replaceChildren(...words.map((word) => {
      const bare = word.replace(/\.$/, "");
      if (!this.names.has(bare)) return word;
      const parts = [make("b", {}, bare)];
      if (bare !== word) parts.push(".");
      return make("span", {}, ...parts);
    }));
    const trail = [];
    for (let one = this.trace.passes[pass]; one; one = this.trace.passes[one.parent ?? -1]) trail.unshift(one);
    this.crumbs.hidden = trail.length < 2;
    this.crumbs.textContent = trail.map((one) => (one.parent_node === undefined
      ? "backward" : `a pass inside ${this.title(this.trace.nodes[one.parent_node])}`)).join(" › ");
  }

  /** Start or stop playing. */
  play(on) {
    clearInterval(this.timer);
    this.timer = null;
    if (on && this.step === this.last) this.go(0);
    if (on) {
      const speed = this.model.get("speed") || 1;
      this.timer = setInterval(() => {
        if (this.step >= this.last) this.play(false);
        else this.go(this.step + 1);
      }, 1200 / speed);
    }
    const label = on ? "Pause" : "Play";
    this.playing.setAttribute("aria-label", label);
    this.playing.title = label;
    this.playing.querySelector("path").setAttribute("d", ICONS[on ? "pause" : "play"]);
    if (!!this.model.get("playing") !== !!on) {
      this.model.set("playing", !!on);
      this.model.save_changes();
    }
  }

  // -- keys ----------------------------------------------------------------------------------------

  #key(event) {
    event.stopPropagation(); // the notebook has its own meaning for most keys
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === this.speed && !["Home", "End", "Escape"].includes(event.key)) return;
    const inRange = event.target === this.timeline.range;
    const onButton = event.target !== this.root && event.target.closest?.("button, summary");
    const actions = {
      ArrowRight: () => this.go(this.step + 1),
      ArrowLeft: () => this.go(this.step - 1),
      ArrowDown: () => this.#selectBeside(1),
      ArrowUp: () => this.#selectBeside(-1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      " ": () => this.play(!this.timer),
      Enter: () => { this.events.element.open = !this.events.element.open; },
      "+": () => this.graph.zoom(1.2),
      "=": () => this.graph.zoom(1.2),
      "-": () => this.graph.zoom(1 / 1.2),
      "/": () => { this.search.hidden = false; this.search.focus(); },
      Escape: () => this.select(null),
    };
    if (onButton && (event.key === " " || event.key === "Enter")) return; // presses the button
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
    if (inRange) this.timeline.range.focus();
  }

  // -- the model -----------------------------------------------------------------------------------

  #listen() {
    this.handlers = {
      "change:step": () => this.go(this.model.get("step")),
      "change:selected": () => {
        const selected = this.model.get("selected");
        if (selected !== this.picked) { this.picked = null; if (selected !== null) this.select(selected); else this.#show(); }
      },
      "change:playing": () => {
        if (!!this.model.get("playing") !== !!this.timer) this.play(!!this.model.get("playing"));
      },
      "change:speed": () => {
        this.#offerSpeeds();
        if (this.timer) this.play(true);
      },
    };
    for (const [name, handler] of Object.entries(this.handlers)) this.model.on(name, handler);
  }

  remove() {
    clearInterval(this.timer);
    for (const [name, handler] of Object.entries(this.handlers)) this.model.off(name, handler);
    this.graph.remove();
    this.root.remove();
  }
}

/** Draw a stepper of the model's trace into an element; the returned function takes it away. */
function render({ model, el }) {
  const stepper = new Stepper(model, el);
  return () => stepper.remove();
}

export default { render };
