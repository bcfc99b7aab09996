"""The note beside a package, NAME.json, by which the exporter and perfgate decide whether it belongs here."""

import contextlib
import hashlib
import importlib.metadata
import inspect
import json

import compiling
import kernel_record
import kernel_tuning
import processor_time
import queued_timer


def note_for(request, environment, sources):
    """What a package must have been made with, in the order in which it is written. Raises OSError where its program
    cannot be read or is another one than perfgate's."""
    program = (sources / request["source"]).read_bytes()
    if hashlib.sha256(program).hexdigest() != request["program_sha256"]:
        raise OSError(f"perfgate was built from another {request['source']}: build it first")
    text = program.decode() + inspect.getsource(compiling.compile_package)
    if is_tuned(environment):
        text += "".join(map(inspect.getsource, (compiling.tune, compiling.use_one_assembler, kernel_record,
                                                kernel_tuning, queued_timer)))
    if request["timed"]:
        text += "".join(map(inspect.getsource, (compiling.start_inductor, compiling.compile_from_nothing,
                                                compiling.make, processor_time)))
    compilers = {"triton": version_of_triton()} if is_tuned(environment) else {}
    return {**environment, **compilers, "arguments": request["arguments"], "source": request["source"],
            "program_sha256": hashlib.sha256(program).hexdigest(),
            "source_sha256": hashlib.sha256(text.encode()).hexdigest()}


def known_tuning(request, note):
    """The recorded configurations of a package, by program and version of a kernel's source, where the LibTorch and the
    Triton that they were chosen with are those of the note; else none."""
    recorded = request.get("tuning", {})
    same = (recorded and is_one_libtorch(recorded["libtorch"], note.get("libtorch", ""))
            and recorded["triton"] == note.get("triton"))
    return recorded["programs"] if same else {}


def is_one_libtorch(one, other):
    """Whether two versions may be of one LibTorch: before 2026-11-28 "2.11.0" was recorded of what is "2.11.0+cu130"."""
    return one == other or one == other.split("+")[0] or other == one.split("+")[0]


def is_current(package, note, tuning):
    """Whether the package was made with exactly this note, is what was made, and has the configurations that are known:
    it was given them, or a search has found the same."""
    try:
        there = json.loads(package.with_suffix(".json").read_text())
        there.pop("compile_processor_s", None)
        given = there.pop("tuning", {})
        return (there == {**note, "package_sha1": sha1_of(package)}
                and (given == tuning or compiling.holds(package.with_suffix(".kernels.json"), tuning)))
    except (OSError, ValueError):
        return False


def write_note(package, note, tuning, processor_s):
    """Says of a package that lies there how it was made. `processor_s`: what it took; None where that is not judged."""
    package.chmod(0o644)
    made = {**note, "tuning": tuning, "package_sha1": sha1_of(package)}
    if processor_s is not None:
        made["compile_processor_s"] = round(processor_s, 6)
    package.with_suffix(".json").write_text(json.dumps(made, indent=1) + "\n")


def is_tuned(environment):
    """Whether kernels have configurations to choose among."""
    return environment["device"].startswith("cuda")


def version_of_triton():
    """Of the one that compiles here; it may change without LibTorch."""
    for name in ("triton", "pytorch-triton"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version(name)
    return "unknown"


def sha1_of(package):
    """By which perfgate knows that it loads the bytes that were made here."""
    return hashlib.sha1(package.read_bytes()).hexdigest()
