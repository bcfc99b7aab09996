"""What Inductor knows of the Triton kernels that it compiles, kept beside a package as NAME.kernels.json.

A trace shows a kernel's name, launch and time. How many bytes it is expected to move, which configuration was
chosen among which, and its source are known only here, while it is compiled. Inductor's own settings for that change
the code (benchmark_kernel names and shares kernels otherwise, profile_bandwidth leaves out coordinate descent), so three
of its functions are wrapped instead, which does not. What cannot be found out must not cost a package: it is left out.
"""

import contextlib
import hashlib
import pathlib
import re


@contextlib.contextmanager
def replaced(wrapped):
    """While it lasts, what stands for each of `wrapped`: (owner, name, function, what takes its place)."""
    for owner, name, _, replacement in wrapped:
        setattr(owner, name, replacement)
    try:
        yield
    finally:
        for owner, name, original, _ in wrapped:
            setattr(owner, name, original)


@contextlib.contextmanager
def recording():
    """Gives a dictionary that fills while torch._inductor.aot_compile runs: by a kernel's name what is known of it."""
    kernels = {}
    try:
        wrapped = wrappers(kernels)
    except (ImportError, AttributeError) as error:  # another LibTorch
        print(f"kernels are not recorded: {error}", flush=True)
        wrapped = []
    with replaced(wrapped):
        yield kernels


def wrappers(kernels):
    """(owner, name, function, what takes its place) of the functions that see all there is to know."""
    from torch._inductor.codegen.triton import TritonScheduling
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    define_kernel = TritonScheduling.define_kernel
    bench = CachingAutotuner.bench
    save_gpu_kernel = CachingAutotuner.save_gpu_kernel

    def define_and_record(self, source, schedule, kernel):
        name = define_kernel(self, source, schedule, kernel)
        with contextlib.suppress(Exception):
            note_definition(kernels.setdefault(name, {}), name, kernel)
        return name

    def bench_and_record(self, launcher, *arguments, **named):
        ms = bench(self, launcher, *arguments, **named)
        with contextlib.suppress(Exception):  # kept with what is tuned, for as long as it lives
            self.__dict__.setdefault("perfgate_tried", {})[str(launcher.config)] = described(launcher, ms)
        return ms

    def save_and_record(self, stream, launcher):
        save_gpu_kernel(self, stream, launcher)
        with contextlib.suppress(Exception):
            note_choice(kernels.setdefault(self.inductor_meta["kernel_name"], {}), self, launcher)

    return [(TritonScheduling, "define_kernel", define_kernel, define_and_record),
            (CachingAutotuner, "bench", bench, bench_and_record),
            (CachingAutotuner, "save_gpu_kernel", save_gpu_kernel, save_and_record)]


def note_definition(entry, name, kernel):
    """What is known before a kernel is tuned: bytes a launch, and the Python that times it by itself."""
    from torch._inductor.utils import Placeholder

    entry["bytes"] = max(entry.get("bytes", 0), bytes_of(kernel))  # one source may serve several calls
    if hasattr(kernel, "codegen_kernel_benchmark"):
        harness = kernel.codegen_kernel_benchmark(entry["bytes"] / 1e9).getvalue()
        entry["harness"] = kernel.imports_for_benchmark_kernel() + harness.replace(str(Placeholder.KERNEL_NAME), name)


def note_choice(entry, autotuner, launcher):
    """What is known when it has been tuned: the configuration chosen, all that were tried, the source."""
    tried = autotuner.__dict__.get("perfgate_tried", {})
    entry.update(
        tried=list(tried.values()),
        chosen=tried.get(str(launcher.config)) or described(launcher, None),
        heuristic=autotuner.heuristic_type.name.lower(),
        source=source_of(autotuner))


def source_of(autotuner):
    """Of the kernel that it tunes, with what Inductor writes around it."""
    return pathlib.Path(autotuner.filename).read_text() if autotuner.filename else autotuner.fn.src


def bytes_of(kernel):
    """Inductor's estimate of what a launch moves (kernel_num_gb), and with it the tensors that the program writes in
    place: Inductor looks those up by a name that they no longer have, and counts nothing for them."""
    from torch._inductor.virtualized import V

    if not hasattr(kernel, "estimate_kernel_num_bytes"):  # several kernels in one
        return sum(bytes_of(part) for part in kernel.sub_kernels)
    features = getattr(kernel, "features", None)
    if not hasattr(features, "buf_accesses"):  # a template: all of its inputs and its output
        return int(kernel.estimate_kernel_num_bytes())
    first_names = V.graph.scheduler.mutation_real_name
    accesses = {}
    for name, found in features.buf_accesses().items():
        for known_as in {name, first_names.get(name, name)}:
            accesses.setdefault(known_as, []).extend(found)
    features.buf_accesses = lambda: accesses
    try:
        return int(kernel.estimate_kernel_num_bytes())
    finally:
        del features.buf_accesses


def described(launcher, ms):
    """A configuration as it was compiled, and its time; None where it was not timed or spilled too much for that."""
    config = launcher.config
    return {"config": {**config.kwargs, "num_warps": config.num_warps, "num_stages": config.num_stages},
            "registers": launcher.n_regs, "spills": launcher.n_spills, "shared_bytes": launcher.shared,
            "ms": None if ms in (None, float("inf")) else ms}


def launched(files, recorded):
    """Of what was recorded the kernels that the compiled program launches: Inductor also tunes some that it then
    does not choose. `files`: what aot_compile wrote."""
    wrappers_of = [file for file in files if str(file).endswith(".wrapper.cpp")]
    if not wrappers_of or not recorded:
        return {}
    names = re.findall(r'loadKernel\("[^"]*", "(\w+)"', pathlib.Path(wrappers_of[0]).read_text())
    return {name: summarised(recorded[name]) for name in names if "chosen" in recorded.get(name, {})}


def summarised(entry):
    """With what perfgate compares: the configuration in words, the kernel's text by itself and its version, the threads
    of a block, the grid where it is fixed."""
    config = entry["chosen"]["config"]
    head, kernel = parts_of(entry["source"])
    out = {**entry, "configuration": configuration_text(config), "version": version_of(kernel),
           "head": head, "kernel": kernel, "threads": 32 * config["num_warps"]}
    del out["source"]
    elements = re.search(r"\bxnumel = (\d+)$", kernel, re.MULTILINE)
    if elements and "XBLOCK" in config:
        out["grid_x"] = -(-int(elements.group(1)) // config["XBLOCK"])
    return out


def configuration_text(config):
    """"XBLOCK 2, R0_BLOCK 4096, 8 warps, 3 stages"."""
    blocks = [f"{name} {value}" for name, value in config.items() if name not in ("num_warps", "num_stages")]
    return ", ".join([*blocks, f"{config['num_warps']} warps", f"{config['num_stages']} stages"])


def parts_of(source):
    """What names Triton's version and the machine that a kernel was compiled on, and the kernel itself."""
    begin = max(0, source.find("@triton.jit"))
    return source[:begin], source[begin:].strip() + "\n"


def version_of(kernel):
    """By which kernels are told apart."""
    return hashlib.sha1(kernel.strip().encode()).hexdigest()[:12]
