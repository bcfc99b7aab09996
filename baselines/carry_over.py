#!/usr/bin/env python3
"""Carries a baseline of one file (schema version 1) over into a folder (schema version 2).

usage: carry_over.py baselines/MODEL.json    writes baselines/MODEL/, leaves the file as it is

Reference sessions stay as measured, of what is judged and of what a later judge may need; later ones are
folded into counts, means and sums of squares a device, as perfgate folds them from now on
(src/perfgate/baseline/folding.cpp). perfgate formats the files anew with its next refresh.
"""

import json
import math
import pathlib
import shutil
import statistics
import sys

ALWAYS_RECORDED = {"time", "net_time", "sm_cycles", "sample_spread"}
HIGHER_IS_BETTER = {"utilisation"}
FEWEST_PROCESSES = 3  # of a session whose spread is kept, as in baseline/folding.cpp
KNOWN_SESSIONS = 3  # policy.json's known_device_sessions
SETTINGS = {"figure": "statistic", "held": "queued_whole", "load": "precondition"}
STATISTICS = {"mean, tenths off": "10 % trimmed mean", "mean, least and greatest off": "mean without the extremes"}


def variance_of_median(count):
    """In variances of one normal value (Teichroew 1956), as stats/descriptive.cpp has it."""
    return [1.0, 0.5, 0.4487, 0.2982, 0.2868][count - 1] if count <= 5 else math.pi / (2 * count)


def logs(values, metric):
    sign = -1 if metric in HIGHER_IS_BETTER else 1
    return sorted(sign * math.log(value) for value in values)


def fold(sessions, metric, statistic):
    """[sessions, mean, squares, several, within, slowest, typical] of the measurements of later sessions."""
    values, several, within, slowest, typical = [], 0, 0.0, 0.0, 0.0
    for measurements in sessions:
        sorted_logs = logs(measurements, metric)
        middle = statistics.median(sorted_logs)
        n = len(sorted_logs)
        values.append(sorted_logs[0] if statistic == "best" else middle)
        if n < FEWEST_PROCESSES:
            continue
        several += 1
        if statistic == "best":
            within += ((n - 1) / n * (sorted_logs[1] - sorted_logs[0])) ** 2
            typical = max(typical, middle - sorted_logs[0])
        else:
            within += statistics.variance(sorted_logs) * variance_of_median(n)
        slowest = max(slowest, sorted_logs[-1] - middle)
    mean = statistics.fmean(values)
    sign = -1 if metric in HIGHER_IS_BETTER else 1
    return [len(values), math.exp(sign * mean), sum((value - mean) ** 2 for value in values),
            several, within, slowest, typical]


def revision_of(epoch, metrics, sessions, family):
    kept = {name for name, metric in metrics.items() if metric["judged"] or name in ALWAYS_RECORDED}
    reference, later = {}, {}
    for name, by_session in epoch["figures"].items():
        for session, figures in by_session.items():
            if session in epoch["anchor"]:
                if name in kept:
                    reference.setdefault(session, {})[name] = figures
            else:
                later.setdefault(sessions[session]["unit"], {}).setdefault(name, {})[session] = figures
    out = {"reason": epoch["reason"], "date": epoch["date"], "first": epoch["anchor"][0], "reference": reference}
    if "tuning" in epoch:
        out["tuning"] = epoch["tuning"]
    def build(session):
        return sessions[session]["libtorch"], sessions[session].get("workloads", {}).get(family, "")

    first = build(epoch["anchor"][0])
    found_as_fast = []
    for device, by_metric in sorted(later.items()):
        ids = sorted({session for figures in by_metric.values() for session in figures},
                     key=lambda session: sessions[session]["date"])
        entry = {"last": ids[-1]}
        for name, figures in by_metric.items():
            if metrics[name]["judged"]:
                if name == "sm_cycles":  # folding them takes the judge's regression; they only tell of noise
                    print("left out: later sessions' SM cycles of a case of", family, file=sys.stderr)
                    continue
                entry[name] = fold([figures[session] for session in sorted(figures)], name,
                                   metrics[name].get("statistic", "median"))
        out.setdefault("later", []).append(entry)
        anchored = sum(sessions[session]["unit"] == device and build(session) == first for session in epoch["anchor"])
        for session in ids:
            if build(session) != first and anchored >= KNOWN_SESSIONS and build(session) not in found_as_fast:
                found_as_fast.append(build(session))
    if found_as_fast:
        out["found_as_fast"] = [{"libtorch": libtorch, "workload": workload} for libtorch, workload in found_as_fast]
    return out


def protocol_of(old):
    """The same settings by the names that they have now."""
    out = {SETTINGS.get(name, name): setting for name, setting in old.items()}
    if "statistic" in out:
        out["statistic"] = STATISTICS.get(out["statistic"], out["statistic"])
    return out


def case_of(record, sessions, family):
    metrics = record["metrics"]
    protocols = [metric["protocol"] for metric in metrics.values()]
    if any(protocol != protocols[0] for protocol in protocols):
        sys.exit("a case whose metrics have several protocols: record it anew")
    kept = {}
    for name, metric in metrics.items():
        if metric["judged"] or name in ALWAYS_RECORDED:
            kept[name] = {key: metric[key] for key in ("judged", "variance_class", "tolerance", "statistic") if key in metric}
    return {"phases": {"whole": {"protocol": protocol_of(protocols[0])}}, "metrics": kept,
            "revisions": [revision_of(epoch, metrics, sessions, family) for epoch in record["epochs"]]}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1])
    old = json.loads(path.read_text())
    if path.with_suffix("").exists():
        sys.exit(f"{path.with_suffix('')} is there already: remove it first")
    folder = path.with_suffix(".unfinished")  # renamed when it is whole
    cases, kernels, named = {}, {}, set()
    for key, record in old["cases"].items():
        family = key.split("/")[0]
        case = case_of(record, old["sessions"], family)
        cases.setdefault(family, {})[key] = case
        for revision in case["revisions"]:
            named.update(revision["reference"], (entry["last"] for entry in revision.get("later", [])))
        if "kernels" in record:
            kernels.setdefault(family, {})[key] = {"whole": record["kernels"]}
    sessions = {}
    for session in sorted(named):
        sessions[session] = dict(old["sessions"][session])
        sessions[session]["device_id"] = sessions[session].pop("unit")
    shutil.rmtree(folder, ignore_errors=True)
    for part in (folder, folder / "cases", folder / "kernels"):
        part.mkdir()
    write = lambda name, document: (folder / name).write_text(json.dumps({"schema_version": 2, **document}, indent=1) + "\n")
    write("device.json", {"device": old["device"], "families": sorted(cases), "sessions": sessions})
    for family, of_family in cases.items():
        write(f"cases/{family}.json", {"cases": of_family})
    for family, of_family in kernels.items():
        write(f"kernels/{family}.json", {"kernels": of_family})
    folder.rename(path.with_suffix(""))


if __name__ == "__main__":
    main()
