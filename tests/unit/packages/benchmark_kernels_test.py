"""What is printed of kernels that are timed by themselves; nothing is compiled or timed."""

import pathlib
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "src/perfgate/packages"))

import benchmark_kernels  # noqa: E402


def configuration(block, ms=None):
    return {"config": {"XBLOCK": block, "num_warps": 8, "num_stages": 1}, "ms": ms, "registers": 32, "spills": 0,
            "shared_bytes": 64}


class Report(unittest.TestCase):
    """Of a kernel that moves 100 MB, tried with blocks of 1, 2 and 4, of which 2 was chosen."""

    def report(self, all_configs, **ms_of_block):
        kernel = {"chosen": configuration(2), "tried": [configuration(block) for block in (1, 2, 4)],
                  "bytes": 100_000_000, "head": "", "kernel": "", "harness": ""}
        times = unittest.mock.patch.object(
            benchmark_kernels, "times",
            lambda module, name, configs: [configuration(c["XBLOCK"], ms_of_block.get(f"b{c['XBLOCK']}")) for c in configs])
        with times, unittest.mock.patch.object(benchmark_kernels, "module_of"):
            return benchmark_kernels.report("head", "triton_mm", kernel, all_configs)

    def test_has_time_and_bandwidth_of_what_was_chosen(self):
        text = self.report(False, b2=0.025)
        self.assertRegex(text, r"XBLOCK 2, 8 warps, 1 stages +25\.00 us +4000 +32 +0 +64  chosen$")
        self.assertEqual(len(text.splitlines()), 2)

    def test_marks_the_best_of_all(self):
        text = self.report(True, b1=0.030, b2=0.025, b4=0.040)
        self.assertRegex(text, r"XBLOCK 2, .* chosen, best\n")
        self.assertNotIn("faster", text)

    def test_says_by_how_much_another_is_faster(self):
        text = self.report(True, b1=0.030, b2=0.025, b4=0.020)
        self.assertRegex(text, r"XBLOCK 4, .*  best\n")
        self.assertIn("XBLOCK 4, 8 warps, 1 stages is 25.0 % faster than the configuration that was chosen", text)

    def test_shows_a_configuration_that_cannot_be_timed(self):
        self.assertRegex(self.report(True, b2=0.025, b4=0.030), r"XBLOCK 1, 8 warps, 1 stages +not timed +32 ")

    def test_says_so_of_a_kernel_that_fails(self):
        kernel = {"chosen": configuration(2), "tried": [], "head": "",
                  "kernel": "raise ValueError('no Triton')", "harness": ""}
        self.assertIn("cannot be run by itself: no Triton", benchmark_kernels.report("head", "mine", kernel, False))

    def test_runs_nothing_that_anybody_may_write(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "demo.kernels.json"
            self.assertIn("export it again", benchmark_kernels.why_not_run(file))
            file.write_text("{}")
            file.chmod(0o644)
            self.assertEqual(benchmark_kernels.why_not_run(file), "")
            file.chmod(0o666)
            self.assertIn("anybody may write", benchmark_kernels.why_not_run(file))

    def test_says_so_of_a_kernel_without_a_harness(self):
        kernel = {"chosen": configuration(2), "tried": [], "head": "", "kernel": ""}
        self.assertIn("cannot be run by itself", benchmark_kernels.report("head", "mine", kernel, True))

    def test_asks_for_an_export_where_another_perfgate_recorded_the_kernel(self):
        kernel = {"chosen": configuration(2), "tried": [], "source": "def mine(): pass", "harness": ""}
        self.assertIn("export the package again", benchmark_kernels.report("head", "mine", kernel, True))


if __name__ == "__main__":
    unittest.main()
