#!/usr/bin/env python3
"""Times each Triton kernel of compiled packages by itself, in the configuration that the exporter chose or in
every one that it tried. `perfgate --kernels` calls it.

A kernel is compiled again from the source that lies beside its package, gets operands of the sizes that it was compiled
for, and is timed as perfgate times cases: queued whole, behind a flushed cache. Operands that are whole numbers are
zeros, so a gather reads one row. Where another configuration is faster than the one that was chosen, the
last line of the kernel says by how much.

usage: benchmark_kernels.py PERFGATE LOCK PACKAGES all_configs|chosen NAME...
"""

import importlib.util
import json
import pathlib
import stat
import sys
import tempfile

import compiling
import export_locks
import kernel_record


USAGE_ERROR = 2  # one of perfgate's exit codes


def why_not_run(file):
    """Why what lies there cannot be run, which is code of whoever may write it; empty: it can."""
    if not file.exists():
        return "no kernels are recorded beside this package: export it again"
    if file.stat().st_mode & stat.S_IWOTH:
        return f"anybody may write {file}: export the package again"
    return ""


def module_of(kernel, name, folder):
    """The kernel's source as a module that can run it."""
    file = pathlib.Path(folder) / f"{name}.py"
    file.write_text(kernel["head"] + kernel["kernel"] + kernel["harness"])
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def times(module, name, configs):
    """Each of these configurations as it does here, in their order."""
    import triton

    kernel = getattr(module, name)
    kernel.inductor_meta["dynamic_scale_rblock"] = False  # adds configurations of its own
    kernel.configs = [triton.Config({key: value for key, value in config.items()
                                     if key not in ("num_warps", "num_stages")},
                                    num_warps=config["num_warps"], num_stages=config["num_stages"])
                      for config in configs]
    kernel.precompile()
    measured = [kernel_record.described(launcher, ms)
                for launcher, ms in module.benchmark_all_configs(module.get_args()).items()]
    return sorted(measured, key=lambda item: configs.index(item["config"]))


def row(item, moved, chosen, best):
    """A configuration in one line."""
    ms = item["ms"]
    time = f"{1e3 * ms:10.2f} us {moved / ms * 1e-6:8.0f}" if ms else f"{'not timed':>13} {'':8}"
    marks = [word for word, holds in (("chosen", item["config"] == chosen), ("best", item is best)) if holds]
    return (f"    {kernel_record.configuration_text(item['config']):<52}{time} {item['registers']:>9}"
            f" {item['spills']:>6} {item['shared_bytes']:>6}  {', '.join(marks)}").rstrip()


def verdict(measured, chosen):
    """By how much the best configuration beats the chosen one; empty where it is the chosen one."""
    timed = [item for item in measured if item["ms"]]
    own = next((item for item in timed if item["config"] == chosen), None)
    best = min(timed, key=lambda item: item["ms"], default=None)
    if own is None or best is own:
        return ""
    return (f"    {kernel_record.configuration_text(best['config'])} is {100 * (own['ms'] / best['ms'] - 1):.1f} %"
            " faster than the configuration that was chosen")


def report(program, name, kernel, all_configs):
    """What is printed of a kernel."""
    chosen = kernel["chosen"]["config"]
    configs = [item["config"] for item in kernel["tried"]] if all_configs else [chosen]
    if chosen not in configs:
        configs.insert(0, chosen)
    moved = kernel.get("bytes", 0)
    lines = [f"  {program} {name}   {moved * 1e-6:.3f} MB"]
    if "kernel" not in kernel:
        return "\n".join([*lines, "    its source is not recorded as it is now: export the package again"])
    if "harness" not in kernel:
        return "\n".join([*lines, "    cannot be run by itself: Inductor wrote no harness for it"])
    try:
        with tempfile.TemporaryDirectory() as folder:
            measured = times(module_of(kernel, name, folder), name, configs)
    except Exception as error:  # the others can be timed all the same
        return "\n".join([*lines, f"    cannot be run by itself: {error}"])
    best = min((item for item in measured if item["ms"]), key=lambda item: item["ms"], default=None)
    lines += [row(item, moved, chosen, best if all_configs else None) for item in measured]
    return "\n".join(filter(None, [*lines, verdict(measured, chosen)]))


def main():
    perfgate, lock, packages = map(pathlib.Path, sys.argv[1:4])
    all_configs = sys.argv[4] == "all_configs"
    export_locks.keep_gates_off(lock)
    compiling.use_one_assembler()
    compiling.tune(perfgate)
    print(f"    {'configuration':<52}{'time':>13} {'GB/s':>8} registers spills shared")
    missing = 0
    for package in sys.argv[5:]:
        print(package, flush=True)
        file = packages / (package + ".kernels.json")
        refusal = why_not_run(file)
        if refusal:
            print(f"  {refusal}", flush=True)
            missing += 1
            continue
        for program, kernels in json.loads(file.read_text()).items():
            for name, kernel in kernels.items():
                print(report(program, name, kernel, all_configs), flush=True)
    return USAGE_ERROR if missing else 0


if __name__ == "__main__":
    sys.exit(main())
