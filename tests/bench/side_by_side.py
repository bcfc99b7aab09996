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
HEADING = f"{'case':<76} {'ours':>11} {'Python':>11}  {'ratio':>6}   CV ours, Python"


class PreconditionedTimer(QueuedTimer):
    """Times work as a case that computes is timed: right after preconditioning."""

    def net_us(self, work, before_each=None):
        if before_each is not None:
            before_each()
        work()  # what it compiles, it compiles before that
        torch.cuda.synchronize()
        self._check(self._library.perfgate_timer_precondition(self._timer, *self._room()))
        return super().net_us(work, before_each)


def time_work(make_work, library, preconditioned, arguments):
    """In a process of its own: net time in us, by phase, of the work that make_work(*arguments) returns.

    That is a function; or, where a case has several phases, for each of them by name a function and one that is
    called before each run of it and not timed.
    """
    warnings.filterwarnings("ignore", message="The PyTorch API of nested tensors is in prototype")
    try:
        with torch.inference_mode():
            work = make_work(*arguments)
            phases = work if isinstance(work, dict) else {"": (work, None)}
            timer = PreconditionedTimer(library) if preconditioned else QueuedTimer(library)
            return {phase: timer.net_us(*functions) for phase, functions in phases.items()}
    except Exception as error:  # the compiler's hold what cannot be sent to the parent: their words can
        raise RuntimeError(f"{type(error).__name__}: {error}") from None


def time_case(perfgate, case):
    """A fresh worker's net time in us, by phase, and whether it was taken after preconditioning. A single phase has no name."""
    done = subprocess.run([perfgate, "--worker=" + case], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"the worker ended with {done.returncode}: {done.stderr.strip()[-200:]}")
    report = json.loads(done.stdout)["report"]
    if report["status"] != "measured":
        raise RuntimeError(report["message"])
    times = {metric.removesuffix("net_time").removesuffix("."): measurement["value"]
             for metric, measurement in report["metrics"].items() if metric.endswith("net_time")}
    if len(times) == 1:
        times = {"": times.popitem()[1]}
    return times, any("precondition" in phase["protocol"] for phase in report["phases"].values())


def spread(values):
    """CV in percent; of a single value there is none."""
    return f"{100 * statistics.stdev(values) / statistics.mean(values):.2f} %" if len(values) > 1 else "-"


def print_rows(build, case, workers, make_work, *arguments):
    """Times both sides `workers` times and prints a line a phase; the ratio is above 1 where ours is faster.

    Returns both sides' mean times in us, by phase; None where either cannot run.
    """
    perfgate = build / "bin/perfgate"
    ours, theirs = [], []
    try:
        for _ in range(workers):
            times, preconditioned = time_case(perfgate, case)
            ours.append(times)
            with concurrent.futures.ProcessPoolExecutor(1, mp_context=FORK) as process:
                library = library_beside(perfgate)
                theirs.append(process.submit(time_work, make_work, library, preconditioned, arguments).result())
    except Exception as error:  # one that cannot run, or that dies, must not cost the others
        print(f"{case:<76} {' '.join((str(error) or repr(error)).split())[:400]}", flush=True)
        return None
    means = {}
    for phase in ours[0]:
        of_ours, of_theirs = ([times[phase] for times in side] for side in (ours, theirs))
        means[phase] = statistics.mean(of_ours), statistics.mean(of_theirs)
        print(f"{case + (' ' + phase if phase else ''):<76} {means[phase][0]:>8.2f} us {means[phase][1]:>8.2f} us"
              f"  {means[phase][1] / means[phase][0]:>6.3f}   {spread(of_ours)}, {spread(of_theirs)}", flush=True)
    return means
