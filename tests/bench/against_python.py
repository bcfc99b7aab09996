#!/usr/bin/env python3
"""Are our cases as fast as the same work from Python, on this GPU, now?

Compiled packages beside torch.compile of the same program with the same settings, tuned by Inductor's own
timer; language models a layer at a time; eager cases of sparse, attention and fastrnns beside what PyTorch's own
benchmarks do. Cases that Python has no counterpart for are left out. Of a ResNet, the images that each side trains
in a second are shown too.

usage: against_python.py BUILD [--case=GLOB] [--workers=N]
"""

import argparse
import json
import pathlib
import subprocess

from side_by_side import HEADING, ROOT, print_rows
from compiling import load_programs
from attention_in_python import attention_work
from fastrnns_in_python import has_training_work, training_work
from language_models_in_python import generation_work
from sparse_in_python import sparse_work

import torch


def arguments_on_gpu(package):
    return {**package["arguments"], "device": "cuda"}


def compiled_work(package):
    """The package's program under torch.compile."""
    programs = load_programs(ROOT / "src/perfgate/workloads" / package["source"], arguments_on_gpu(package))
    function, inputs, settings = programs["model"]
    # LibTorch 2.11 cannot use again the choice between two kernels that it bundled into its cache.
    compiled = torch.compile(function, options={**settings, "bundle_triton_into_fx_graph_cache": False})
    return lambda: compiled(*inputs)


def work_for(case, packages):
    """How Python makes the work of a case, and from what; None where it has no counterpart."""
    stem, _, implementation = case.rpartition("/")
    package = packages.get(stem) if implementation.startswith("compiled") else None
    if case.startswith("language_models/"):
        return (generation_work, case, arguments_on_gpu(package)) if package else None
    if package:
        return compiled_work, package
    if case.startswith("attention/"):
        return attention_work, case
    if case.startswith(("sparse/tensor/", "sparse/linear/")) and not case.endswith("_best"):
        return sparse_work, case
    if has_training_work(case):
        return training_work, case
    return None


def print_images(case, phases):
    """Of a training step of a ResNet: images a second on both sides."""
    images = int(case.split("/")[3].split("x")[0])
    ours, theirs = (1e6 * images / sum(times) for times in zip(*phases.values()))
    print(f"{case + ' images/s':<76} {ours:>8.0f}    {theirs:>8.0f}", flush=True)


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

    packages = {package["name"]: package for package in json.loads(listed("--list_packages"))["packages"]}
    print(HEADING)
    for case in listed("--list_cases").split():
        work = work_for(case, packages)
        if work is None:
            continue
        phases = print_rows(build, case, arguments.workers, *work)
        if phases and len(phases) == 2 and "/resnet" in case:
            print_images(case, phases)


if __name__ == "__main__":
    main()
