// Making elements and short texts. Data only ever becomes text nodes and attributes.

const SVG = "http://www.w3.org/2000/svg";
const MATH = "http://www.w3.org/1998/Math/MathML";

/**
 * An element with attributes and children (elements, or strings that become text).
 * @param {string} name tag, `svg:` in front for SVG
 * @returns {any} what the tag says; `any`, as no type follows from a string
 */
function make(name, attributes = {}, ...children) {
  const element = name.startsWith("svg:")
    ? document.createElementNS(SVG, name.slice(4))
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Set an attribute, or take it away when the value is null. */
function mark(element, name, value) {
  if (value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** A number in a few characters. */
function number(value) {
  if (typeof value === "boolean" || typeof value === "string") return String(value);
  if (Array.isArray(value)) return `${number(value[0])}+${number(value[1])}j`;
  if (Number.isInteger(value) && Math.abs(value) < 1e5) return String(value);
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(4)));
  return value.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e");
}

/** `float32[64, 10]` */
function kindOf(value) {
  return `${value.dtype}[${value.shape.join(", ")}]`;
}

/** Whether a value of which only the statistics are kept is one number over and over. */
function isConstant(value) {
  return value.min !== undefined && value.min === value.max && !value.nan && !value.inf;
}

/** A value in at most `limit` characters: its numbers if they fit, else how many there are. */
function brief(value, limit = 24) {
  if (!value) return "undefined";
  const { data, shape } = value;
  if (isConstant(value)) return number(value.min);
  if (data && data.length) {
    if (data.every((one) => one === data[0])) return number(data[0]);
    const text = `[${data.slice(0, 5).map(number).join(", ")}]`;
    if (data.length <= 4 && text.length <= limit) return text;
  }
  if (shape.length > 1) return shape.join("×");
  return shape.length ? plural(shape[0], "number") : "a number";
}

/** At most `limit` columns of a text, East Asian characters being two; the rest as an ellipsis. */
function shorten(text, limit) {
  let used = 0, kept = "";
  for (const one of text) {
    used += one >= "\u1100" ? 2 : 1;
    if (used < limit) kept += one;
  }
  return used <= limit ? text : `${kept.trimEnd()}…`;
}

/** Bytes for people. */
function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (count >= 1024 && unit < 3) { count /= 1024; unit += 1; }
  return `${unit ? count.toFixed(1) : count} ${units[unit]}`;
}

/** A plural. */
function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

const formulas = new Map(); // by text: the same few come again at every step

/** MathML text as elements, or null. */
function formula(text) {
  if (!text) return null;
  if (!formulas.has(text)) formulas.set(text, parsedFormula(text));
  return formulas.get(text)?.cloneNode(true) ?? null;
}

/** MathML text parsed without innerHTML, and only MathML taken over. */
function parsedFormula(text) {
  const parsed = new DOMParser().parseFromString(text, "application/xml").documentElement;
  if (parsed.namespaceURI !== MATH) return null;
  const adopt = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || node.namespaceURI !== MATH) return null;
    const copy = document.createElementNS(MATH, node.localName);
    for (const name of ["mathvariant", "stretchy", "fence", "form", "separator", "columnalign"]) {
      if (node.hasAttribute(name)) copy.setAttribute(name, node.getAttribute(name));
    }
    for (const child of node.childNodes) {
      const made = adopt(child);
      if (made) copy.append(made);
    }
    return copy;
  };
  return adopt(parsed);
}
