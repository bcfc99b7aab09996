#!/usr/bin/env python3
"""Are the compiled packages as fast as torch.compile from Python, on this GPU, now?

Python's side compiles the same program with the same settings, and lets Inductor's own timer tune it.

usage: against_python.py BUILD [--case=GLOB] [--workers=N]
"""

import argparse
import fnmatch
import json
import pathlib
import subprocess

from side_by_side import HEADING, ROOT, print_row
from export_packages import load_program

import torch


def compiled_work(package):
    """The package's program under torch.compile."""
    function, inputs, settings = load_program(
        ROOT / "src/perfgate/workloads" / package["source"])(**package["arguments"], device="cuda")
    compiled = torch.compile(function, options=settings)
    return lambda: compiled(*inputs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--case", default="*", help="by the names that --list_packages prints")
    parser.add_argument("--workers", type=int, default=3)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    listed = json.loads(subprocess.run([build / "bin/perfgate", "--list_packages"],
                                       capture_output=True, text=True, check=True).stdout)
    print(HEADING)
    for package in listed["packages"]:
        if fnmatch.fnmatch(package["name"], arguments.case):
            print_row(build, package["case"], arguments.workers, compiled_work, package)


if __name__ == "__main__":
    main()
