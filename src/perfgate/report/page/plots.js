// Elements, numbers as text, and the plots of one case. Every plot says its numbers as text as well.
"use strict";

function element(name, attributes, ...children) {
  const svg = ["svg", "line", "rect", "circle", "text", "path", "g", "title"].includes(name);
  const out = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) out.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) out.setAttribute(key, value === true ? "" : value);
  }
  out.append(...children.filter((child) => child !== null && child !== undefined));
  return out;
}

const percent = (ratio) => (100 * ratio).toFixed(Math.abs(ratio) < 0.9995 ? 1 : 0) + " %";
// Above a doubling nothing was seen (gate/mde_text.h).
const mdeText = (mde) => mde > 1 ? "> 100 %" : percent(mde);
const signed = (ratio) => (ratio > -0.0005 ? "+" : "\u2212") + percent(Math.abs(ratio));
const micros = (us) => us >= 1e6 ? (us / 1e6).toPrecision(3) + " s" : us >= 1e3 ? (us / 1e3).toPrecision(3) + " ms"
  : us.toPrecision(3) + " \u00b5s";
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const judgedColour = (judgement) => Math.abs(judgement.change) < judgement.half_width ? "var(--quiet)"
  : judgement.change > 0 ? "var(--slower)" : "var(--faster)";

// The change with its 95 % interval; a tick each at the tolerance and at the MDE. What lies outside of +-range ends in an arrow.
function intervalPlot(judgement, range) {
  const width = 180, height = 20, middle = height / 2;
  const x = (ratio) => width / 2 + Math.max(-1, Math.min(1, ratio / range)) * (width / 2 - 6);
  const low = judgement.change - judgement.half_width, high = judgement.change + judgement.half_width;
  const stroke = judgedColour(judgement);
  const out = element("svg", {class: "interval", viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `${signed(judgement.change)}, 95 % interval ${signed(low)} to ${signed(high)}, tolerance `
      + `${percent(judgement.tolerance)}, MDE ${mdeText(judgement.mde)}`},
    element("line", {x1: 0, x2: width, y1: middle, y2: middle, stroke: "var(--line)"}),
    element("line", {x1: x(0), x2: x(0), y1: 2, y2: height - 2, stroke: "var(--quiet)"}));
  const tick = (ratio, dash) => ratio <= range && out.append(element("line", {x1: x(ratio), x2: x(ratio), y1: 3, y2: height - 3,
    stroke: "var(--open)", "stroke-dasharray": dash}));
  tick(judgement.tolerance, "none");
  tick(judgement.mde, "2 2");
  out.append(element("line", {x1: x(low), x2: x(high), y1: middle, y2: middle, stroke, "stroke-width": 3}));
  if (Math.abs(judgement.change) > range) {
    const at = x(judgement.change), way = Math.sign(judgement.change);
    out.append(element("path", {d: `M${at + 5 * way},${middle} l${-7 * way},-5 v10 z`, fill: stroke}));
  } else {
    out.append(element("circle", {cx: x(judgement.change), cy: middle, r: 4, fill: stroke}));
  }
  return out;
}

// A dot a fresh process, and the recorded value as a line.
function processPlot(judgement) {
  const values = judgement.processes, all = [...values, judgement.before_value];
  const low = Math.min(...all), high = Math.max(...all), span = high - low || Math.abs(high) || 1;
  const width = 420, x = (value) => 20 + (value - low) / span * (width - 40);
  const out = element("svg", {class: "processes", viewBox: `0 0 ${width} 46`, width: "100%", role: "img",
    "aria-label": `${values.length} processes, recorded ${judgement.before}`},
    element("line", {x1: 0, x2: width, y1: 16, y2: 16, stroke: "var(--line)"}),
    element("line", {x1: x(judgement.before_value), x2: x(judgement.before_value), y1: 4, y2: 28, stroke: "var(--quiet)",
      "stroke-width": 2}));
  for (const value of values) {
    out.append(element("circle", {cx: x(value), cy: 16, r: 5, fill: "var(--mark)", "fill-opacity": 0.6}));
  }
  const anchor = (at) => at < 120 ? "start" : at > width - 120 ? "end" : "middle";
  const at = x(judgement.before_value);
  out.append(element("text", {x: at, y: 42, "text-anchor": anchor(at)}, "recorded " + judgement.before));
  return element("div", {}, out, element("p", {class: "legend"}, `${values.length} fresh process`
    + `${values.length === 1 ? "" : "es"}: ${judgement.processes_text}; the judge takes ${judgement.now}`));
}

// Two bars a kernel: when it was recorded, and tonight.
function kernelPlot(kernels) {
  const most = Math.max(...kernels.map((kernel) => Math.max(kernel.before || 0, kernel.now || 0)), 1e-9);
  const bar = (us, name) => element("svg", {class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", width: "100%", height: 8,
    "aria-hidden": "true"}, element("rect", {class: name, x: 0, y: 0, width: 100 * (us || 0) / most, height: 8}));
  const rows = kernels.map((kernel) => element("tr", {},
    element("td", {}, element("code", {}, kernel.name.length > 60 ? kernel.name.slice(0, 57) + "..." : kernel.name),
      kernel.launch ? element("div", {class: "legend"}, kernel.launch) : null),
    element("td", {class: "number"}, kernel.before === null ? "new" : micros(kernel.before)),
    element("td", {class: "number"}, kernel.now === null ? "gone" : micros(kernel.now)),
    element("td", {style: "width:30%"}, bar(kernel.before, "bar-before"), bar(kernel.now, "bar-now"))));
  return element("div", {class: "scroll"}, element("table", {}, element("tr", {}, element("th", {}, "kernel"),
    element("th", {class: "number"}, "recorded"), element("th", {class: "number"}, "now"), element("th", {}, "")), ...rows));
}

// Change over the nights, with what noise allows (95 %), and the tolerance and MDE of tonight.
function historyPlot(where, history, item, judgement) {
  const series = (history.series[item.device + " " + item.key] || {})[judgement.metric];
  if (!series || series.at.length < 2) {
    where.append(element("p", {class: "quiet"}, series ? "The history has one night of it." : "The history has no night of it."));
    return;
  }
  const times = series.at.map((at) => history.times[at]);
  const change = series.change.map((steps) => 100 * Math.expm1(steps / 1e5));
  const limit = (sign) => series.change.map((steps, i) => series.noise[i] < 0 ? null
    : 100 * Math.expm1((steps + sign * 1.96 * series.noise[i]) / 1e5));
  const flat = (ratio) => times.map(() => 100 * ratio);
  const text = (self, value) => value === null || value === undefined ? "" : value.toFixed(2) + " %";
  const axis = {stroke: colour("--quiet"), grid: {stroke: colour("--line"), width: 1}, ticks: {stroke: colour("--line")}};
  const build = (i) => history.builds[history.builds_of[series.at[i]]];
  const line = (label, stroke, dash) => ({label, stroke, dash, width: 1, points: {show: false}, value: text});
  const plot = new uPlot({
    width: where.clientWidth || 600, height: 200,
    scales: {y: {range: (self, low, high) => [Math.min(low, -1) * 1.1, Math.max(high, 1) * 1.1]}},
    series: [{label: "night", value: (self, time, index, i) => i === null || i === undefined ? ""
        : new Date(1000 * times[i]).toISOString().slice(0, 16).replace("T", " ") + "  " + build(i).commit + "  LibTorch " + build(i).libtorch},
      {label: "change", stroke: colour("--mark"), width: 1.5, points: {show: true, size: 5}, value: text},
      {...line("95 % above", "transparent"), show: true}, {...line("95 % below", "transparent"), show: true},
      line("tolerance", colour("--open")), line("MDE", colour("--open"), [4, 4])],
    bands: [{series: [2, 3], fill: colour("--band")}],
    axes: [axis, {...axis, values: (self, ticks) => ticks.map((tick) => tick + " %"), size: 60}],
  }, [times, change, limit(1), limit(-1), flat(judgement.tolerance), flat(judgement.mde)], where);
  new ResizeObserver(() => plot.setSize({width: where.clientWidth, height: 200})).observe(where);
}
