#!/usr/bin/env python3
"""Are the compiled packages as fast as torch.compile from Python, on this GPU, now?

For every package, in turn: fresh workers of the compiled case, and as many Python processes, forked before
CUDA is touched, that torch.compile the same program with the same settings, tuned by Inductor's own timer, and
time it behind the same hold and flush. Prints net times and their ratio, above 1 where the package is
faster.

usage: against_python.py BUILD [--case=GLOB] [--workers=N]
"""

import argparse
import fnmatch
import json
import multiprocessing
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "fixtures"))
from export_packages import load_program  # noqa: E402
from held_timer import HeldTimer, library_beside  # noqa: E402

import torch  # noqa: E402: seconds that each fork would need again


def time_here(library, package):
    """In a process of its own: compiles one program and returns its net time in us."""
    function, inputs, settings = load_program(
        ROOT / "src/perfgate/workloads" / package["source"])(**package["arguments"], device="cuda")
    compiled = torch.compile(function, options=settings)
    with torch.inference_mode():
        return HeldTimer(library).net_us(lambda: compiled(*inputs))


def time_package(build, package):
    """A fresh worker's net time in us."""
    done = subprocess.run([build / "bin/perfgate", "--worker=" + package["case"]],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError((done.stderr or done.stdout).strip().splitlines()[-1])
    report = json.loads(done.stdout)
    if report["status"] != "measured":
        raise RuntimeError(report["message"])
    return report["metrics"]["net_time"]["figure"]


def compare(build, package, workers):
    """Net times in us of both sides, alternating, a fresh process each."""
    library = library_beside(build / "bin/perfgate")
    ours, theirs = [], []
    for _ in range(workers):
        ours.append(time_package(build, package))
        with multiprocessing.get_context("fork").Pool(1) as process:
            theirs.append(process.apply(time_here, (library, package)))
    return ours, theirs


def spread(values):
    """CV in percent; 0 for a single value."""
    return 100 * statistics.stdev(values) / statistics.mean(values) if len(values) > 1 else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--case", default="*")
    parser.add_argument("--workers", type=int, default=3)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    listed = json.loads(subprocess.run([build / "bin/perfgate", "--list_packages"],
                                       capture_output=True, text=True, check=True).stdout)
    print(f"{'package':<44} {'ours':>10} {'Python':>10}  {'ratio':>6}   CV ours, Python")
    for package in listed["packages"]:
        if not fnmatch.fnmatch(package["name"], arguments.case):
            continue
        try:
            ours, theirs = compare(build, package, arguments.workers)
        except RuntimeError as error:
            print(f"{package['name']:<44} {error}", flush=True)
            continue
        ratio = statistics.mean(theirs) / statistics.mean(ours)
        print(f"{package['name']:<44} {statistics.mean(ours):>7.2f} us {statistics.mean(theirs):>7.2f} us"
              f"  {ratio:>6.3f}   {spread(ours):.2f} %, {spread(theirs):.2f} %", flush=True)


if __name__ == "__main__":
    main()
