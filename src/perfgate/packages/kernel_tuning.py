"""Has Inductor compile a program's Triton kernels in configurations that are known, in place of its search.

The search measures candidates that are all but equally fast, and chose one that perfgate judges 9 % slower in one
export of three. Two functions are wrapped: CachingAutotuner.run, before whose first call a kernel has its candidates
and after it the one that is compiled into the package, and MultiKernelCall.benchmark_sub_kernels, which chooses between
two ways to write one reduction. A kernel of another source, or whose configuration cannot be compiled any more, is
searched for as ever.
"""

import contextlib
import copy
import re

import kernel_record


@contextlib.contextmanager
def given(configurations):
    """While it lasts, kernels whose source's version is in `configurations` are compiled so: {version: text}."""
    wrapped = []
    if configurations:
        try:
            wrapped = wrappers(configurations)
        except (ImportError, AttributeError) as error:  # another LibTorch
            print(f"recorded configurations are not used: {error}", flush=True)
    with kernel_record.replaced(wrapped):
        yield


def wrappers(configurations):
    """(owner, name, function, what takes its place)."""
    from torch._inductor.codegen.multi_kernel import MultiKernelCall
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    run = CachingAutotuner.run
    benchmark_sub_kernels = MultiKernelCall.benchmark_sub_kernels

    def run_as_given(self, *arguments, **named):
        if "perfgate_was_asked" not in self.__dict__:
            self.perfgate_was_asked = True
            take_what_is_given(self, configurations)
        return run(self, *arguments, **named)

    def choose_as_given(self, *arguments, **named):
        return (times_of_given([version_of(kernel) in configurations for kernel in self.kernels])
                or benchmark_sub_kernels(self, *arguments, **named))

    return [(CachingAutotuner, "run", run, run_as_given),
            (MultiKernelCall, "benchmark_sub_kernels", benchmark_sub_kernels, choose_as_given)]


def times_of_given(are_given):
    """In place of measured times, where only one of several kernels was compiled into the recorded package; else None."""
    return [0.0 if is_given else float("inf") for is_given in are_given] if are_given.count(True) == 1 else None


def version_of(autotuner):
    """Of the kernel's source; none where that cannot be found out."""
    with contextlib.suppress(Exception):
        return kernel_record.version_of(kernel_record.parts_of(kernel_record.source_of(autotuner))[1])
    return None


def take_what_is_given(autotuner, configurations):
    """Leaves the kernel no other configuration than the one that is known of its source, if one is and compiles."""
    text = configurations.get(version_of(autotuner))
    if text is None:
        return
    try:
        launcher = launcher_of(autotuner, configuration_of(text))
    except Exception as error:  # whatever Triton raises of what does not fit any more
        name = autotuner.inductor_meta.get("kernel_name")
        why = (str(error).strip() or repr(error)).splitlines()[-1]  # Triton quotes the kernel first
        print(f"{name} cannot be compiled as recorded ({text}), and is searched for anew: {why}", flush=True)
        return
    launcher.config.found_by_coordesc = True  # where the search ends
    autotuner.launchers = [launcher]


def launcher_of(autotuner, wanted):
    """The kernel in that configuration: compiled already as a candidate, else now."""
    if not autotuner.launchers:
        autotuner.precompile()
    for launcher in autotuner.launchers:
        if kernel_record.described(launcher, None)["config"] == wanted:
            return launcher
    config = copy.deepcopy(autotuner.launchers[0].config)
    blocks = {name: value for name, value in wanted.items() if name not in ("num_warps", "num_stages")}
    if set(blocks) != set(config.kwargs):
        raise ValueError(f"this kernel has {', '.join(config.kwargs) or 'no blocks'}")
    config.kwargs = blocks
    config.num_warps = wanted["num_warps"]
    config.num_stages = wanted["num_stages"]
    if autotuner.fn.fn is None:  # compiled in another process
        autotuner.fn = autotuner._reload_kernel().fn
    with autotuner.lock:
        return autotuner._precompile_config(config).make_launcher()


def configuration_of(text):
    """What kernel_record.configuration_text made of a configuration. Raises ValueError for anything else."""
    if not re.fullmatch(r"(?:\w+ \d+, )*\d+ warps, \d+ stages", text):
        raise ValueError("this is no configuration")
    *blocks, warps, stages = text.split(", ")
    return {**{name: int(value) for name, value in (block.split(" ") for block in blocks)},
            "num_warps": int(warps.split(" ")[0]), "num_stages": int(stages.split(" ")[0])}
