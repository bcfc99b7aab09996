#!/usr/bin/env python3
"""Writes the results of a night in the formats of other benchmarks, and of tools that compare runs.

    ctest/export.py FORMAT:FILE [FORMAT:FILE ...] RESULTS

RESULTS is a results file, or the folder of a night with several of them. They count as one night, as they do for
`perfgate --merge`. A file that is no results file is refused by name, and so are files of two nights. Nothing is
written then. `perfgate --merge` says whether the night has passed.

Exits 0 when all is written, 2 when something was refused.
"""

import argparse
import calendar
import contextlib
import dataclasses
import datetime
import fractions
import functools
import json
import math
import os
import pathlib
import re
import stat
import sys

BASELINES = str(pathlib.Path(__file__).resolve().parents[1] / "baselines")
REFUSED = 2
RESULTS_SCHEMA = 7
PUBLISHED_SCHEMA = 3
MOST_BYTES = 1 << 30  # of a results file, as perfgate's own limit
LONGEST_NIGHT_S = 16 * 3600

PERFGATES_OWN = ("html", "junit", "markdown", "openmetrics", "profile")
PHASES = ("whole", "forward", "backward", "prefill", "decode", "compile")  # in their order
WORST_FIRST = ("WRONG", "ERROR", "LOST", "REGRESSED", "UNSTEADY", "OTHER_KERNELS", "MACHINE_INVALID", "BLIND",
               "NO_BASELINE", "SUSPECT", "UNSUPPORTED", "IMPROVED", "PASS")
STATUSES = ("measured", "wrong", "unsupported", "error")
BESIDE_TIME = ("peak_memory", "enqueue_time", "relative_enqueue_time")  # and what a case measures itself

LEAST_MEASURED, MOST_MEASURED = 1e-12, 1e15  # of anything that is measured, in any unit
MOST_SAID = 1e30  # of what a worker says beside it
LARGEST_INTEGER = 2**63 - 1

# What cannot be shown, as src/perfgate/core/plain_text.cpp has it: controls but line feed and tab, what turns the
# direction of text or ends a line for some readers, the mark of byte orders, surrogates, and what is no character.
NOT_PLAIN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
                       "\ufdd0-\ufdef" + "".join(chr(plane << 16 | last) for plane in range(17)
                                                 for last in (0xfffe, 0xffff)) + "]")
CASE_KEY = re.compile(r"(?!.{161})(?!(?:.*/)?\.{1,2}(?:/|\Z))[\w.-]+(?:/[\w.-]+)*", re.ASCII)
SHAPE = re.compile(r"/(?:(?:D|k|mn)[0-9]+|[0-9]+(?:x[0-9]+)+)(?=/|\Z)")
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})")
# These take two columns, as {fmt} counts when it pads.
WIDE = re.compile("[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19"
                  "\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\U0001f300-\U0001f64f\U0001f900-\U0001f9ff"
                  "\U00020000-\U0002fffd\U00030000-\U0003fffd]")


class Refused(Exception):
    """What is wrong and where, and how to mend it."""

    def __init__(self, problem, mend):
        super().__init__(f"{plain_line(problem)}\n  mend: {plain_line(mend)}")


# Text and numbers, as each format has them.


def plain_line(text):
    """The text on one line, with "?" for what cannot be shown."""
    return re.sub("[\n\t]", " ", NOT_PLAIN.sub("?", text))


def for_csv(text):
    text = plain_line(text)
    return '"' + text.replace('"', '""') + '"' if re.search('[,"]', text) else text


def columns_of(text):
    return len(text) + len(WIDE.findall(text))


def right(text, columns):
    return " " * (columns - columns_of(text)) + text


def centred(text, columns):
    space = max(0, columns - columns_of(text))
    return " " * (space // 2) + text + " " * (space - space // 2)


def shortest(number):
    """The shortest decimal that reads as the same number, a whole one without a point."""
    return repr(number).removesuffix(".0")


@functools.cache
def power_of_ten(exponent):
    """(significand of 64 bits, binary exponent) nearest to 10^exponent."""
    power = fractions.Fraction(10) ** exponent
    shift = power.numerator.bit_length() - power.denominator.bit_length() - 64
    shift += power >= fractions.Fraction(2) ** (shift + 64)
    return round(power / fractions.Fraction(2) ** shift), shift


def grisu2(number):
    """The digits and the exponent of a decimal that reads as the same number, which is above 0 and no denormal one.

    The method is Grisu2 (F. Loitsch, "Printing floating-point numbers quickly and accurately with integers", PLDI
    2010). A few numbers in a thousand get another last digit than repr has, or one more.
    """
    fraction, exponent = math.frexp(number)
    near = int(fraction * 2**64)
    half = 1 << 10  # of the distance to the next double
    most, least = near + half, near - (half // 2 if fraction == 0.5 else half)
    # A power of ten leaves 32 to 60 binary places behind the point. The method has a table of every eighth power.
    missing = 3 - exponent
    scale = -300 + 8 * ((307 + int(missing * 78913 / 2**18) + (missing > 0)) // 8)
    power, shift = power_of_ten(scale)
    most, near, least = ((bound * power + (1 << 63)) >> 64 for bound in (most, near, least))
    fine = 10**20  # so that a unit of any place below is a whole number
    most, near, least = (most - 1) * fine, near * fine, (least + 1) * fine
    one = fine << -(exponent + shift)
    place = len(str(most // one)) - 1
    unit = 10**place * one
    digits, rest = divmod(most, unit)
    while rest > most - least:
        unit //= 10
        place -= 1
        digits, rest = divmod(most, unit)
    beyond = most - near
    while (rest < beyond and most - least - rest >= unit
           and (rest + unit < beyond or beyond - rest > rest + unit - beyond)):
        digits -= 1
        rest += unit
    return str(digits), place - scale


def json_number(number):
    """The number as nlohmann's JSON for Modern C++ writes it, as in all JSON of perfgate's."""
    if number <= 0:
        return "-" + json_number(-number) if math.copysign(1, number) < 0 else "0.0"
    digits, exponent = grisu2(number)
    point = len(digits) + exponent
    if 0 < point <= 15:
        digits = digits.ljust(point, "0")
        return digits[:point] + "." + (digits[point:] or "0")
    if -4 < point <= 0:
        return "0." + "0" * -point + digits
    return digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{point - 1:+03d}"


def json_text(value, indented=False, margin="\n"):
    """JSON with its keys sorted: a value a line where it is indented, else one line without spaces."""
    if isinstance(value, float):
        return json_number(value)
    if not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, ensure_ascii=False)
    inner, end = (margin + "  ", margin) if indented else ("", "")
    if isinstance(value, list):
        return "[" + inner + ("," + inner).join(json_text(item, indented, inner) for item in value) + end + "]"
    colon = ": " if indented else ":"
    items = (json_text(key) + colon + json_text(value[key], indented, inner) for key in sorted(value))
    return "{" + inner + ("," + inner).join(items) + end + "}"


# Results, as they are read.


class Place:
    """A value of a document that knows its file and its JSON pointer: a refusal names both."""

    def __init__(self, value, file, pointer=""):
        self.value, self.file, self.pointer = value, file, pointer

    def fail(self, reason, mend="remove the file, or restore what it was: perfgate wrote no such"):
        raise Refused(f'{self.file}: at "{self.pointer}": {reason}', mend)

    def inner(self, key, value):
        return Place(value, self.file, f"{self.pointer}/" + str(key).replace("~", "~0").replace("/", "~1"))

    def members(self):
        if not isinstance(self.value, dict):
            self.fail("expected an object")
        for key in self.value:
            if NOT_PLAIN.search(key):
                self.fail(f'the key "{key}" holds characters that cannot be shown')
        return [(key, self.inner(key, value)) for key, value in self.value.items()]

    def find(self, key):
        if not isinstance(self.value, dict):
            self.fail("expected an object")
        return self.inner(key, self.value[key]) if key in self.value else None

    def at(self, key):
        return self.find(key) or self.fail(f'"{key}" is missing')

    def elements(self):
        if not isinstance(self.value, list):
            self.fail("expected an array")
        return [self.inner(i, value) for i, value in enumerate(self.value)]

    def number(self, least=-MOST_SAID, most=MOST_SAID):
        if type(self.value) not in (int, float):
            self.fail("expected a number")
        if not least <= self.value <= most:
            self.fail(f"expected a number from {least:g} to {most:g}")
        return float(self.value)

    def numbers(self):
        """Of all elements. A night has millions of samples, so those that are in order get no Place."""
        if isinstance(self.value, list) and all(
                type(value) is float and -MOST_SAID <= value <= MOST_SAID for value in self.value):
            return self.value
        return [item.number() for item in self.elements()]

    def integer(self):
        if type(self.value) is not int or not -LARGEST_INTEGER - 1 <= self.value <= LARGEST_INTEGER:
            self.fail("expected a whole number of at most 63 bits")
        return self.value

    def flag(self):
        return self.value if isinstance(self.value, bool) else self.fail("expected true or false")

    def text(self):
        if not isinstance(self.value, str):
            self.fail("expected a string")
        if NOT_PLAIN.search(self.value):
            self.fail("a text with characters that cannot be shown, such as controls")
        return self.value

    def one_of(self, names):
        return self.text() if self.text() in names else self.fail(f'"{self.value}" is none of {", ".join(names)}')


def without_repeats(pairs):
    out = dict(pairs)
    if len(out) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f'the key "{next(key for key in keys if keys.count(key) > 1)}" stands in one object twice')
    return out


def not_a_number(text):
    raise ValueError(f"{text} is no number of JSON's")


def document_in(file):
    """The Place of all that the file holds."""
    with open(file, "rb") as opened:
        data = opened.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Refused(f"{file}: more than {MOST_BYTES} bytes, the limit", "name a results file of perfgate's")
    try:
        return Place(json.loads(data.decode(), object_pairs_hook=without_repeats, parse_constant=not_a_number), file)
    except (ValueError, RecursionError) as error:
        raise Refused(f"{file} is no JSON: {error}", "remove the file, or restore what it was") from error


@dataclasses.dataclass
class Phase:
    bytes: float
    operations: float
    tokens: float
    bound: str
    samples_us: list
    contiguous: bool  # of its first output
    wrong_elements: int | None  # of that, where it was checked


@dataclasses.dataclass
class Worker:
    status: str
    times_us: dict  # of the device and of the host, by metric
    phases: dict
    parameters: dict
    compared_with: str

    def parameter(self, name):
        """As text on one line; empty where the case has no such parameter."""
        value = self.parameters.get(name, "")
        return "" if isinstance(value, bool) else plain_line(str(value))


@dataclasses.dataclass
class Judgement:
    phase: str
    quantity: str  # one with a unit in brackets is the case's own
    verdict: str
    change: float
    half_width: float
    mde: float

    def is_own(self):
        return "[" in self.quantity


@dataclasses.dataclass
class Case:
    key: str
    device_id: str
    verdict: str
    judgements: list
    workers: list

    def phases(self):
        """The phases that any of its workers measured."""
        return [phase for phase in PHASES if any(phase in worker.phases for worker in self.workers)]

    def median_us(self, quantity, phase="whole"):
        """The median of the workers that measured it; None where none has."""
        metric = metric_of(quantity, phase)
        return median([worker.times_us[metric] for worker in self.workers
                       if worker.status == "measured" and metric in worker.times_us])

    def deciding(self, phase, wanted=lambda judgement: True):
        """The judgement that decided the phase; None where none is wanted."""
        return min((judgement for judgement in self.judgements if judgement.phase == phase and wanted(judgement)),
                   key=lambda judgement: (judgement.verdict != self.verdict,
                                          judgement.is_own() or judgement.quantity in BESIDE_TIME, judgement.mde),
                   default=None)

    def of_time(self, phase):
        """What the judge says of the phase's time: where cycles are judged beside it, they may be what decides."""
        judged = {judgement.quantity: judgement for judgement in reversed(self.judgements) if judgement.phase == phase}
        if "sm_cycles" in judged and "net_time" in judged:
            return judged["net_time"]
        return self.deciding(phase, lambda judgement: not judgement.is_own())


@dataclasses.dataclass
class Run:
    source: str
    started: str
    kind: str
    model: str
    device_id: str
    host: str
    commit: str
    libtorch: str
    command: list
    cases: list
    baselines: str = BASELINES  # folder with published targets

    def never_began(self):
        """It was ended before it knew what it measures, and says nothing of the others."""
        return not self.cases and self.libtorch in ("", "unknown")


def metric_of(quantity, phase):
    return quantity if phase == "whole" else f"{phase}.{quantity}"


def key_of(case, phase):
    return case.key if phase == "whole" else f"{case.key}/{phase}"


def mean(values):
    """Added up one after the other: sum() has corrected its rounding since Python 3.12."""
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def median(values):
    """The median, or None where there is no value."""
    values = sorted(values)
    middle = len(values) // 2
    if not values:
        return None
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def phase_from(place):
    traffic = place.at("traffic")
    tokens, samples = traffic.find("tokens"), place.at("samples").find("time_us")
    output = next(iter(place.at("outputs").elements()), None)
    accuracy = output and output.find("accuracy")
    return Phase(traffic.at("bytes").number(), traffic.at("operations").number(), tokens.number() if tokens else 0.0,
                 traffic.at("bound").one_of(("memory", "compute")),
                 samples.numbers() if samples else [],
                 output is not None and output.at("contiguous").flag(),
                 accuracy.at("wrong_elements").integer() if accuracy else None)


def parameter_from(place):
    return place.text() if isinstance(place.value, str) else \
        place.flag() if isinstance(place.value, bool) else place.integer()


def worker_from(place):
    phases, times_us = {}, {}
    for name, item in place.at("phases").members():
        if name not in PHASES:
            item.fail("no phase of a case")
        phases[name] = phase_from(item)
    for name, item in place.at("metrics").members():
        if name.rpartition(".")[2] in ("time", "host_time"):
            times_us[name] = item.at("value").number(LEAST_MEASURED, MOST_MEASURED)
    parameters, compared_with = place.find("parameters"), place.find("compared_with")
    return Worker(place.at("status").one_of(STATUSES), times_us, phases,
                  {name: parameter_from(item) for name, item in parameters.members()} if parameters else {},
                  compared_with.text() if compared_with else "")


def judgement_from(place):
    phase, dot, quantity = place.at("metric").text().partition(".")
    if dot and phase not in PHASES[1:]:
        place.at("metric").fail("no metric")
    return Judgement(phase if dot else "whole", quantity if dot else phase, place.at("verdict").one_of(WORST_FIRST),
                     place.at("change").number(), place.at("half_width").number(), place.at("mde").number())


def case_from(place, device_id):
    key = place.at("case").text()
    if not CASE_KEY.fullmatch(key):
        place.at("case").fail("that is no case's key")
    return Case(key, device_id, place.at("verdict").one_of(WORST_FIRST),
                [judgement_from(item) for item in place.at("judgements").elements()],
                [worker_from(item) for item in place.at("workers").elements()])


def run_from(place):
    version = place.at("schema_version").integer()
    if version != RESULTS_SCHEMA:
        place.at("schema_version").fail(f"written by another perfgate: this script reads schema {RESULTS_SCHEMA}",
                                        "export it with the script of that perfgate")
    info = place.at("run")
    device_id = info.at("device_id").text()
    out = Run(place.file, info.at("started").text(), info.at("device").at("kind").text(),
              info.at("device").at("model").text(), device_id, info.at("host").text(), info.at("commit").text(),
              info.at("libtorch").text(), [item.text() for item in info.at("command").elements()],
              [case_from(item, device_id) for item in place.at("cases").elements()])
    if seconds_of(out.started) is None:
        info.at("started").fail(f'"{out.started}" is no time')
    return out


def seconds_of(started):
    """Since 1970; None where it is no time."""
    found = TIME.match(started)
    if not found:
        return None
    year, month, day, hour, minute, second = map(int, found.groups())
    try:
        datetime.date(year, month, day)
    except ValueError:
        return None
    is_time = hour < 24 and minute < 60 and second <= 60
    return calendar.timegm((year, month, day, hour, minute, second)) if is_time else None


# One night of them.


def runs_in(results):
    """Each results file. Empty ones are of runs that were killed."""
    mend = "name a results file, or the folder that the night wrote to"
    if os.path.isdir(results):
        files = [entry.path for entry in os.scandir(results)
                 if os.path.splitext(entry.name)[1] == ".json" and entry.is_file() and entry.stat().st_size > 0]
        if not files:
            raise Refused(f"no results file in {results}", mend)
    elif os.path.isfile(results):
        files = [results]
    else:
        raise Refused(f"{results} is no file and no folder", mend)
    return [run_from(document_in(file)) for file in files]


def require_one_night(runs):
    def refuse(one, other, what, of_one, of_other):
        raise Refused(f"{one.source} and {other.source} are not one night: {what} {of_one} and {of_other}",
                      "keep each night in a folder of its own, and name that")

    first = runs[0]
    for run in runs:
        if run.commit != first.commit:
            refuse(first, run, "of commits", first.commit, run.commit)
        if seconds_of(run.started) - seconds_of(first.started) > LONGEST_NIGHT_S:
            refuse(first, run, "started at", first.started, run.started)
        for other in runs:
            if (other.model == run.model and other.libtorch != run.libtorch
                    and not run.never_began() and not other.never_began()):
                refuse(run, other, "with LibTorch", run.libtorch, other.libtorch)


def night_of_model(runs):
    """A case that was measured several times on one device counts by its worst verdict."""
    same = {}
    for run in runs:
        for case in run.cases:
            same.setdefault((case.device_id, case.key), []).append(case)
    last = next((run for run in reversed(runs) if not run.never_began()), runs[-1])
    return dataclasses.replace(last, device_id=", ".join(sorted({run.device_id for run in runs})),
                               cases=[min(cases, key=lambda case: WORST_FIRST.index(case.verdict))
                                      for cases in same.values()])


def night_of(runs):
    """All runs as one: the cases of every model, and what the last run of the last model says of the machine."""
    runs = sorted(runs, key=lambda run: run.started)
    require_one_night(runs)
    by_model = {}
    for run in runs:
        by_model.setdefault(run.model, []).append(run)
    nights = [night_of_model(of_model) for of_model in by_model.values()]
    return dataclasses.replace(nights[-1], device_id=", ".join(night.device_id for night in nights),
                               cases=[case for night in nights for case in night.cases])


# PyTorch's own benchmarks.


def by_row(night):
    """(case, its first worker), in the order of their table: shards end in any."""
    def row_of(case):
        row = case.workers[0].parameters.get("row")
        return row if type(row) is int else LARGEST_INTEGER

    return [(case, case.workers[0]) for case in sorted((case for case in night.cases if case.workers), key=row_of)]


def torch_dtype(name):
    return "torch." + {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32"}.get(name, name)


IMPLEMENTATIONS = ("nn_mha", "nn_mha_compiled", "composite", "composite_compiled")
ATTENTION_HEADING = ["batch_size", "num_heads", "max_sequence_len", "embed_dimension", "dtype", "pad_percentage",
                     "enable_math", "enable_flash", "enable_mem_efficient", "enable_cudnn", "nn_mha_time (µs)",
                     "compiled_nn_mha_time (µs)", "composite_mha_time (µs)", "compiled_composite_mha_time (µs)"]


def attention_rows(night):
    """A row a shape, a column an implementation. The four run without the math kernel."""
    rows = {}
    for case, worker in by_row(night):
        name = worker.parameter("implementation")
        if not worker.parameter("num_heads") or name not in IMPLEMENTATIONS:
            continue
        shape = (*map(worker.parameter, ATTENTION_HEADING[:4]), torch_dtype(worker.parameter("dtype")),
                 worker.parameter("pad_percentage"), "False", "True", "True", "True")
        times = rows.setdefault(shape, ["None"] * len(IMPLEMENTATIONS))
        time_us = case.median_us("time")
        if time_us is not None:
            times[IMPLEMENTATIONS.index(name)] = f"{time_us:f}"
    if not rows:
        raise Refused("the results have none of attention's nn_mha, composite and their compiled forms",
                      "measure them with --family=attention")
    return [[*shape, *times] for shape, times in rows.items()]


def attention_csv(night, _):
    """Lines end as those of Python's csv.writer, by which the benchmark writes."""
    rows = [["" if cell == "None" else for_csv(cell) for cell in row] for row in attention_rows(night)]
    return "".join(",".join(row) + "\r\n" for row in [ATTENTION_HEADING, *rows])


def attention_table(night, _):
    rows = [ATTENTION_HEADING, *attention_rows(night)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    rule = "+" + "".join("-" * (width + 2) + "+" for width in widths) + "\n"
    lines = ["|" + "".join(f" {centred(cell, width)} |" for cell, width in zip(row, widths)) + "\n" for row in rows]
    return rule + lines[0] + rule + "".join(lines[1:]) + rule


FASTRNNS_GROUPS = {"vl_lstm": "variable-length sequence LSTM", "lstm": "LSTM", "resnet": "ResNet"}


@dataclasses.dataclass
class Trained:
    """One model of a group: milliseconds, one value a sample, of all processes."""
    group: str
    name: str
    forward: list
    backward: list


def fastrnns_models(night):
    def model_of(worker):
        """The benchmark's name, behind which stands what a run of it has once for all of its models."""
        fuser, executor = worker.parameter("fuser"), worker.parameter("executor")
        as_it_comes = not fuser or (fuser, executor) == ("te", "profiling")
        return worker.parameter("name") + ("" if as_it_comes else f"_{fuser}_{executor}")

    def milliseconds(case, phase):
        return [us / 1000 for worker in case.workers if phase in worker.phases
                for us in worker.phases[phase].samples_us]

    models = [Trained(worker.parameter("group"), model_of(worker), milliseconds(case, "forward"),
                      milliseconds(case, "backward")) for case, worker in by_row(night)]
    models = [model for model in models if model.group and model.forward]
    if not models:
        raise Refused("the results have no measured case of fastrnns", "measure them with --family=fastrnns")
    return models


def fastrnns_table(night, _):
    """The benchmark's table in milliseconds. It cuts names to a column: ours are longer, and some would be the same."""
    column = 16  # as the benchmark pads

    def deviation(values):
        """Unbiased, as torch.Tensor.std; not a number of fewer than two values."""
        if len(values) < 2:
            return math.nan
        centre = mean(values)
        squares = 0.0
        for value in values:
            squares += (value - centre) * (value - centre)
        return math.sqrt(squares / (len(values) - 1))

    def line_of(name, cells):
        return right(name, width) + "".join(" " + right(cell, column) for cell in cells) + "\n"

    def cells_of(values):
        return [f"{mean(values) if values else math.nan:.4g}", f"{deviation(values):.4g}", "None"]

    models = fastrnns_models(night)
    width = max(column, *(len(model.name.encode()) for model in models))
    heading = line_of("name", ["avg_fwd", "std_fwd", "info_fwd", "avg_bwd", "std_bwd", "info_bwd"])
    out = ""
    for group, title in FASTRNNS_GROUPS.items():
        lines = [line_of(model.name, cells_of(model.forward) + cells_of(model.backward))
                 for model in models if model.group == group]
        out += f"Benchmarking {title}s...\n{heading}{''.join(lines)}\n" if lines else ""
    return out


def fastrnns_values(night):
    """(group, name, milliseconds) of each model of forward, then of backward."""
    models = fastrnns_models(night)
    for group in FASTRNNS_GROUPS:
        of_group = [model for model in models if model.group == group]
        yield from ((group, model.name, model.forward) for model in of_group)
        yield from ((f"{group}-backward", model.name, model.backward) for model in of_group if model.backward)


def fastrnns_oss(night, _):
    out = {}
    for group, name, values in fastrnns_values(night):
        out.setdefault(group, {})[name] = mean(values)
    return json_text(out) + "\n"


def fastrnns_pep(night, _):
    return "".join("Caffe2Observer " + json_text({"type": "NET", "metric": f"{group}-{name}", "unit": "ms",
                                                  "value": shortest(value)}) + "\n"
                   for group, name, values in fastrnns_values(night) for value in values)


# (name, dtype, where it is measured here, whether it is a model)
GPT_FAST_EXPERIMENTS = (
    ("Llama-2-7b-chat-hf", "bfloat16", "language_models/llama2_7b/bf16/compiled_graph/decode", True),
    ("Llama-2-7b-chat-hf", "int8", "language_models/llama2_7b/int8/compiled_graph/decode", True),
    ("Mixtral-8x7B-v0.1", "int8", "language_models/mixtral_8x7b/int8/compiled_graph/decode", True),
    ("layer_norm", "bfloat16", "gpt_fast/layer_norm/fp32w/compiled", False),
    ("gather_gemv", "int8", "gpt_fast/gather_gemv/int8/compiled", False),
    ("gather_gemv", "bfloat16", "gpt_fast/gather_gemv/bf16/compiled", False),
    ("gemv", "int8", "gpt_fast/gemv/int8/compiled", False),
    ("gemv", "bfloat16", "gpt_fast/gemv/bf16/compiled", False),
)
GPT_FAST_METRICS = {"tokens/s": "token_per_sec", "GB/s": "memory_bandwidth(GB/s)"}


def rates_of(case, phase):
    """(unit, value) of the declared traffic over the time, tokens first."""
    time_us = case.median_us("time", phase)
    declared = case.workers[0].phases.get(phase)
    if time_us is None or declared is None:
        return []
    elapsed_s = time_us / 1e6
    out = [("tokens/s", declared.tokens / elapsed_s)] if declared.tokens > 0 else []
    if declared.bytes == 0 and declared.operations == 0:
        return out  # a case of pure latency
    unit, count = ("GB/s", declared.bytes) if declared.bound == "memory" else ("GFLOP/s", declared.operations)
    return [*out, (unit, count / elapsed_s / 1e9)]


def rates_by_key(night):
    """{(key, unit): rate} of each case, and the mean over those whose keys differ in their shape alone."""
    cases, shapes = {}, {}
    for case in night.cases:
        for phase in case.phases():
            rates = rates_of(case, phase)
            key = key_of(case, phase)
            cases.update({(key, unit): value for unit, value in rates})
            group = SHAPE.sub("", key)
            if group != key and rates:
                shapes.setdefault(group, []).append(rates[0])
    means = {(group, rates[0][0]): mean([value for _, value in rates])
             for group, rates in shapes.items() if len(rates) > 1}
    return {**means, **cases}


def published_targets(night):
    """{(key, unit): value} that others published for the families of the night."""
    out = {}
    for family in sorted({case.key.partition("/")[0] for case in night.cases}):
        file = os.path.join(night.baselines, "published", f"{family}.json")
        if not os.path.lexists(file):
            continue
        place = document_in(file)
        if place.at("schema_version").integer() != PUBLISHED_SCHEMA:
            place.at("schema_version").fail(f"this script reads schema {PUBLISHED_SCHEMA}", "name other --baselines")
        for key, item in place.at("values").members():
            for entry in item.elements():
                out.setdefault((key, entry.at("unit").text()), entry.at("value").number(LEAST_MEASURED))
    return out


def gpt_fast_csv(night, _):
    """The models are those of compiled_graph, and their rates are of decode alone, by the device's clock. The benchmark
    divides its tokens by the host's time of prefill and decode. Its compile times are left out, and so is
    mlp_layer_norm_gelu, whose metric multiplies time by operations."""
    here, targets = rates_by_key(night), published_targets(night)
    rows = [f"{name},{metric},{shortest(targets[key, unit])},{here[key, unit]:.2f},{dtype},{night.kind},{is_model}\n"
            for name, dtype, key, is_model in GPT_FAST_EXPERIMENTS for unit, metric in GPT_FAST_METRICS.items()
            if (key, unit) in here and (key, unit) in targets]
    if not rows:
        raise Refused("the results have none of the benchmark's experiments, or the baselines none of its targets",
                      "measure them with --family=gpt_fast and --family=language_models on a GPU, and name the folder "
                      "of baselines that has published/gpt_fast.json with --baselines")
    return "name,metric,target,actual,dtype,device,is_model\n" + "".join(rows)


def sparse_rows(night, file, format_name, function):
    """As pandas writes the benchmark's table."""
    wanted = re.fullmatch(r"([A-Za-z0-9-]+)_(fp16|bf16|int8|fp32)_(\w+)\.csv", file, re.ASCII)
    if not wanted:
        raise Refused(f"{format_name}: {file} is not MODE_DTYPE_BACKEND.csv",
                      f"for example {format_name}:nvidia-bert_fp16_cusparselt.csv")
    mode, dtype, backend = wanted.groups()

    def latency_ms(case):
        """A wrong product has one too, because the table says which are correct. A refused one has none: the benchmark
        has no row for it either."""
        time_us = median([worker.times_us["time"] for worker in case.workers if "time" in worker.times_us])
        return None if time_us is None else time_us / 1e3

    dense = {case.key: latency_ms(case) for case in reversed(night.cases)}
    rows = []
    for case, worker in by_row(night):
        sparse_ms, dense_ms = latency_ms(case), dense.get(worker.compared_with)
        if None in (sparse_ms, dense_ms) or (function, mode, dtype, backend) != tuple(
                map(worker.parameter, ("test_function", "mode", "dtype", "backend"))):
            continue
        whole = worker.phases.get("whole")
        # Wrong may also be the layout, which has a column of its own.
        correct = worker.status != "wrong" or whole is not None and whole.wrong_elements == 0
        fields = [*map(worker.parameter, ("test_function", "m", "k", "n")), torch_dtype(dtype), backend]
        rows.append([str(len(rows)), *map(for_csv, fields), repr(sparse_ms), repr(dense_ms), repr(dense_ms / sparse_ms),
                     str(correct), str(whole is not None and whole.contiguous)])
    if not rows:
        raise Refused(f"the results have no {function} of mode {mode}, dtype {dtype} and backend {backend}",
                      f"measure it and the dense one with --case='sparse/{function}/*/{dtype}/*', or name another file")
    heading = ["", "test_function", "m", "k", "n", "dtype", "backend", "sparse_latency (ms)", "dense_latency (ms)",
               "speedup (d/s)", "correct", "contiguous"]
    return "".join(",".join(row) + "\n" for row in [heading, *rows])


def sparse_csv(night, file):
    return sparse_rows(night, file, "sparse_csv", "tensor")


def sparse_linear_csv(night, file):
    """The benchmark writes its linear layers (-e2e) under the same name, in a run of their own."""
    return sparse_rows(night, file, "sparse_linear_csv", "linear")


# Tools that compare runs.


def timed_phases(night):
    """(case, phase, us) of what was timed. Neither tool has a word for a case without a time, and in compare.py it
    would cost the others their mean."""
    for case in night.cases:
        for phase in case.phases():
            time_us = case.median_us("time", phase)
            if time_us is not None:
                yield case, phase, time_us


def change_in_words(judgement):
    """ "+2.6 % slower"; "+0.0 %" where it rounds to nothing."""
    if abs(judgement.change) < 0.0005:
        return "+0.0 %"
    percent = 100 * judgement.change
    more, less = (("worse", "better") if judgement.is_own() else
                  ("more", "less") if judgement.quantity == "peak_memory" else ("slower", "faster"))
    return f"{percent:+.{1 if abs(percent) < 99.95 else 0}f} % {more if percent > 0 else less}"


def mde_text(mde):
    return "> 100 %" if mde > 1 else f"{100 * mde:.{1 if mde < 0.9995 else 0}f} %"


def github_action_benchmark(night, _):
    rows = []
    for case, phase, time_us in timed_phases(night):
        row = {"name": key_of(case, phase), "unit": "us", "value": time_us}
        extra = [case.verdict]
        judgement, of_time = case.deciding(phase), case.of_time(phase)
        if of_time:
            row["range"] = f"± {time_us * of_time.half_width:.3g}"
        if judgement:
            extra.append(f"{change_in_words(judgement)} against the baseline, MDE {mde_text(judgement.mde)}")
        row["extra"] = "\n".join([*extra, f"{night.model}, LibTorch {night.libtorch}"])
        rows.append(row)
    return json_text(rows, indented=True) + "\n"


def google_benchmark_row(case, phase, time_us):
    host_us = case.median_us("host_time", phase)
    out = {"name": key_of(case, phase), "run_name": key_of(case, phase), "run_type": "iteration", "repetitions": 1,
           "repetition_index": 0, "threads": 1, "iterations": 1, "real_time": time_us,
           "cpu_time": time_us if host_us is None else host_us, "time_unit": "us", "label": case.verdict,
           "processes": len(case.workers)}
    declared = case.workers[0].phases.get(phase)
    if declared:
        out["iterations"] = len(declared.samples_us) or 1
        out |= {name: count / (time_us * 1e-6) for name, count in (("bytes_per_second", declared.bytes),
                                                                   ("tokens_per_second", declared.tokens),
                                                                   ("items_per_second", declared.operations))
                if count > 0}
    return out


def google_benchmark(night, _):
    """A row a case and phase: compare.py's mean over a file counts rows, and a case that was measured by five
    processes is worth no more than one that passed on its first. real_time is the median of the processes' times as
    read, cpu_time what the host took."""
    context = {"date": night.started, "host_name": night.host, "executable": (night.command or ["perfgate"])[0],
               "num_cpus": 1, "mhz_per_cpu": 0, "cpu_scaling_enabled": False, "caches": [],
               "library_build_type": "release", "json_schema_version": 1, "device": night.model,
               "device_id": night.device_id, "libtorch": night.libtorch, "commit": night.commit}
    rows = [google_benchmark_row(*timed) for timed in timed_phases(night)]
    return json_text({"context": context, "benchmarks": rows}, indented=True) + "\n"


FORMATS = {
    "attention_csv": ("the columns of PyTorch's transformer/sdp.py", attention_csv),
    "attention_table": ("the same for people", attention_table),
    "fastrnns_oss": ("PyTorch's fastrnns, --print-json=oss", fastrnns_oss),
    "fastrnns_pep": ("PyTorch's fastrnns, --print-json=pep", fastrnns_pep),
    "fastrnns_table": ("the table of PyTorch's fastrnns", fastrnns_table),
    "github_action_benchmark": ("github-action-benchmark, tool customSmallerIsBetter", github_action_benchmark),
    "google_benchmark": ("google/benchmark's compare.py", google_benchmark),
    "gpt_fast_csv": ("the experiments of PyTorch's gpt_fast", gpt_fast_csv),
    "sparse_csv": ("the columns of PyTorch's sparse/benchmark_semi_structured_sparsity.py, FILE being "
                   "nvidia-bert_fp16_cusparselt.csv and so on", sparse_csv),
    "sparse_linear_csv": ("the same of its linear layers (-e2e)", sparse_linear_csv),
}


def export_from(text):
    """(name of the format, file)."""
    name, _, file = text.partition(":")
    if name in PERFGATES_OWN:
        raise Refused(f"{text}: {name} is perfgate's own", f"perfgate --export={name}:FILE --results=DIR writes it")
    if name not in FORMATS or not file:
        raise Refused(f"{text} is not FORMAT:FILE",
                      f"the formats are {', '.join(FORMATS)}; for example google_benchmark:night.json")
    if re.fullmatch(r".+:[0-9]+", file, re.DOTALL):
        raise Refused(f"{text}: {name} has no limit", "leave it out; a FILE must not end in a colon and a number")
    return name, file


def require_replaceable(file, results, baselines):
    """Nothing that is read here, and nothing but a regular file."""
    if file == "-":
        return
    if os.path.lexists(file) and not stat.S_ISREG(os.lstat(file).st_mode):
        raise Refused(f"{file} would be replaced, and is no regular file", "name another, or - for standard output")
    for own in map(os.path.realpath, (results, baselines)):
        if os.path.commonpath([own, os.path.realpath(file)]) == own:
            raise Refused(f"{file} would be written into {own}, which is read here", "name a file in another folder")


def write(file, text):
    """A file that is there stays whole until the new one is."""
    if file == "-":
        with open(sys.stdout.fileno(), "wb", closefd=False) as out:
            out.write(text.encode())
        return
    temporary = file + ".tmp"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary)  # that a killed one left behind
    try:
        with open(temporary, "xb") as out:
            out.write(text.encode())
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, file)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        raise Refused(message, "for example export.py google_benchmark:night.json RESULTS; --help lists the formats")


def main():
    parser = Arguments(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
                       epilog="formats:\n" + "\n".join(f"  {name} for {about}" for name, (about, _) in FORMATS.items()))
    parser.add_argument("exports", nargs="+", metavar="FORMAT:FILE", help="a format, and a file to write; - is stdout")
    parser.add_argument("results", metavar="RESULTS", help="a results file, or the folder of a night")
    parser.add_argument("--baselines", metavar="DIR", default=BASELINES,
                        help="folder of baselines, with the published targets that gpt_fast_csv shows (%(default)s)")
    try:
        arguments = parser.parse_args()
        exports = [export_from(text) for text in arguments.exports]
        for _, file in exports:
            require_replaceable(file, arguments.results, arguments.baselines)
        night = dataclasses.replace(night_of(runs_in(arguments.results)), baselines=arguments.baselines)
        texts = [FORMATS[name][1](night, os.path.basename(file)) for name, file in exports]
        for (_, file), text in zip(exports, texts):
            write(file, text)
    except Refused as refused:
        print(f"export.py: {refused}", file=sys.stderr)
        return REFUSED
    except OSError as error:  # what is not written is as it was
        print(f"export.py: {plain_line(str(error))}\n  mend: name a file that can be read or written", file=sys.stderr)
        return REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(main())
