// The panel beside the graph: everything about the selected node at this step.

/** Shows one node. */
class DetailsView {
  constructor(app) {
    this.app = app;
    this.element = make("section", { class: "mg-details", "aria-label": "The selected node" });
  }

  show(step, id) {
    const parts = id === null ? [make("p", { class: "mg-dim" }, "Select a node.")] : this.#node(step, id);
    this.element.replaceChildren(...parts.filter(Boolean));
    mark(this.element, "data-holder", id);
  }

  #node(step, id) {
    const { app } = this;
    const node = app.trace.nodes[id];
    const leaf = node.kind === "accumulation";
    const kinds = { op: "grad node", pylayer: "PyLayer node", accumulation: "accumulation node" };
    const shapes = (node.slots || []).map((slot) => kindOf({ shape: [], ...slot })).join(", ");
    const head = make("h2", {}, app.title(node), make("small", {}, `${kinds[node.kind]} · ${shapes}`));
    const scope = node.scope ? make("div", { class: "mg-scope" }, `in ${node.scope}`) : null;
    return [
      head, scope, this.#source(node), ...this.#holder(step, id, node),
      ...(leaf ? this.#leaf(step, id) : this.#firing(step, id, node)),
    ];
  }

  #source(node) {
    const { trace } = this.app;
    if (!node.source) return null;
    const [file, line] = node.source;
    const source = trace.sources[file];
    const name = source.functions?.[line];
    const where = `${source.file} line ${line}${name ? ` in ${name}` : ""}`;
    return make("div", { class: "mg-source" }, make("span", {}, where), " ",
      make("b", {}, source.lines?.[line] || node.expression || ""));
  }

  #label(text) {
    return make("h3", {}, text);
  }

  #holder(step, id, node) {
    const { app } = this;
    const parts = app.story.contributions(id, step);
    const condition = app.story.condition(id, step);
    const now = new Set(app.story.events(step));
    const slots = (node.slots || [{}]).map((slot, number) => ({ slot, number }))
      .filter(({ number }) => number < 8);
    return slots.flatMap(({ slot, number }) => {
      const own = parts.filter((part) => (part.slot || 0) === number);
      const name = slot.variable || node.variable;
      const label = this.#label(slots.length > 1 ? `Holder, slot ${number}` : "Holder");
      const row = make("div", { class: "mg-sum", "data-slot": number });
      if (!own.length) {
        const waits = condition ? condition.waits : 0;
        row.append(make("span", { class: "mg-dim" },
          waits ? `empty, waits for ${plural(waits, "contribution")}` : "empty"));
        return [label, row];
      }
      const sums = own.filter((part) => !part.hook);
      const shown = sums.length > 7 ? [...sums.slice(0, 4), null, ...sums.slice(-2)] : sums;
      shown.forEach((part, place) => {
        if (place) row.append(make("span", { class: "mg-op" }, "+"));
        row.append(part === null
          ? make("span", { class: "mg-dim" }, `… ${sums.length - 6} more …`)
          : this.#part(part, now));
      });
      for (const part of own.filter((one) => one.hook)) {
        row.append(make("span", { class: "mg-op" }, "→"), this.#part(part, now));
      }
      const total = this.#total(step, id, number);
      if (total && sums.length > 1) {
        row.append(make("span", { class: "mg-op" }, "="),
          this.#card(name ? `gradient of ${name}` : "gradient", total, "mg-total"));
      }
      return [label, row];
    });
  }

  /** The sum that a slot holds, or held when its node fired. */
  #total(step, id, slot) {
    const { story } = this.app;
    const condition = story.condition(id, step);
    if (condition.values[slot]) return condition.values[slot];
    const parts = story.contributions(id, step).filter((part) => (part.slot || 0) === slot);
    for (let at = parts.length ? parts[parts.length - 1].at : -1; at >= 0; at -= 1) {
      const event = this.app.trace.events[at];
      if (event.kind === "arrive" && event.target === id && (event.slot || 0) === slot) return story.value(event.after);
      if (event.kind === "hook" && event.node === id) return story.value(event.after);
      if (event.kind === "seed" && event.node === id) return story.value(event.after ?? event.value);
    }
    return null;
  }

  #part(part, now) {
    const { app } = this;
    let title = part.given ? "your seed" : "seed of ones";
    if (part.hook !== undefined) title = `after hook ${part.hook}`;
    else if (part.from !== null && part.from !== undefined) {
      title = `${app.title(app.trace.nodes[part.from])}, edge ${part.edge || 0}`;
    }
    const fresh = now.has(app.trace.events[part.at]);
    const card = this.#card(title, part.value, fresh ? "mg-new" : "");
    mark(card, "data-contribution", part.from ?? (part.hook !== undefined ? "hook" : "seed"));
    return card;
  }

  #card(title, value, name = "") {
    return make("span", { class: `mg-card ${name}` }, make("small", {}, title), show(value));
  }

  #leaf(step, id) {
    const { story } = this.app;
    const event = story.leaf(id, step);
    const name = this.app.title(this.app.trace.nodes[id]);
    const row = make("div", { class: "mg-sum" });
    const found = story.grad(id, step);
    if (!event && found) row.append(this.#card("as it was", found));
    else if (!event) row.append(make("span", { class: "mg-dim" }, "empty so far"));
    else {
      const before = story.value(event.before);
      const cleared = event.how === "replaced";
      row.append(before && !cleared
        ? this.#card("before", before)
        : make("span", { class: "mg-dim" }, cleared ? "cleared" : "empty"));
      row.append(make("span", { class: "mg-op" }, event.how === "added" ? "+" : "→"));
      if (event.how === "added") {
        row.append(this.#card("this backward", story.value(event.contribution)),
          make("span", { class: "mg-op" }, "="));
      }
      if (event.how === "undefined") row.append(make("span", { class: "mg-dim" }, "no gradient came"));
      else row.append(this.#card(name, story.value(event.after), "mg-total"));
    }
    return [this.#label("Before and after"), row];
  }

  #firing(step, id, node) {
    const { app } = this;
    const op = app.trace.ops?.[node.op];
    const parts = [this.#label("When it fires")];
    const math = formula(app.mathml[op?.formula]);
    if (math) parts.push(make("div", { class: "mg-math" }, make("span", { class: "mg-dim" }, "forward"), make("div", {}, math)));
    (node.edges || []).forEach((edge, number) => {
      const operand = node.operands?.[number] || `x${number}`;
      const rule = formula(app.mathml[op?.rules?.[operand]]);
      if (edge && rule) {
        parts.push(make("div", { class: "mg-math" },
          make("span", { class: "mg-dim" }, `gradient of ${operand}`), make("div", {}, rule)));
      }
    });
    const list = make("dl", {});
    const say = (term, ...content) => list.append(make("dt", {}, term), make("dd", {}, ...content));
    const sent = app.story.deliveries(id, step);
    const fired = new Map(sent.map((event) => [event.edge || 0, event]));
    (node.edges || []).slice(0, 8).forEach((edge, number) => {
      if (!edge) return;
      const target = app.title(app.trace.nodes[edge[0]]);
      const event = fired.get(number);
      const value = event ? `${brief(app.story.value(event.contribution))} ` : "";
      const name = node.inputs?.[number] || node.operands?.[number] || `edge ${number}`;
      say(event ? "sent" : "will send", `${value}→ ${target}`, make("small", {}, ` for ${name}`));
    });
    const now = app.story.condition(id, step);
    const saved = (node.saved || []).map((one) => `${one.name} ${kindOf({ shape: [], ...one })}`);
    say("saved", saved.length ? saved.join(", ") : "nothing: its rules need none");
    const retained = app.trace.passes[app.trace.steps[step].pass || 0].retain_graph;
    const fate = retained ? "kept: retain_graph is True" : "spent: retain_graph is False";
    say("then", now?.freed ? "freed: the node is spent" : fate);
    if (node.attributes) {
      say("with", Object.entries(node.attributes).map(([key, value]) => `${key}=${value}`).join(", "));
    }
    parts.push(list);
    return parts;
  }
}
