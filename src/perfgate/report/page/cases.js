// The table of cases, worst first, and what each row opens to.
"use strict";

const judgementOf = (item) => item.phases.map((phase) => phase.judgement).filter(Boolean)
  .reduce((worst, one) => worst === null || one.change > worst.change ? one : worst, null);
const changeOf = (item) => (judgementOf(item) || {change: -Infinity}).change;
const badness = (item) => item.exit === 1 ? 0 : item.exit === 3 ? 1 : item.verdict.startsWith("SUSPECT") ? 2 : 3;
const ORDERS = {
  "worst first": (a, b) => badness(a) - badness(b) || changeOf(b) - changeOf(a) || a.key.localeCompare(b.key),
  "change": (a, b) => changeOf(b) - changeOf(a) || a.key.localeCompare(b.key),
  "MDE": (a, b) => (judgementOf(b) || {mde: -1}).mde - (judgementOf(a) || {mde: -1}).mde,
  "name": (a, b) => a.key.localeCompare(b.key),
};
const SHOWN = {
  "all": () => true,
  "failed": (item) => item.exit === 1 || item.exit === 3,
  "changed": (item) => item.exit === 1 || item.phases.some((phase) => phase.judgement
    && Math.abs(phase.judgement.change) > phase.judgement.half_width && Math.abs(phase.judgement.change) > phase.judgement.tolerance),
};
const verdictClass = (item) => item.exit === 1 ? "slower" : item.exit === 3 || item.verdict.startsWith("SUSPECT") ? "open"
  : item.verdict.startsWith("IMPROVED") ? "faster" : "quiet";

// Wide enough for nine of ten changes: one that is far out ends in an arrow.
function plotRange(items) {
  const sizes = items.flatMap((item) => item.phases).map((phase) => phase.judgement).filter(Boolean)
    .map((one) => Math.max(Math.abs(one.change) + one.half_width, one.tolerance * 1.5)).sort((a, b) => a - b);
  return sizes.length ? Math.max(sizes[Math.floor(0.9 * (sizes.length - 1))], 0.02) : 0.1;
}

function detailsOf(item, data) {
  const grid = element("div", {class: "grid"});
  const part = (title, wide) => {
    const out = element("div", {class: wide ? "whole" : ""}, element("h3", {}, title));
    grid.append(out);
    return out;
  };
  const later = [];
  for (const phase of item.phases) {
    const name = phase.phase === "whole" ? "" : phase.phase + ": ";
    if (phase.judgement) {
      const history = part(`${name}${phase.judgement.metric} over the nights`);
      later.push(() => historyPlot(history, data.history, item, phase.judgement));
      part(`${name}processes of tonight`).append(processPlot(phase.judgement));
    }
    if (phase.kernels && phase.kernels.length) part(`${name}kernels, recorded and now`, true).append(kernelPlot(phase.kernels));
  }
  if (item.text) part("what the gate says, and the command that reproduces it", true).append(element("pre", {}, item.text));
  else if (item.message) part("why", true).append(element("p", {}, item.message));
  return {grid, draw: () => later.forEach((draw) => draw())};
}

function columnsOf(phase, range) {
  const judgement = phase.judgement;
  return [
    element("td", {class: "number optional"}, phase.time), element("td", {class: "number optional"}, phase.rate),
    element("td", {class: "number" + (judgement && Math.abs(judgement.change) > judgement.half_width
      ? judgement.change > 0 ? " slower" : " faster" : "")}, judgement ? signed(judgement.change) : ""),
    element("td", {class: "plot"}, judgement ? intervalPlot(judgement, range) : null),
    element("td", {class: "number"}, judgement ? mdeText(judgement.mde) : "")];
}

function rowsOf(item, data, range) {
  const single = item.phases.length === 1 ? item.phases[0] : {time: "", rate: "", judgement: null};
  const button = element("button", {"aria-expanded": "false", type: "button"}, item.key
    + (data.several ? `  (${item.device.slice(0, 12)})` : ""));
  const row = element("tr", {}, element("td", {class: "key"}, button), ...columnsOf(single, range),
    element("td", {class: verdictClass(item)}, item.verdict + (item.phases.length === 1 ? single.remarks || "" : "")));
  const phases = item.phases.length > 1 ? item.phases.map((phase) => element("tr", {class: "phase"},
    element("td", {}, phase.phase), ...columnsOf(phase, range), element("td", {class: "quiet"}, phase.remarks))) : [];
  let details = null;
  const toggle = (open) => {
    if (open === (details !== null)) return;
    button.setAttribute("aria-expanded", String(open));
    if (!open) { details.remove(); details = null; return; }
    const made = detailsOf(item, data);
    details = element("tr", {class: "details"}, element("td", {colspan: 7}, made.grid));
    (phases[phases.length - 1] || row).after(details);
    made.draw();
  };
  button.addEventListener("click", () => toggle(details === null));
  button.addEventListener("keydown", (event) => {
    if (event.key === "Escape") toggle(false);
  });
  row.toggle = toggle;
  row.item = item;
  return [row, ...phases];
}

function showCases(where, data) {
  const range = plotRange(data.cases);
  const body = element("tbody", {}), count = element("span", {class: "quiet", "aria-live": "polite"});
  const search = element("input", {type: "search", placeholder: "filter by key  ( / )", "aria-label": "filter cases by key"});
  const select = (label, values) => element("select", {"aria-label": label}, ...Object.keys(values).map((name) =>
    element("option", {value: name}, label + ": " + name)));
  const shown = select("show", SHOWN), order = select("sort", ORDERS);
  const fill = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const items = data.cases.filter((item) => SHOWN[shown.value](item) && words.every((word) => item.key.toLowerCase().includes(word)))
      .sort(ORDERS[order.value]);
    body.replaceChildren(...items.flatMap((item) => rowsOf(item, data, range)));
    count.textContent = `${items.length} of ${data.cases.length} cases`;
  };
  for (const [control, event] of [[search, "input"], [shown, "change"], [order, "change"]]) control.addEventListener(event, fill);
  fill();
  where.append(element("h2", {id: "cases-title"}, "Cases"), element("div", {class: "tools"}, search, shown, order, count),
    element("div", {class: "scroll"}, element("table", {}, element("thead", {}, element("tr", {}, element("th", {}, "case"),
      element("th", {class: "number optional"}, "time"), element("th", {class: "number optional"}, "rate"),
      element("th", {class: "number"}, "change"), element("th", {class: "plot"}, "\u00b1" + percent(range)),
      element("th", {class: "number"}, "MDE"), element("th", {}, "verdict"))), body)),
    element("p", {class: "legend"}, "Plotted: the change with its 95 % interval, the tolerance (solid) and the minimum detectable "
      + "slowdown (dashed). Keys: / filters, arrows move, Enter opens, Escape closes."));
  const buttons = () => [...body.querySelectorAll(".key button")];
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus(); return; }
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    const at = buttons().indexOf(document.activeElement);
    if (step && (at >= 0 || document.activeElement === search)) {
      event.preventDefault();
      const next = buttons()[at + step];
      (next || search).focus();
    }
  });
  const failedRows = () => [...body.children].filter((row) => row.item && row.item.exit === 1);
  addEventListener("beforeprint", () => failedRows().forEach((row) => row.toggle(true)));
  failedRows().slice(0, 1).forEach((row) => row.toggle(true));
}
