// Values as people see them: cells with numbers, or a picture of a larger array.

/** The largest magnitude in a list, at least a little. */
function largest(list) {
  return Math.max(1e-30, ...list.map((one) => (typeof one === "number" ? Math.abs(one) : 0)));
}

/** Colour a cell by sign and size; strength is 0 to 1, the sign also stands in the number. */
function tint(element, one, most) {
  const odd = typeof one !== "number";
  const strength = odd ? 1 : Math.abs(one) / most;
  element.classList.add(odd ? "mg-odd" : one < 0 ? "mg-negative" : "mg-positive");
  element.style.setProperty("--mg-strength", `${Math.round(8 + 34 * Math.min(1, strength))}%`);
}

/** A short row of numbers. */
function cells(data, limit = 6) {
  const shown = data.length > limit ? data.slice(0, limit - 1) : data;
  const most = largest(data);
  const row = make("span", { class: "mg-cells" });
  for (const one of shown) {
    const cell = make("span", { class: "mg-cell" }, number(one));
    tint(cell, one, most);
    row.append(cell);
  }
  if (shown.length < data.length) row.append(make("span", { class: "mg-cell mg-more" }, "…"));
  return row;
}

/** The rows of a picture of a value: the data of a small matrix, or the thumbnail. */
function rowsOf(value) {
  if (value.thumbnail) return value.thumbnail;
  const width = value.shape[value.shape.length - 1];
  if (!value.data || value.shape.length < 2 || !width || value.data.length / width > 16) return null;
  const rows = [];
  for (let i = 0; i < value.data.length; i += width) rows.push(value.data.slice(i, i + width));
  return width <= 16 ? rows : null;
}

/** A picture of an array: each square a number, or the mean of a block. */
function picture(rows) {
  const most = largest(rows.flat());
  const size = Math.max(4, Math.min(10, Math.floor(112 / Math.max(rows.length, rows[0].length))));
  const svg = make("svg:svg", {
    class: "mg-picture", width: rows[0].length * size, height: rows.length * size,
    role: "img", "aria-label": `${rows.length} by ${rows[0].length} picture of the values`,
  });
  rows.forEach((row, y) => row.forEach((one, x) => {
    const square = make("svg:rect", { x: x * size, y: y * size, width: size, height: size });
    tint(square, one, most);
    square.style.setProperty("--mg-strength",
      `${Math.round(typeof one === "number" ? (100 * Math.abs(one)) / most : 100)}%`);
    svg.append(square);
  }));
  return svg;
}

/** A value: numbers if few, a picture if many, with its statistics. */
function show(value) {
  if (!value) return make("span", { class: "mg-undefined" }, "undefined (counts as zeros)");
  const one = isConstant(value) && value.shape.length === 1;
  const data = one ? Array(Math.min(7, value.shape[0])).fill(value.min) : value.data;
  const matrix = value.shape.length > 1 ? rowsOf(value) : null;
  if (data && !(matrix && data.length > 6)) {
    if (!data.length) return make("span", { class: "mg-undefined" }, `empty ${kindOf(value)}`);
    return cells(data);
  }
  const rows = rowsOf(value);
  const facts = [];
  if (value.norm !== undefined) facts.push(`norm ${number(value.norm)}`);
  if (value.min !== undefined) facts.push(`${number(value.min)} … ${number(value.max)}`);
  if (value.nan) facts.push(`${value.nan} NaN`);
  if (value.inf) facts.push(`${value.inf} infinite`);
  return make("span", { class: "mg-array" }, rows ? picture(rows) : null,
    make("small", {}, kindOf(value)),
    facts.length ? make("small", {}, facts.join(", ")) : null);
}
