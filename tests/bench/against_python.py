#!/usr/bin/env python3
"""Are our cases as fast as the same work from Python, on this GPU, now?

Compiled packages beside torch.compile of the same program with the same settings, tuned by Inductor's own
timer; eager cases of sparse and attention beside what PyTorch's own benchmarks do. Cases that Python has no
counterpart for are left out.

usage: against_python.py BUILD [--case=GLOB] [--workers=N]
"""

import argparse
import json
import pathlib
import subprocess

from side_by_side import HEADING, ROOT, print_row
from export_packages import load_program
from attention_in_python import attention_work
from sparse_in_python import sparse_work

import torch


def compiled_work(package):
    """The package's program under torch.compile."""
    function, inputs, settings = load_program(
        ROOT / "src/perfgate/workloads" / package["source"])(**package["arguments"], device="cuda")
    # LibTorch 2.11 cannot use again the choice between two kernels that it bundled into its cache.
    compiled = torch.compile(function, options={**settings, "bundle_triton_into_fx_graph_cache": False})
    return lambda: compiled(*inputs)


def work_for(case, packages):
    """How Python makes the work of a case, and from what; None where it has no counterpart."""
    if case in packages:
        return compiled_work, packages[case]
    if case.startswith("attention/"):
        return attention_work, case
    if case.startswith(("sparse/tensor/", "sparse/linear/")) and not case.endswith("_best"):
        return sparse_work, case
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--case", default="*")
    parser.add_argument("--workers", type=int, default=3)
    arguments = parser.parse_args()
    build = arguments.build.resolve()

    def listed(what):
        command = [build / "bin/perfgate", what, "--case=" + arguments.case]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    packages = {package["case"]: package for package in json.loads(listed("--list_packages"))["packages"]}
    print(HEADING)
    for case in listed("--list_cases").split():
        work = work_for(case, packages)
        if work is not None:
            print_row(build, case, arguments.workers, *work)


if __name__ == "__main__":
    main()
