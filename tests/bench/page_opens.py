#!/usr/bin/env python3
"""How large the page of a night is with a year of nights behind it, and how long headless Chromium takes to open it.

    page_opens.py PERFGATE RESULTS [SERIES [NIGHTS]]

RESULTS: a folder of one night's results. Its cases are repeated under other names until there are so many series."""

import copy
import datetime
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time


def widened(results, series):
    """One night's results with that many cases."""
    document = json.loads(next(pathlib.Path(results).glob("*.json")).read_text())
    cases = document["cases"]
    out = []
    for i in range(series):
        case = copy.deepcopy(cases[i % len(cases)])
        key = case["case"]
        name = f"{key.rsplit('/', 1)[0]}/{i}/{key.rsplit('/', 1)[1]}"
        out.append(json.loads(json.dumps(case).replace(json.dumps(key), json.dumps(name))))
    document["cases"] = out
    return document


def history_of(document, nights):
    """A line a case and night, as a history has them."""
    random.seed(1)
    begin = datetime.datetime(2025, 11, 28, 3, tzinfo=datetime.timezone.utc)
    for night in range(nights):
        when = (begin + datetime.timedelta(days=night)).strftime("%Y-%m-%dT%H:%M:%SZ")
        for case in document["cases"]:
            metrics = {}
            for judgement in case["judgements"][:1]:
                metrics[judgement["metric"]] = {
                    "value": judgement["now"], "change": round(random.gauss(0, 0.003), 7), "noise": 0.003,
                    "reference_noise": 0.001, "degrees": 12, "sessions": 3, "verdict": "PASS"}
            if metrics:
                yield json.dumps({"schema_version": 1, "time": when, "model": document["run"]["device"]["model"],
                                  "device_id": document["run"]["device_id"], "commit": f"{night // 7:012x}", "libtorch": "2.11.0",
                                  "case": case["case"], "revision": "s", "workers": 1,
                                  "verdict": "PASS", "metrics": metrics}, separators=(",", ":"))


def main(arguments):
    if not 2 <= len(arguments) <= 4:
        print(__doc__, file=sys.stderr)
        return 2
    perfgate, results = arguments[:2]
    series, nights = int(arguments[2]) if len(arguments) > 2 else 1000, int(arguments[3]) if len(arguments) > 3 else 365
    document = widened(results, series)
    with tempfile.TemporaryDirectory() as scratch:
        top = pathlib.Path(scratch)
        for folder in ("results", "history", "out"):
            (top / folder).mkdir()
        (top / "results/night.json").write_text(json.dumps(document))
        model = re.sub(r"[^A-Za-z0-9._-]+", "_", document["run"]["device"]["model"])
        (top / f"history/{model}.nights.jsonl").write_text("".join(line + "\n" for line in history_of(document, nights)))
        begun = time.monotonic()
        subprocess.run([perfgate, f"--export=html:{top}/out/night.html", f"--results={top}/results", f"--history={top}/history"],
                       check=True)
        written = time.monotonic() - begun
        size = (top / "out/night.html").stat().st_size
        opened = []
        for _ in range(5):
            dom = subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom",
                                  f"file://{top}/out/night.html"], capture_output=True, text=True, check=True).stdout
            found = re.search(r'data-drawn="(\d+)"', dom)
            opened.append(int(found.group(1)) if found else math.inf)
    print(f"{series} cases, {nights} nights: {size / 1e6:.2f} MB, written in {written:.1f} s, drawn after "
          f"{sorted(opened)[2]} ms (median of 5: {opened})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
