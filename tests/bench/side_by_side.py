"""A case's fresh workers beside Python processes that do the same work, on one GPU, alternating.

Python's side is forked before CUDA is touched, and timed by perfgate's own sampler.
"""

import concurrent.futures
import json
import multiprocessing
import pathlib
import statistics
import subprocess
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src/perfgate/packages"))
from queued_timer import QueuedTimer, library_beside  # noqa: E402

import torch  # noqa: E402: seconds that each fork would need again

DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "int8": torch.int8}
FORK = multiprocessing.get_context("fork")
HEADING = f"{'case':<54} {'ours':>10} {'Python':>10}  {'ratio':>6}   CV ours, Python"


class PreconditionedTimer(QueuedTimer):
    """Times work as a case that computes is timed: right after preconditioning."""

    def net_us(self, work):
        work()  # what it compiles, it compiles before that
        torch.cuda.synchronize()
        self._check(self._library.perfgate_timer_precondition(self._timer, *self._room()))
        return super().net_us(work)


def time_work(make_work, library, preconditioned, arguments):
    """In a process of its own: net time in us of the work that make_work(*arguments) returns."""
    warnings.filterwarnings("ignore", message="The PyTorch API of nested tensors is in prototype")
    try:
        with torch.inference_mode():
            timer = PreconditionedTimer(library) if preconditioned else QueuedTimer(library)
            return timer.net_us(make_work(*arguments))
    except Exception as error:  # the compiler's hold what cannot be sent to the parent: their words can
        raise RuntimeError(f"{type(error).__name__}: {error}") from None


def time_case(perfgate, case):
    """A fresh worker's net time in us, and whether it was taken after preconditioning."""
    done = subprocess.run([perfgate, "--worker=" + case], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"the worker ended with {done.returncode}: {done.stderr.strip()[-200:]}")
    report = json.loads(done.stdout)
    if report["status"] != "measured":
        raise RuntimeError(report["message"])
    return report["metrics"]["net_time"]["value"], "precondition" in report["protocol"]


def spread(values):
    """CV in percent; of a single value there is none."""
    return f"{100 * statistics.stdev(values) / statistics.mean(values):.2f} %" if len(values) > 1 else "-"


def print_row(build, case, workers, make_work, *arguments):
    """Times both sides `workers` times and prints a line; the ratio is above 1 where ours is faster."""
    perfgate = build / "bin/perfgate"
    ours, theirs = [], []
    try:
        for _ in range(workers):
            value, preconditioned = time_case(perfgate, case)
            ours.append(value)
            with concurrent.futures.ProcessPoolExecutor(1, mp_context=FORK) as process:
                library = library_beside(perfgate)
                theirs.append(process.submit(time_work, make_work, library, preconditioned, arguments).result())
    except Exception as error:  # one that cannot run, or that dies, must not cost the others
        print(f"{case:<54} {' '.join((str(error) or repr(error)).split())[:400]}", flush=True)
        return
    ratio = statistics.mean(theirs) / statistics.mean(ours)
    print(f"{case:<54} {statistics.mean(ours):>7.2f} us {statistics.mean(theirs):>7.2f} us"
          f"  {ratio:>6.3f}   {spread(ours)}, {spread(theirs)}", flush=True)
