#!/usr/bin/env python3
"""What export.py writes of results that stand here, in each format, and what it refuses."""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "ctest/export.py"
SPEC = importlib.util.spec_from_file_location("export", SCRIPT)
export = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(export)

KEY = "gpt_fast/gemv/int8/D16384/compiled"
SPARSE_FILE = "nvidia-bert_fp16_cusparselt.csv"
HOSTILE = ["a,b", 'say "x"', "two\nlines", "a\ttab", "\\", '\\"', "\n::error::x", "\n##[error]x", "|", "# EOF",
           "</script>", "&#10;", "<!--", "naïve", "日本", "€"]
HIDDEN = [chr(code) for code in (*range(9), *range(11, 32), *range(0x7f, 0xa0), 0x61c, 0x200e, 0x200f,
                                 *range(0x2028, 0x202f), *range(0x2066, 0x206a), 0xd800, 0xfdd0, 0xfdef, 0xfeff, 0xfffe,
                                 0xffff, 0x1fffe, 0x10ffff)]


def phase(samples_us=None, contiguous=True, wrong_elements=0, **traffic):
    """Memory-bound: 270000 bytes."""
    return {"protocol": {}, "noisy": False, "discarded": 0, "ceilings": {},
            "traffic": {"bytes": 270000, "operations": 540000, "bound": "memory", **traffic},
            "samples": {} if samples_us is None else {"time_us": samples_us},
            "outputs": [{"contiguous": contiguous, "accuracy": {"wrong_elements": wrong_elements, "elements": 64}}]}


def metric(value):
    return {"value": value, "unit": "us", "judged": True, "variance_class": "cuda/memory/long", "statistic": "median",
            "derived": False}


def worker(key, metrics, phases=None, status="measured", **more):
    return {"case": key, "status": status, "message": "", "costs_s": {}, "environment": {},
            "metrics": {name: metric(value) for name, value in metrics.items()},
            "phases": phases or {"whole": phase()}, **more}


def case_of(key, workers, verdict="PASS", judgements=()):
    return {"case": key, "verdict": verdict, "message": "", "judgements": list(judgements), "workers": workers,
            "recorded": "no", "overdue": False, "learning": False, "other_protocol": False}


def measured(key, time_us, **more):
    """A case that one worker measured."""
    return case_of(key, [worker(key, {"time": time_us}, **more)])


def judgement(name="time", verdict="REGRESSED", **more):
    """2.6 % slower."""
    return {"metric": name, "verdict": verdict, "change": 0.026, "half_width": 0.003, "mde": 0.023, **more}


def judged(key=KEY, verdict="REGRESSED", judgements=None):
    """A case that five workers measured: 81.0 us in the median."""
    workers = [worker(key, {"time": time_us}) for time_us in (81.0, 81.1, 80.9, 81.0, 81.2)]
    return case_of(key, workers, verdict, [judgement(verdict=verdict)] if judgements is None else judgements)


def unmeasured(key, verdict="UNSUPPORTED"):
    return case_of(key, [], verdict)


def results(cases, **more):
    run = {"started": "2026-11-21T07:04:00Z", "device": {"kind": "cuda", "model": "NVIDIA H200"}, "device_id": "GPU-1",
           "host": "host1", "commit": "new", "libtorch": "2.12.0", "command": ["bin/perfgate", "--family=ops"]}
    return {"schema_version": 7, "run": {**run, **more}, "cases": cases}


class Exported(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.results = self.folder / "night"
        self.results.mkdir()

    def run_script(self, *arguments):
        """Its exit code, and what it says."""
        said = io.StringIO()
        with mock.patch.object(sys, "argv", ["export.py", *map(str, arguments)]), contextlib.redirect_stderr(said):
            return export.main(), said.getvalue()

    def hold(self, *documents):
        """The night's folder has these alone."""
        for file in self.results.iterdir():
            file.unlink()
        for number, document in enumerate(documents):
            text = document if isinstance(document, (str, bytes)) else json.dumps(document)
            (self.results / f"{number}.json").write_bytes(text if isinstance(text, bytes) else text.encode())

    def export(self, name, *documents, file="out", more=()):
        """The text that is written of these results."""
        self.hold(*documents)
        self.assertEqual(self.run_script(*more, f"{name}:{self.folder / file}", self.results), (0, ""))
        return (self.folder / file).read_bytes().decode()

    def refusal(self, name, *documents, file="out"):
        self.hold(*documents)
        code, said = self.run_script(f"{name}:{self.folder / file}", self.results)
        self.assertEqual(code, 2, said)
        self.assertFalse((self.folder / file).exists())
        self.assertIn("\n  mend: ", said)
        return said


def sparse_worker(backend, time_us, test_function="tensor", m=3072, row=None, **more):
    parameters = {"test_function": test_function, "mode": "nvidia-bert", "m": m, "k": 1024, "n": 16384, "dtype": "fp16",
                  "backend": backend, **({} if row is None else {"row": row})}
    return worker(f"sparse/{backend}", {"time": time_us}, parameters=parameters, **more)


def sparse(*workers):
    """The case, and the dense one beside which it stands in the table."""
    for one in workers:
        one["compared_with"] = "sparse/dense"
    return results([case_of("sparse/dense", [sparse_worker("dense", 300.0)])]
                   + [case_of(f"sparse/cusparselt{i}", [one]) for i, one in enumerate(workers)])


class SparseCsv(Exported):
    def rows(self, *workers, name="sparse_csv"):
        return self.export(name, sparse(*workers), file=SPARSE_FILE).splitlines()[1:]

    def test_has_the_published_columns(self):
        self.assertEqual(self.export("sparse_csv", sparse(sparse_worker("cusparselt", 200.0)), file=SPARSE_FILE),
                         ",test_function,m,k,n,dtype,backend,sparse_latency (ms),dense_latency (ms),speedup (d/s),"
                         "correct,contiguous\n"
                         "0,tensor,3072,1024,16384,torch.float16,cusparselt,0.2,0.3,1.4999999999999998,True,True\n")

    def test_keeps_the_benchmarks_order_whatever_shards_measured_it(self):
        rows = self.rows(sparse_worker("cusparselt", 200.0), sparse_worker("cusparselt", 200.0, m=2, row=1),
                         sparse_worker("cusparselt", 200.0, m=1, row=0))
        self.assertEqual([row[:13] for row in rows], ["0,tensor,1,10", "1,tensor,2,10", "2,tensor,3072"])

    def test_leaves_a_parameter_empty_that_is_no_number_and_no_text(self):
        self.assertTrue(self.rows(sparse_worker("cusparselt", 200.0, m=True))[0].startswith("0,tensor,,1024,"))

    def test_says_what_is_not_correct(self):
        wrong = sparse_worker("cusparselt", 200.0, status="wrong", phases={"whole": phase(wrong_elements=3)})
        self.assertTrue(self.rows(wrong)[0].endswith(",False,True"))
        layout = sparse_worker("cusparselt", 200.0, status="wrong", phases={"whole": phase(contiguous=False)})
        self.assertTrue(self.rows(layout)[0].endswith(",True,False"))

    def test_writes_a_whole_number_as_pandas_does(self):
        self.assertIn(",cusparselt,3.0,0.3,0.0", self.rows(sparse_worker("cusparselt", 3000.0))[0])

    def test_has_no_row_without_a_time_or_a_dense_case(self):
        refused = sparse_worker("cusparselt", 200.0, status="unsupported")
        refused["metrics"] = {}
        self.assertEqual(len(self.rows(refused, sparse_worker("cusparselt", 200.0))), 1)
        alone = results([case_of("sparse/cusparselt", [sparse_worker("cusparselt", 200.0)])])
        (self.folder / SPARSE_FILE).unlink()
        self.assertIn("have no tensor of mode nvidia-bert", self.refusal("sparse_csv", alone, file=SPARSE_FILE))

    def test_keeps_linear_layers_apart(self):
        linear = sparse_worker("cusparselt", 200.0, test_function="linear")
        self.assertIn("have no tensor", self.refusal("sparse_csv", sparse(linear), file=SPARSE_FILE))
        self.assertTrue(self.rows(linear, name="sparse_linear_csv")[0].startswith("0,linear,3072"))

    def test_refuses_a_file_that_does_not_say_what_it_is_of(self):
        for file in ("night.csv", "nvidia-bert_fp8_cusparselt.csv", "nvidia-bert_fp16_cusparselt.txt"):
            said = self.refusal("sparse_csv", sparse(sparse_worker("cusparselt", 200.0)), file=file)
            self.assertIn(f"{file} is not MODE_DTYPE_BACKEND.csv", said)

    def test_refuses_what_the_results_do_not_have(self):
        night = sparse(sparse_worker("cusparselt", 200.0))
        said = self.refusal("sparse_csv", night, file="nvidia-bert_fp16_cutlass.csv")
        self.assertIn("no tensor of mode nvidia-bert, dtype fp16 and backend cutlass", said)
        self.assertIn("--case='sparse/tensor/*/fp16/*'", said)


def attention(implementation, padding, time_us, **more):
    parameters = {"batch_size": 256, "num_heads": 32, "max_sequence_len": 256, "embed_dimension": 512, "dtype": "bf16",
                  "pad_percentage": padding, "implementation": implementation, **more}
    return measured(f"attention/{implementation}/{len(padding)}", time_us, parameters=parameters)


def attention_night():
    return results([attention("nn_mha", "None", 1371.5), attention("composite", "None", 402.0),
                    attention("flash", "None", 401.0), attention("nn_mha", "0.9", 150.0)])


class Attention(Exported):
    def test_has_a_row_a_shape_and_the_four_published_times(self):
        self.assertEqual(
            self.export("attention_csv", attention_night()),
            "batch_size,num_heads,max_sequence_len,embed_dimension,dtype,pad_percentage,enable_math,enable_flash,"
            "enable_mem_efficient,enable_cudnn,nn_mha_time (µs),compiled_nn_mha_time (µs),composite_mha_time (µs),"
            "compiled_composite_mha_time (µs)\r\n"
            "256,32,256,512,torch.bfloat16,,False,True,True,True,1371.500000,,402.000000,\r\n"
            "256,32,256,512,torch.bfloat16,0.9,False,True,True,True,150.000000,,,\r\n")

    def test_is_the_same_in_columns_for_people(self):
        lines = self.export("attention_table", attention_night()).splitlines()
        self.assertEqual(len(lines), 6)
        self.assertIn("| torch.bfloat16 |      None      |", lines[3])
        self.assertIn("|   1371.500000    |", lines[3])
        self.assertEqual({lines[0], lines[2], lines[5]}, {lines[0]})
        self.assertEqual({len(line) for line in lines}, {len(lines[0])})

    def test_has_a_row_without_a_time_where_nothing_was_measured(self):
        failed = attention("nn_mha", "None", 5.0)
        failed["workers"][0].update(status="error")
        self.assertTrue(self.export("attention_csv", results([failed])).endswith(",True,,,,\r\n"))

    def test_quotes_what_separates_and_keeps_a_field_on_its_line(self):
        lines = self.export("attention_csv", results([attention("nn_mha", 'a,"b"\nc', 1.0)])).split("\r\n")
        self.assertIn(',"a,""b"" c",False', lines[1])
        self.assertEqual(len(lines), 3)

    def test_counts_wide_characters_as_two_columns(self):
        line = self.export("attention_table", results([attention("nn_mha", "日本", 1.0)])).splitlines()[3]
        self.assertIn("|" + " " * 6 + "日本" + " " * 6 + "|", line)  # as wide as pad_percentage, and a space

    def test_refuses_results_without_it(self):
        for name in ("attention_csv", "attention_table"):
            self.assertIn("--family=attention", self.refusal(name, sparse(sparse_worker("cusparselt", 200.0))))


def trained(group, name, forward_us, backward_us, **parameters):
    """The first sample is of one process, the others are of a second."""
    def one(forward, backward):
        phases = {"forward": phase(forward), **({"backward": phase(backward)} if backward else {})}
        return worker(f"fastrnns/{name}", {}, phases, parameters={"group": group, "name": name, **parameters})

    workers = [one(forward_us[:1], backward_us[:1])]
    return case_of(f"fastrnns/{name}", workers + ([one(forward_us[1:], backward_us[1:])] if forward_us[1:] else []))


def trained_night():
    return results([trained("lstm", "cudnn", [1000, 2000, 3000], [2500, 2500, 2500]),
                    trained("lstm", "jit", [4000], [8000], fuser="none", executor="simple"),
                    trained("lstm", "cudnn_layernorm", [1500], []),
                    trained("resnet", "resnet50_jit", [12345.5, 12345.5], [30000, 30000], fuser="te",
                            executor="profiling"),
                    attention("nn_mha", "None", 1371.5)])


class Fastrnns(Exported):
    HEADING = ("            name          avg_fwd          std_fwd         info_fwd          avg_bwd          std_bwd"
               "         info_bwd\n")

    def test_has_the_benchmarks_table_in_milliseconds(self):
        self.assertEqual(
            self.export("fastrnns_table", trained_night()), "Benchmarking LSTMs...\n" + self.HEADING
            + self.line("cudnn", "2", "1", "2.5", "0") + self.line("jit_none_simple", "4", "nan", "8", "nan")
            + self.line("cudnn_layernorm", "1.5", "nan", "nan", "nan") + "\nBenchmarking ResNets...\n" + self.HEADING
            + self.line("resnet50_jit", "12.35", "0", "30", "0") + "\n")

    def line(self, name, *values):
        """In columns of 16 characters."""
        average, deviation, backward_average, backward_deviation = (f" {value:>16}" for value in values)
        none = f" {'None':>16}"
        return f"{name:>16}{average}{deviation}{none}{backward_average}{backward_deviation}{none}\n"

    def test_cuts_no_name(self):
        longer = "resnet50_bf16_autocast_channels_last"
        lines = self.export("fastrnns_table", results([trained("resnet", longer, [1000], [2000]),
                                                       trained("resnet", "resnet50", [1000], [2000])])).splitlines()
        self.assertEqual(len(lines), 5)
        self.assertTrue(lines[2].startswith(longer + " "))
        self.assertEqual({len(line) for line in lines[1:4]}, {len(lines[1])})

    def test_has_averages_by_group_as_oss(self):
        self.assertEqual(self.export("fastrnns_oss", trained_night()),
                         '{"lstm":{"cudnn":2.0,"cudnn_layernorm":1.5,"jit_none_simple":4.0},'
                         '"lstm-backward":{"cudnn":2.5,"jit_none_simple":8.0},'
                         '"resnet":{"resnet50_jit":12.3455},"resnet-backward":{"resnet50_jit":30.0}}\n')

    def test_has_a_line_a_sample_as_pep(self):
        lines = self.export("fastrnns_pep", trained_night()).splitlines()
        self.assertEqual(len(lines), 13)
        self.assertEqual(lines[1], 'Caffe2Observer {"metric":"lstm-cudnn","type":"NET","unit":"ms","value":"2"}')
        self.assertEqual(lines[9], 'Caffe2Observer {"metric":"resnet-resnet50_jit","type":"NET","unit":"ms",'
                                   '"value":"12.3455"}')
        self.assertEqual(lines[12], 'Caffe2Observer {"metric":"resnet-backward-resnet50_jit","type":"NET","unit":"ms",'
                                    '"value":"30"}')

    def test_keeps_the_groups_in_the_benchmarks_order_and_leaves_out_others(self):
        night = results([trained(group, group + "_x", [1000], []) for group in ("resnet", "lstm", "other", "vl_lstm")])
        night["cases"].append(trained("lstm", "backward_alone", [], [1000]))
        text = self.export("fastrnns_table", night)
        self.assertNotIn("backward_alone", text)
        self.assertEqual([line for line in text.splitlines() if line.startswith("Bench")],
                         ["Benchmarking variable-length sequence LSTMs...", "Benchmarking LSTMs...", "Benchmarking ResNets..."])
        self.assertNotIn("other_x", text)

    def test_refuses_results_without_it(self):
        for name in ("fastrnns_table", "fastrnns_oss", "fastrnns_pep"):
            self.assertIn("--family=fastrnns", self.refusal(name, attention_night()))


class GptFastCsv(Exported):
    def decoding(self, key, tokens, size):
        return case_of(key, [worker(key, {"decode.time": 1e6}, {"decode": phase(bytes=size, tokens=tokens)})])

    def night(self):
        return results([self.decoding("language_models/llama2_7b/bf16/compiled_graph", 190.125, 2.5e12),
                        self.decoding("language_models/llama2_7b/bf16/graph", 100, 1e12),
                        measured("gpt_fast/gemv/int8/D64/compiled", 100.0), measured("gpt_fast/gemv/int8/D128/compiled", 50.0),
                        measured("gpt_fast/layer_norm/fp32w/D64/compiled", 50.0)])

    def publish(self, family, values, version=3):
        folder = self.folder / "baselines/published"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{family}.json").write_text(json.dumps({"schema_version": version, "device": "A100", "source": "seed",
                                                           "values": values}))

    def test_has_the_benchmarks_rows_with_its_targets(self):
        self.publish("gpt_fast", {"gpt_fast/gemv/int8/compiled": [{"value": 870, "unit": "GB/s"}],
                                  "gpt_fast/layer_norm/fp32w/compiled": [{"value": 950, "unit": "GB/s"}]})
        self.publish("language_models", {"language_models/llama2_7b/bf16/compiled_graph/decode": [
            {"value": 94, "unit": "tokens/s"}, {"value": 1253.5, "unit": "GB/s"}]})
        # The mean of 2.7 and 5.4 GB/s; one shape alone has no mean.
        self.assertEqual(self.export("gpt_fast_csv", self.night(), more=[f"--baselines={self.folder / 'baselines'}"]),
                         "name,metric,target,actual,dtype,device,is_model\n"
                         "Llama-2-7b-chat-hf,token_per_sec,94,190.12,bfloat16,cuda,True\n"
                         "Llama-2-7b-chat-hf,memory_bandwidth(GB/s),1253.5,2500.00,bfloat16,cuda,True\n"
                         "gemv,memory_bandwidth(GB/s),870,4.05,int8,cuda,False\n")

    def test_has_the_targets_that_are_checked_in(self):
        self.assertIn("\ngemv,memory_bandwidth(GB/s),870,4.05,", self.export("gpt_fast_csv", self.night()))

    def test_has_no_row_of_what_moves_no_bytes_or_is_bound_by_arithmetic(self):
        for traffic in ({"bytes": 0, "operations": 0}, {"bound": "compute"}):
            cases = [measured(f"gpt_fast/gemv/int8/D{d}/compiled", 50.0, phases={"whole": phase(**traffic)})
                     for d in (64, 128)]
            self.assertIn("none of the benchmark's experiments", self.refusal("gpt_fast_csv", results(cases)))

    def test_refuses_targets_of_another_schema(self):
        self.publish("gpt_fast", {}, version=2)
        self.hold(self.night())
        code, said = self.run_script(f"--baselines={self.folder / 'baselines'}", f"gpt_fast_csv:{self.folder / 'out'}", self.results)
        self.assertEqual(code, 2)
        self.assertIn('published/gpt_fast.json: at "/schema_version"', said)

    def test_refuses_results_that_have_no_experiment(self):
        self.assertIn("--family=gpt_fast", self.refusal("gpt_fast_csv", sparse(sparse_worker("cusparselt", 200.0))))


class GoogleBenchmark(Exported):
    def test_has_a_row_a_case_that_compare_py_can_pair(self):
        case = measured("ops/a", 1e6, phases={"whole": phase([1.0, 2.0, 3.0], tokens=24)})
        case["workers"][0]["metrics"]["host_time"] = metric(7.5)
        self.assertEqual(self.export("google_benchmark", results([case, unmeasured("ops/b")])), """\
{
  "benchmarks": [
    {
      "bytes_per_second": 270000.0,
      "cpu_time": 7.5,
      "items_per_second": 540000.0,
      "iterations": 3,
      "label": "PASS",
      "name": "ops/a",
      "processes": 1,
      "real_time": 1000000.0,
      "repetition_index": 0,
      "repetitions": 1,
      "run_name": "ops/a",
      "run_type": "iteration",
      "threads": 1,
      "time_unit": "us",
      "tokens_per_second": 24.0
    }
  ],
  "context": {
    "caches": [],
    "commit": "new",
    "cpu_scaling_enabled": false,
    "date": "2026-11-21T07:04:00Z",
    "device": "NVIDIA H200",
    "device_id": "GPU-1",
    "executable": "bin/perfgate",
    "host_name": "host1",
    "json_schema_version": 1,
    "library_build_type": "release",
    "libtorch": "2.12.0",
    "mhz_per_cpu": 0,
    "num_cpus": 1
  }
}
""")

    def rows(self, *cases):
        return json.loads(self.export("google_benchmark", results(list(cases))))["benchmarks"]

    def test_leaves_out_a_case_without_a_time_for_it_breaks_the_means(self):
        failed = measured("ops/b", 5.0)
        failed["workers"][0].update(status="error")
        rows = self.rows(judged(), unmeasured("ops/a"), failed)
        self.assertEqual([(row["name"], row["label"], row["real_time"], row["cpu_time"], row["processes"], row["iterations"])
                          for row in rows], [(KEY, "REGRESSED", 81.0, 81.0, 5, 1)])

    def test_has_a_row_a_phase_in_the_order_in_which_they_run(self):
        phases = {name: phase(bytes=0, operations=0) for name in ("backward", "forward")}
        rows = self.rows(case_of("fastrnns/a", [worker("fastrnns/a", {"backward.time": 2.0, "forward.time": 1.0}, phases)]))
        self.assertEqual([(row["name"], row["real_time"]) for row in rows],
                         [("fastrnns/a/forward", 1.0), ("fastrnns/a/backward", 2.0)])
        self.assertFalse({"bytes_per_second", "tokens_per_second", "items_per_second"} & rows[0].keys())

    def test_names_perfgate_where_no_command_is_known(self):
        context = json.loads(self.export("google_benchmark", results([], command=[])))["context"]
        self.assertEqual(context["executable"], "perfgate")


class GithubActionBenchmark(Exported):
    def test_names_time_range_and_verdict(self):
        # 0.3 % of 81 us; 78.9 us are not in the format.
        self.assertEqual(self.export("github_action_benchmark", results([judged(), unmeasured("ops/b")])), """\
[
  {
    "extra": "REGRESSED\\n+2.6 % slower against the baseline, MDE 2.3 %\\nNVIDIA H200, LibTorch 2.12.0",
    "name": "gpt_fast/gemv/int8/D16384/compiled",
    "range": "± 0.243",
    "unit": "us",
    "value": 81.0
  }
]
""")

    def row(self, *judgements, verdict="REGRESSED"):
        return json.loads(self.export("github_action_benchmark",
                                      results([judged(verdict=verdict, judgements=judgements)])))[0]

    def test_says_nothing_of_a_baseline_where_nothing_was_judged(self):
        row = self.row(verdict="NO_BASELINE")
        self.assertEqual(row["extra"], "NO_BASELINE\nNVIDIA H200, LibTorch 2.12.0")
        self.assertNotIn("range", row)

    def test_tells_first_what_has_the_verdict_then_of_the_time_then_what_sees_most(self):
        def extra(*judgements):
            return self.row(*judgements)["extra"].splitlines()[1]
        self.assertIn("MDE 9.0 %", extra(judgement("busy_time", "PASS", mde=0.01), judgement("net_time", mde=0.09)))
        self.assertIn("MDE 9.0 %", extra(judgement("peak_memory", mde=0.01), judgement("net_time", mde=0.09)))
        self.assertIn("MDE 1.0 %", extra(judgement("busy_time", mde=0.09), judgement("net_time", mde=0.01)))

    def test_has_the_range_of_the_time_where_cycles_are_judged_beside_it(self):
        cycles, net = judgement("sm_cycles", mde=0.01, half_width=0.5), judgement("net_time", mde=0.09, half_width=0.1)
        self.assertEqual(self.row(cycles, net)["range"], "± 8.1")
        self.assertEqual(self.row(cycles)["range"], "± 40.5")

    def test_has_no_range_where_the_cases_own_metric_alone_was_judged(self):
        row = self.row(judgement("accepted[1,higher]"))
        self.assertNotIn("range", row)
        self.assertIn("+2.6 % worse against", row["extra"])

    def test_words_each_change(self):
        for change, name, words in ((0.026, "time", "+2.6 % slower"), (-0.026, "time", "-2.6 % faster"),
                                    (0.0004, "time", "+0.0 %"), (-0.0004, "time", "+0.0 %"), (0.0005, "time", "+0.1 % slower"),
                                    (0.9994, "time", "+99.9 % slower"), (0.9996, "time", "+100 % slower"),
                                    (0.1, "peak_memory", "+10.0 % more"), (-0.1, "peak_memory", "-10.0 % less"),
                                    (-0.1, "accepted[1,higher]", "-10.0 % better")):
            self.assertIn(f"\n{words} against", self.row(judgement(name, change=change))["extra"])
        for mde, words in ((0.082, "8.2 %"), (0.9994, "99.9 %"), (0.9996, "100 %"), (1.0, "100 %"), (1.1, "> 100 %")):
            self.assertIn(f"MDE {words}\n", self.row(judgement(mde=mde))["extra"])


class Numbers(unittest.TestCase):
    def test_are_written_as_perfgate_writes_them_in_json(self):
        for number, text in ((81.0, "81.0"), (0.0, "0.0"), (-0.0, "-0.0"), (-1.5, "-1.5"), (0.0001, "0.0001"),
                             (1.5e-5, "1.5e-05"), (123456789012345.0, "123456789012345.0"), (1e15, "1e+15"),
                             (1.979e15, "1.979e+15"), (1e22, "1e+22"), (1e-12, "1e-12"), (2.0**70, "1.1805916207174113e+21"),
                             (2.0**-97, "6.310887241768095e-30")):
            self.assertEqual(export.json_number(number), text)

    def test_have_the_last_digits_of_the_library_where_others_are_nearer_or_fewer(self):
        for text, short in (("640230948764063.3", "640230948764063.2"), ("2848247560914.1563", "2848247560914.1562"),
                            ("1.3991101659344659e+17", "1.399110165934466e+17")):
            self.assertEqual(repr(float(text)), short)
            self.assertEqual(export.json_number(float(text)), text)


class HostileTexts(Exported):
    """Whatever stands in a text of the results: it stays in its place."""

    def night(self, text):
        within = "a" + text + "b"
        case = judged("ops/a")
        case["workers"][0].update(phases={"whole": phase(), "forward": phase([1.0, 2.0])}, parameters={
            "implementation": "composite", "num_heads": 8, "dtype": within, "batch_size": within, "name": within,
            "group": "lstm", "x" + text: within})
        return results([case, unmeasured("ops/c")], device={"kind": "cuda", "model": within}, device_id=within, host=within,
                       commit=within, libtorch=within, command=[within, text])

    def test_json_has_the_same_shape(self):
        def shape_of(value):
            inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
            return [type(value), *map(shape_of, inner)]

        for name in ("google_benchmark", "github_action_benchmark", "fastrnns_oss"):
            expected = shape_of(json.loads(self.export(name, self.night(""))))
            for text in HOSTILE:
                self.assertEqual(shape_of(json.loads(self.export(name, self.night(text)))), expected, (name, text))

    def test_tables_have_the_same_lines(self):
        for name in ("attention_csv", "attention_table", "fastrnns_table", "fastrnns_pep"):
            expected = self.export(name, self.night("")).count("\n")
            for text in HOSTILE:
                out = self.export(name, self.night(text))
                self.assertEqual(out.count("\n"), expected, (name, text))
                self.assertFalse(any(line.lstrip().startswith(("::", "##[")) for line in out.splitlines()), out)

    def test_that_cannot_be_shown_are_refused_by_name(self):
        for text in HIDDEN:
            said = self.refusal("google_benchmark", self.night(text))
            self.assertRegex(said, r'night/0\.json: at "/run/[a-z_]+(/model)?": a text with characters that cannot be shown')

    def test_in_a_refusal_stay_on_its_line(self):
        other = results([], commit="b\n::error::x")
        said = self.refusal("google_benchmark", results([], commit="a"), other)
        self.assertEqual(len(said.splitlines()), 2)


class OneNight(Exported):
    def rows(self, *documents):
        return [(row["name"], row["label"], row["real_time"])
                for row in json.loads(self.export("google_benchmark", *documents))["benchmarks"]]

    def test_has_the_cases_of_all_files_in_the_order_in_which_they_began(self):
        self.assertEqual(self.rows(results([measured("ops/b", 2.0)], started="2026-11-21T08:00:00Z"),
                                   results([measured("ops/a", 1.0)], started="2026-11-21T07:00:00Z")),
                         [("ops/a", "PASS", 1.0), ("ops/b", "PASS", 2.0)])

    def test_counts_a_case_once_a_device_by_its_worst_verdict(self):
        first = results([measured("ops/a", 1.0)])
        worse = results([judged("ops/a")], started="2026-11-21T08:00:00Z")
        self.assertEqual(self.rows(first, worse), [("ops/a", "REGRESSED", 81.0)])
        other = results([judged("ops/a")], started="2026-11-21T08:00:00Z", device_id="GPU-2")
        self.assertEqual(self.rows(first, other), [("ops/a", "PASS", 1.0), ("ops/a", "REGRESSED", 81.0)])

    def test_keeps_models_apart_and_names_every_device(self):
        self.hold(results([measured("ops/a", 1.0)], device_id="GPU-2"),
                  results([measured("ops/b", 2.0)], started="2026-11-21T07:10:00Z", device_id="GPU-1"),
                  results([measured("ops/a", 3.0)], started="2026-11-21T07:05:00Z", device_id="cpu1", libtorch="2.13.0",
                          device={"kind": "cpu", "model": "EPYC"}))
        self.run_script(f"google_benchmark:{self.folder / 'out'}", self.results)
        document = json.loads((self.folder / "out").read_text())
        self.assertEqual([row["name"] + str(row["real_time"]) for row in document["benchmarks"]],
                         ["ops/a1.0", "ops/b2.0", "ops/a3.0"])
        self.assertEqual(document["context"]["device_id"], "GPU-1, GPU-2, cpu1")
        self.assertEqual(document["context"]["device"], "EPYC")

    def test_is_what_the_last_run_says_that_began(self):
        killed = results([], started="2026-11-21T09:00:00Z", libtorch="unknown")
        context = json.loads(self.export("google_benchmark", results([judged()]), killed, ""))["context"]
        self.assertEqual(context["libtorch"], "2.12.0")

    def test_refuses_files_of_two(self):
        for other, words in ((results([], commit="old"), "of commits"),
                             (results([judged()], libtorch="2.11.0"), "with LibTorch"),
                             (results([], started="2026-11-21T23:04:01Z"), "started at 2026-11-21T07:04:00Z and")):
            said = self.refusal("google_benchmark", results([judged()]), other)
            self.assertIn("0.json and", said.replace("1.json and", "0.json and"))
            self.assertIn(f"are not one night: {words}", said)
        self.rows(results([judged()]), results([], started="2026-11-21T23:04:00Z"))

    def test_may_be_one_file(self):
        self.hold(results([judged()]), results([judged("ops/a")]))
        self.run_script(f"google_benchmark:{self.folder / 'out'}", self.results / "1.json")
        self.assertEqual([row["name"] for row in json.loads((self.folder / "out").read_text())["benchmarks"]], ["ops/a"])


class Results(Exported):
    def test_that_are_none_are_refused_by_name(self):
        whole = results([judged()])
        for text, words in (("{}", '"schema_version" is missing'), ("[]", "expected an object"), ("no", "is no JSON"),
                            (json.dumps(whole)[:-2], "is no JSON"), (b"\xff{}", "is no JSON"), ("[" * 100000, "is no JSON"),
                            ('{"a": 1, "a": 2}', 'the key "a" stands in one object twice'), ('{"a": NaN}', "NaN is no number"),
                            (json.dumps({**whole, "schema_version": 6}), "written by another perfgate"),
                            (json.dumps({**whole, "schema_version": True}), "expected a whole number"),
                            (json.dumps({"schema_version": 7}), '"run" is missing')):
            said = self.refusal("google_benchmark", results([]), text)
            self.assertIn(f"{self.results}/1.json", said)
            self.assertIn(words, said)

    def test_that_are_damaged_are_refused_at_their_place(self):
        def at(*path, value):
            document = results([judged()])
            inner = document
            for step in path[:-1]:
                inner = inner[step]
            inner[path[-1]] = value
            return self.refusal("google_benchmark", document)

        first = ("cases", 0, "workers", 0)
        for path, value, words in (
                ((*first, "metrics", "time", "value"), 0, "expected a number from 1e-12"),
                ((*first, "metrics", "time", "value"), "81", "expected a number"),
                ((*first, "metrics", "time", "value"), float("1e16"), "expected a number from"),
                ((*first, "status"), "well", '"well" is none of measured'),
                ((*first, "phases"), {"sideways": phase()}, "no phase of a case"),
                ((*first, "phases", "whole", "samples"), {"time_us": [1.0, None]}, "expected a number"),
                ((*first, "parameters"), {"row": 1.5}, "expected a whole number"),
                ((*first, "parameters"), {"row": 2**63}, "expected a whole number of at most 63 bits"),
                (("cases", 0, "case"), "a//b", "that is no case's key"),
                (("cases", 0, "case"), "a/../b", "that is no case's key"),
                (("cases", 0, "verdict"), "FINE", '"FINE" is none of WRONG'),
                (("cases", 0, "judgements", 0, "metric"), "sideways.time", "no metric"),
                (("run", "started"), "2026-02-30T00:00:00Z", "is no time"),
                (("run", "host"), None, "expected a string")):
            said = at(*path, value=value)
            self.assertIn(f'{self.results}/0.json: at "/{"/".join(map(str, path))}', said)
            self.assertIn(words, said)

    def test_that_are_not_there_are_refused(self):
        self.assertIn("no results file in", self.refusal("google_benchmark"))
        self.assertIn("no results file in", self.refusal("google_benchmark", ""))
        for where in (self.folder / "nowhere", "/dev/null"):
            code, said = self.run_script(f"google_benchmark:{self.folder / 'out'}", where)
            self.assertEqual(code, 2)
            self.assertIn(f"{where} is no file and no folder", said)


class Schemas(unittest.TestCase):
    """A verdict, a phase or a version that the program has and the script has not would refuse every night."""

    def schema(self, name):
        return json.loads((SCRIPT.parents[1] / "src/perfgate" / name).read_text())

    def test_of_results_are_what_is_read(self):
        schema = self.schema("report/results.schema.json")
        definitions = schema["$defs"]
        self.assertEqual(schema["properties"]["schema_version"]["const"], export.RESULTS_SCHEMA)
        self.assertEqual(sorted(definitions["verdict"]["enum"]), sorted(export.WORST_FIRST))
        self.assertEqual(definitions["phase"]["enum"], list(export.PHASES))
        self.assertEqual(definitions["worker"]["properties"]["status"]["enum"], list(export.STATUSES))

    def test_of_published_targets_is_what_is_read(self):
        schema = self.schema("run/night/published.schema.json")
        self.assertEqual(schema["properties"]["schema_version"]["const"], export.PUBLISHED_SCHEMA)


class Arguments(Exported):
    def setUp(self):
        super().setUp()
        self.hold(results([judged()]))

    def refused(self, *arguments):
        code, said = self.run_script(*arguments)
        self.assertEqual(code, 2, said)
        self.assertIn("\n  mend: ", said)
        return said

    def test_may_name_several_formats_and_standard_output(self):
        out = self.folder / "out"
        ran = subprocess.run([sys.executable, SCRIPT, f"google_benchmark:{out}", "github_action_benchmark:-", self.results],
                             capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(len(json.loads(ran.stdout)), 1)
        self.assertEqual(len(json.loads(out.read_text())["benchmarks"]), 1)

    def test_take_a_file_with_colons_in_its_name(self):
        for file in ("a:b:c", "03:30:am", ":"):
            self.export("google_benchmark", results([judged()]), file=file)

    def test_that_name_no_format_are_refused(self):
        for text in ("xunit:a", "google_benchmark", "google_benchmark:", "", "night.json"):
            said = self.refused(text, self.results)
            self.assertIn(f"{text} is not FORMAT:FILE", said)
            self.assertIn("attention_csv, ", said)
        self.assertIn("perfgate --export=junit:FILE", self.refused("junit:a.xml", self.results))
        for arguments in ([], ["google_benchmark:a"], ["--result=x", "google_benchmark:a", self.results]):
            self.assertIn("export.py google_benchmark:night.json RESULTS", self.refused(*arguments))

    def test_have_no_limit(self):
        self.assertIn("google_benchmark has no limit", self.refused(f"google_benchmark:{self.folder}/a:1000", self.results))

    def test_replace_nothing_but_a_regular_file_and_nothing_that_is_read(self):
        link = self.folder / "link"
        link.symlink_to(self.folder / "out")
        for file, words in ((link, "no regular file"), ("/dev/null", "no regular file"), (self.folder, "no regular file"),
                            (self.results / "out.json", "which is read here"), (self.results / "new/x", "which is read here"),
                            (SCRIPT.parents[1] / "baselines/policy.json", "which is read here")):
            self.assertIn(words, self.refused(f"google_benchmark:{file}", self.results))
        file = self.results / "0.json"
        self.assertIn("which is read here", self.refused(f"google_benchmark:{file}", file))

    def test_leave_what_was_there_where_one_of_them_is_refused(self):
        out = self.folder / "out"
        out.write_text("before")
        self.refused(f"google_benchmark:{out}", f"fastrnns_oss:{self.folder / 'other'}", self.results)
        self.assertEqual(out.read_text(), "before")

    def test_replace_a_file_whole_or_not_at_all(self):
        out = self.folder / "out"
        out.write_text("before")
        (self.folder / "out.tmp").write_text("of one that was killed")
        with mock.patch.object(os, "fsync", side_effect=OSError(28, "No space left on device")):
            self.assertIn("No space left on device", self.refused(f"google_benchmark:{out}", self.results))
        self.assertEqual([out.read_text(), (self.folder / "out.tmp").exists()], ["before", False])
        self.assertEqual(self.run_script(f"google_benchmark:{out}", self.results)[0], 0)
        self.assertIn('"benchmarks"', out.read_text())
        self.assertIn("No such file", self.refused(f"google_benchmark:{self.folder / 'no/out'}", self.results))


if __name__ == "__main__":
    unittest.main()
