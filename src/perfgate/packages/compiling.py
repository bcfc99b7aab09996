"""Exports and compiles the programs of one package, with torch.export and AOTInductor."""

import contextlib
import functools
import importlib.util
import json
import os

import kernel_record
import kernel_tuning
import processor_time
import queued_timer


def load_programs(source, arguments):
    """By name what a workload's Python file has compiled: functions, inputs and settings."""
    spec = importlib.util.spec_from_file_location(source.stem, source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if hasattr(module, "programs"):
        return module.programs(**arguments)
    return {"model": module.program(**arguments)}


def tune(perfgate, alone=contextlib.nullcontext):
    """Makes Inductor choose among a kernel's configurations by perfgate's own timing, each `alone`: within what that
    gives.

    Its own takes the least of some executions behind a memset as large as the L2, and chose a
    gather_gemv of 12, 14 or 19 us, judged as perfgate judges, from one export to the next.
    """
    from torch._inductor.runtime import benchmarking

    os.environ["TORCHINDUCTOR_DISABLE_MULTI_KERNEL_CACHE"] = "1"  # what another export chose by other times
    with alone():
        timer = queued_timer.QueuedTimer(queued_timer.library_beside(perfgate), sampling_s=0.02)

    def benchmark_gpu(work, *_, **__):
        with alone():
            return 1e-3 * timer.net_us(work)

    benchmarking.benchmarker.benchmark_gpu = benchmark_gpu


def use_one_assembler():
    """Inductor's workers assemble kernels with LibTorch's ptxas, and what its search compiles here would come from
    Triton's, of another version: the same kernel with other registers."""
    from torch._inductor.runtime import compile_tasks

    if hasattr(compile_tasks, "_set_triton_ptxas_path"):
        compile_tasks._set_triton_ptxas_path()


def compile_package(request, sources, package, device, tuning, alone=contextlib.nullcontext):
    """Exports and compiles a package's programs, and puts it in place in one step. `tuning`: configurations that are
    known, by program and version of a kernel's source. Inputs are made `alone`, within what that gives."""
    import torch
    from torch._inductor.package import package_aoti

    class Program(torch.nn.Module):
        def __init__(self, function):
            super().__init__()
            self.function = function

        def forward(self, *tensors):
            return self.function(*tensors)

    torch.set_num_threads(1)  # compiled into CPU code: what is measured is one thread
    compiled = {}
    kernels = {}
    on_gpu = device.startswith("cuda")
    with alone():
        programs = load_programs(sources / request["source"], {**request["arguments"], "device": device})
        if on_gpu:
            torch.cuda.synchronize()
    for name, (function, inputs, settings) in programs.items():
        with torch.no_grad():
            exported = torch.export.export(Program(function), inputs)
        with (kernel_tuning.given(tuning.get(name, {})),
              kernel_record.recording() if on_gpu else contextlib.nullcontext({}) as recorded):
            compiled[name] = torch._inductor.aot_compile(exported.module(), inputs, options={
                **settings, "aot_inductor.package": True,
                "autotune_local_cache": False})  # what another timer chose before
        kernels[name] = recorded, compiled[name]
    keep_kernels(package.with_suffix(".kernels.json"), kernels)
    unfinished = package.with_suffix(".unfinished.pt2")
    package_aoti(str(unfinished), compiled)
    os.replace(unfinished, package)


def keep_kernels(file, recorded_of_program):
    """Writes what is known of a package's kernels, where anything is. It must not cost the package."""
    try:
        kernels = {program: kernel_record.launched(files, recorded)
                   for program, (recorded, files) in recorded_of_program.items()}
        if any(kernels.values()):
            unfinished = file.with_suffix(".unfinished")
            unfinished.write_text(json.dumps(kernels, indent=1) + "\n")
            unfinished.chmod(0o644)
            os.replace(unfinished, file)
    except Exception as error:  # whatever another Inductor does
        print(f"its kernels are not recorded: {error!r}", flush=True)


def holds(file, tuning):
    """Whether the package whose kernels' file this is was compiled in these configurations, all of them."""
    if not tuning:
        return True
    try:
        made = json.loads(file.read_text())
        return all(configuration in [kernel["configuration"] for kernel in made.get(program, {}).values()
                                     if kernel["version"] == version]
                   for program, kernels in tuning.items() for version, configuration in kernels.items())
    except (OSError, ValueError, KeyError):
        return False


@functools.cache
def start_inductor(device):
    """Compiles something small, once: the first program of a process pays for what all of them need."""
    import torch

    x = torch.ones(8, device=device)
    torch._inductor.aot_compile(torch.export.export(torch.nn.ReLU(), (x,)).module(), (x,))


def compile_from_nothing(request, sources, package, device):
    """Compiles a package with empty caches and no configuration known, and returns the processor time in seconds that
    it took. The clock's would depend on what else runs: beside a build it grew from 20 to 46 s, processor time from 20
    to 23 s."""
    from torch._inductor.utils import fresh_inductor_cache

    with fresh_inductor_cache():
        started = processor_time.seconds_so_far()
        compile_package(request, sources, package, device, {})
        return processor_time.seconds_so_far() - started


def make(request, sources, package, device, tuning, locks):
    """Makes a package, and returns the processor time that it took where that is wanted, else None. What is timed
    searches, as anybody's export does, whatever is known; where it found something else than what is recorded, the
    package is compiled once more for that."""
    alone = locks.timing if device.startswith("cuda") else contextlib.nullcontext
    processor_s = None
    if request["timed"]:
        with locks.beside_others():
            start_inductor(device)
        with locks.quiet():
            processor_s = compile_from_nothing(request, sources, package, device)
    if processor_s is None or not holds(package.with_suffix(".kernels.json"), tuning):
        with locks.beside_others():
            compile_package(request, sources, package, device, tuning, alone)
    return processor_s
