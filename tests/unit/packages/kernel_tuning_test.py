"""How a kernel's recorded configuration takes the place of a search, with an Inductor that only looks like it."""

import contextlib
import io
import pathlib
import sys
import threading
import types
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "src/perfgate/packages"))

import kernel_record  # noqa: E402
import kernel_tuning  # noqa: E402

SOURCE = "# head\n@triton.jit\ndef triton_mm(XBLOCK: tl.constexpr): pass\n"
VERSION = kernel_record.version_of(kernel_record.parts_of(SOURCE)[1])
OTHER_SOURCE = SOURCE.replace("pass", "return")


def launcher(block, warps=4, **more):
    config = types.SimpleNamespace(kwargs={"XBLOCK": block}, num_warps=warps, num_stages=1, **more)
    return types.SimpleNamespace(config=config, n_regs=32, n_spills=0, shared=0)


class Autotuner:
    """Of a kernel with two candidates, of which its search takes the first. Cannot compile blocks of 3."""

    def __init__(self, source=SOURCE):
        self.fn = types.SimpleNamespace(fn=None, src=source)
        self.filename = None
        self.inductor_meta = {"kernel_name": "triton_mm"}
        self.lock = threading.Lock()
        self.launchers = [launcher(1, maxnreg=64), launcher(8, maxnreg=64)]
        self.compiled = []

    def precompile(self):
        raise AssertionError("its candidates are there")

    def run(self):
        if len(self.launchers) > 1:
            self.launchers = self.launchers[:1]
        return self.launchers[0].config

    def _reload_kernel(self):
        return types.SimpleNamespace(fn=types.SimpleNamespace(fn="loaded", src=self.fn.src))

    def _precompile_config(self, config):
        assert self.fn.fn == "loaded" and self.lock.locked()
        if config.kwargs["XBLOCK"] == 3:
            raise ValueError("the kernel, quoted\narange's range must be a power of 2\n")
        self.compiled.append(config)
        made = launcher(1)
        made.config = config
        return types.SimpleNamespace(make_launcher=lambda: made)


class MultiKernelCall:
    def __init__(self, *kernels):
        self.kernels = kernels

    def benchmark_sub_kernels(self):
        return [2.0, 1.0]


class Given(unittest.TestCase):
    def setUp(self):
        heuristics = types.SimpleNamespace(CachingAutotuner=Autotuner)
        multi = types.SimpleNamespace(MultiKernelCall=MultiKernelCall)
        names = {"torch": types.ModuleType("torch"), "torch._inductor": types.ModuleType("torch._inductor"),
                 "torch._inductor.codegen": types.ModuleType("codegen"),
                 "torch._inductor.runtime": types.ModuleType("runtime"),
                 "torch._inductor.codegen.multi_kernel": multi,
                 "torch._inductor.runtime.triton_heuristics": heuristics}
        patch = unittest.mock.patch.dict(sys.modules, names)
        patch.start()
        self.addCleanup(patch.stop)

    def chosen(self, text, source=SOURCE):
        """What is compiled into the package, what had to be compiled for it, and what was said."""
        autotuner = Autotuner(source)
        said = io.StringIO()
        with contextlib.redirect_stdout(said), kernel_tuning.given({VERSION: text}):
            config = autotuner.run()
            self.assertIs(autotuner.run(), config)
        return config, len(autotuner.compiled), said.getvalue()

    def test_takes_a_candidate_that_is_as_recorded(self):
        config, compiled, said = self.chosen("XBLOCK 8, 4 warps, 1 stages")
        self.assertEqual((config.kwargs, compiled, said), ({"XBLOCK": 8}, 0, ""))
        self.assertTrue(config.found_by_coordesc)  # or it would be searched on

    def test_compiles_what_is_no_candidate(self):
        config, compiled, said = self.chosen("XBLOCK 2, 8 warps, 3 stages")
        self.assertEqual((config.kwargs, config.num_warps, config.num_stages), ({"XBLOCK": 2}, 8, 3))
        self.assertEqual((config.maxnreg, compiled, said), (64, 1, ""))  # all else as the candidates have it

    def test_searches_for_a_kernel_of_another_source(self):
        config, compiled, said = self.chosen("XBLOCK 8, 4 warps, 1 stages", OTHER_SOURCE)
        self.assertEqual((config.kwargs, compiled, said), ({"XBLOCK": 1}, 0, ""))

    def test_searches_for_what_cannot_be_compiled_as_recorded_and_says_so(self):
        config, _, said = self.chosen("XBLOCK 3, 4 warps, 1 stages")
        self.assertEqual(config.kwargs, {"XBLOCK": 1})
        self.assertFalse(hasattr(config, "found_by_coordesc"))
        self.assertEqual(said, "triton_mm cannot be compiled as recorded (XBLOCK 3, 4 warps, 1 stages), and is searched "
                               "for anew: arange's range must be a power of 2\n")

    def test_searches_for_a_kernel_with_other_blocks_than_recorded(self):
        config, compiled, said = self.chosen("YBLOCK 8, 4 warps, 1 stages")
        self.assertEqual((config.kwargs, compiled), ({"XBLOCK": 1}, 0))
        self.assertIn("this kernel has XBLOCK", said)

    def test_leaves_inductor_as_it_was(self):
        before = Autotuner.run
        with kernel_tuning.given({VERSION: "XBLOCK 8, 4 warps, 1 stages"}):
            self.assertIsNot(Autotuner.run, before)
        self.assertIs(Autotuner.run, before)
        with kernel_tuning.given({}):
            self.assertIs(Autotuner.run, before)

    def test_chooses_of_several_ways_to_write_a_kernel_the_recorded_one(self):
        recorded, other = Autotuner(), Autotuner(OTHER_SOURCE)
        with kernel_tuning.given({VERSION: "XBLOCK 8, 4 warps, 1 stages"}):
            self.assertEqual(MultiKernelCall(recorded, other).benchmark_sub_kernels(), [0.0, float("inf")])
            self.assertEqual(MultiKernelCall(other, other).benchmark_sub_kernels(), [2.0, 1.0])
            self.assertEqual(MultiKernelCall(recorded, recorded).benchmark_sub_kernels(), [2.0, 1.0])

    def test_costs_no_package_where_inductor_is_another(self):
        said = io.StringIO()
        hidden = unittest.mock.patch.dict(sys.modules, {"torch._inductor.codegen.multi_kernel": None})
        with hidden, contextlib.redirect_stdout(said), kernel_tuning.given({VERSION: "XBLOCK 8, 4 warps, 1 stages"}):
            self.assertEqual(Autotuner().run().kwargs, {"XBLOCK": 1})
        self.assertIn("recorded configurations are not used", said.getvalue())


class Configuration(unittest.TestCase):
    def test_is_read_as_it_was_written(self):
        for config in ({"XBLOCK": 2, "R0_BLOCK": 4096, "num_warps": 8, "num_stages": 3}, {"num_warps": 4, "num_stages": 1}):
            text = kernel_record.configuration_text(config)
            self.assertEqual(kernel_tuning.configuration_of(text), config, text)

    def test_is_nothing_else(self):
        for text in ("", "XBLOCK 2", "XBLOCK two, 4 warps, 1 stages", "4 warps, 1 stages, XBLOCK 2", "XBLOCK 2, 4 warps, 1 stages\n"):
            with self.assertRaises(ValueError, msg=text):
                kernel_tuning.configuration_of(text)


if __name__ == "__main__":
    unittest.main()
