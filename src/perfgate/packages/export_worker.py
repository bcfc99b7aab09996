#!/usr/bin/env python3
"""Makes one package after the other, as it is asked to, in a process of its own: what crashes costs one package.

A task comes as a line of JSON on standard input, its outcome goes out as one on standard output. What else is printed
goes along with it; what a library writes by itself goes to standard error.

usage: export_worker.py PERFGATE SOURCES LOCKS
"""

import contextlib
import functools
import gc
import io
import json
import os
import pathlib
import sys
import warnings

import compiling
import export_locks


@functools.cache
def prepare(perfgate, locks, tuned):
    """What the process does once. Imports LibTorch."""
    warnings.filterwarnings("ignore")  # deprecations inside torch
    import torch  # noqa: F401

    if tuned:
        compiling.use_one_assembler()
        compiling.tune(perfgate, locks.timing)


def give_memory_back(device):
    """Of the GPU, for the other processes' packages."""
    gc.collect()
    if device.startswith("cuda"):
        import torch

        torch.cuda.empty_cache()


def done(task, perfgate, sources, locks):
    """Does it, and says how it went; whatever is raised is one package's."""
    said = io.StringIO()
    outcome = {"processor_s": None, "error": None, "out_of_memory": False}
    with contextlib.redirect_stdout(said):
        try:
            with locks.beside_others():
                prepare(perfgate, locks, task["tuned"])
            outcome["processor_s"] = compiling.make(task["request"], sources, pathlib.Path(task["package"]),
                                                    task["device"], task["tuning"], locks)
        except Exception as error:
            outcome["error"] = str(error) or repr(error)
            outcome["out_of_memory"] = type(error).__name__ == "OutOfMemoryError" or isinstance(error, MemoryError)
        with contextlib.suppress(Exception):
            give_memory_back(task["device"])
    return {**outcome, "said": said.getvalue()}


def main():
    perfgate, sources, folder = map(pathlib.Path, sys.argv[1:4])
    locks = export_locks.ExportLocks(folder)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # a library may print there
    for line in sys.stdin:
        print(json.dumps(done(json.loads(line), perfgate, sources, locks)), file=answers, flush=True)


if __name__ == "__main__":
    main()
