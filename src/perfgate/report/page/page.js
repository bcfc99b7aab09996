// The page around the table of cases: what the night came to, families, speed-ups, machine.
"use strict";

const MEANING = {0: "nothing is slower", 1: "something is slower or broken", 2: "usage error", 3: "not judged in full", 77: "nothing was judged"};
const RECORDED = {0: "a session was recorded", 3: "some cases were not recorded"};
const meaningOf = (data) => data.partial && data.exit === 1 && !data.cases.some((item) => item.exit === 1) && !data.findings.length
  ? "interrupted" : (data.refresh && RECORDED[data.exit]) || MEANING[data.exit] || "ended by a signal";
const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length ? (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2 : null;
};

function showHead(data) {
  const verdicts = new Map();
  for (const item of data.cases) verdicts.set(item.verdict, (verdicts.get(item.verdict) || 0) + 1);
  const fact = (name, value) => value ? element("span", {}, element("span", {class: "quiet"}, name + " "), value) : null;
  document.title = `perfgate: ${data.model}, ${meaningOf(data)}`;
  document.getElementById("head").append(
    element("div", {class: "line"}, element("h1", {}, "perfgate " + data.perfgate), element("span", {}, data.model),
      element("span", {class: "quiet"}, data.started.replace("T", " ").replace("Z", " UTC")),
      element("button", {id: "theme", type: "button", onclick: changeTheme}, "dark / light")),
    element("p", {class: "result " + (data.exit === 0 ? "faster" : data.exit === 1 ? "slower" : "open")},
      meaningOf(data) + (data.partial ? " (partial)" : "")),
    element("ul", {class: "chips"}, ...[...verdicts].sort((a, b) => b[1] - a[1]).map(([name, number]) =>
      element("li", {}, `${number} ${name}`))),
    element("div", {class: "line"}, fact("LibTorch", data.libtorch), fact("driver", data.driver), fact("commit", data.commit),
      fact("device", data.device_id.slice(0, 16)), fact("host", data.host), fact("took", data.elapsed_s.toFixed(0) + " s")),
    element("p", {}, element("span", {class: "quiet"}, data.changed_since
      ? `changed since the session of ${data.changed_since.slice(0, 10)}: ` : "no baseline"), data.changed));
}

function showFindings(where, data) {
  for (const finding of data.findings) {
    where.append(element("div", {class: "finding"}, element("strong", {}, finding.kind + "  "), finding.text));
  }
  if (data.findings.length && data.moved) where.append(element("p", {}, element("span", {class: "quiet"}, "beside it: "), data.moved));
}

function table(heads, rows) {
  return element("div", {class: "scroll"}, element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((head, i) =>
    element("th", {class: i ? "number" : ""}, head)))), element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell, i) =>
    element("td", {class: i ? "number" : ""}, cell)))))));
}

function showFamilies(where, data) {
  const families = new Map();
  for (const item of data.cases) families.set(item.family, [...(families.get(item.family) || []), item]);
  const rows = [...families].map(([family, items]) => {
    const judged = items.flatMap((item) => item.phases).map((phase) => phase.judgement).filter(Boolean);
    const middle = (of) => judged.length ? of(median(judged.map(of === mdeText ? (one) => one.mde : (one) => one.change))) : "";
    return [family, String(items.length), String(items.filter((item) => item.exit === 1).length), middle(signed), middle(mdeText)];
  });
  where.append(element("h2", {id: "families-title"}, "Families"),
    table(["family", "cases", "failed", "median change", "median MDE"], rows));
}

function showSpeedups(where, data) {
  if (!data.speedups.length) return;
  where.append(element("h2", {id: "speedups-title"}, "Speed-ups, not judged"), table(["case", "over", "ratio", "\u00b1"],
    data.speedups.map((one) => [one.key, one.over.split("/").pop(), one.ratio.toPrecision(3) + "\u00d7",
      one.half_width === null ? "" : percent(one.half_width)])));
}

function showMachine(where, data) {
  where.append(element("h2", {id: "machine-title"}, "Machine"));
  if (data.ceilings.length) {
    where.append(table(["ceiling, measured in this run", "of baseline"], data.ceilings.map((one) => [one.text,
      one.before === null ? "" : percent(one.now / one.before)])));
  }
  where.append(element("ul", {class: "facts"}, ...Object.entries(data.environment).map(([name, value]) =>
    element("li", {}, element("span", {class: "quiet"}, name + " "), value))));
}

function useTheme(theme) { document.documentElement.dataset.theme = theme; }
function changeTheme() {
  useTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  for (const button of document.querySelectorAll('.key button[aria-expanded="true"]')) { button.click(); button.click(); }
}

(() => {
  useTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const data = JSON.parse(document.getElementById("data").textContent);
  data.several = new Set(data.cases.map((item) => item.device)).size > 1;  // devices: a case may be there twice
  showHead(data);
  showFindings(document.getElementById("findings"), data);
  showCases(document.getElementById("cases"), data);
  showFamilies(document.getElementById("families"), data);
  showSpeedups(document.getElementById("speedups"), data);
  showMachine(document.getElementById("machine"), data);
  document.documentElement.dataset.drawn = performance.now().toFixed(0);  // ms since it was opened; tests/bench/page_opens.py
})();
