"""What is kept of the kernels that Inductor compiled; nothing is compiled."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "src/perfgate/packages"))

import kernel_record  # noqa: E402

SOURCE = """import triton

@triton_heuristics.reduction(inductor_meta={"backend_hash": "%s"})
@triton.jit
def triton_red_mm(in_ptr0, out_ptr0, xnumel, r0_numel, XBLOCK : tl.constexpr):
    xnumel = 12288
    r0_numel = 4096
"""


def entry(source=SOURCE % "one", **config):
    config = {"XBLOCK": 2, "R0_BLOCK": 4096, "num_warps": 16, "num_stages": 1, **config}
    return {"chosen": {"config": config, "ms": 0.02}, "source": source, "bytes": 100}


class Launched(unittest.TestCase):
    def launched(self, recorded, wrapper='loadKernel("/tmp/x.cubin", "triton_red_mm", 0, cubin_dir_)'):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.wrapper.cpp"
            file.write_text(wrapper)
            return kernel_record.launched([str(file)], recorded)

    def test_are_the_kernels_that_the_program_loads(self):
        out = self.launched({"triton_red_mm": entry(), "triton_not_chosen": entry()})
        self.assertEqual(list(out), ["triton_red_mm"])
        self.assertEqual(out["triton_red_mm"]["configuration"], "XBLOCK 2, R0_BLOCK 4096, 16 warps, 1 stages")
        self.assertEqual(out["triton_red_mm"]["grid_x"], 6144)
        self.assertEqual(out["triton_red_mm"]["threads"], 512)
        self.assertEqual(out["triton_red_mm"]["bytes"], 100)

    def test_have_their_source_in_two_parts(self):
        out = self.launched({"triton_red_mm": entry()})["triton_red_mm"]
        self.assertEqual(out["head"] + out["kernel"], SOURCE % "one")
        self.assertTrue(out["kernel"].startswith("@triton.jit\n"))
        self.assertEqual(out["version"], kernel_record.version_of(out["kernel"]))

    def test_have_a_grid_that_covers_what_does_not_divide(self):
        self.assertEqual(self.launched({"triton_red_mm": entry(XBLOCK=5)})["triton_red_mm"]["grid_x"], 2458)

    def test_have_no_grid_where_it_differs_from_launch_to_launch(self):
        source = (SOURCE % "one").replace("    xnumel = 12288\n", "")
        self.assertNotIn("grid_x", self.launched({"triton_red_mm": entry(source)})["triton_red_mm"])

    def test_are_none_of_a_kernel_that_was_not_tuned_or_of_no_wrapper(self):
        self.assertEqual(self.launched({"triton_red_mm": {"bytes": 100}}), {})
        self.assertEqual(kernel_record.launched([], {"triton_red_mm": entry()}), {})


class Version(unittest.TestCase):
    def version_of(self, source):
        return kernel_record.version_of(kernel_record.parts_of(source)[1])

    def test_is_of_the_kernel_and_not_of_what_it_was_compiled_with(self):
        self.assertEqual(self.version_of(SOURCE % "one"), self.version_of(SOURCE % "another"))

    def test_is_another_one_of_another_kernel(self):
        other = (SOURCE % "one").replace("r0_numel = 4096", "r0_numel = 8192")
        self.assertNotEqual(self.version_of(SOURCE % "one"), self.version_of(other))


class Recording(unittest.TestCase):
    def test_costs_no_package_where_inductor_is_another(self):
        hidden = {name: sys.modules.get(name) for name in ("torch", "torch._inductor")}
        sys.modules.update({name: None for name in hidden})  # importing it fails
        self.addCleanup(lambda: [sys.modules.pop(name) for name in hidden])
        said = io.StringIO()
        with contextlib.redirect_stdout(said), kernel_record.recording() as kernels:
            self.assertEqual(kernels, {})
        self.assertIn("kernels are not recorded", said.getvalue())


if __name__ == "__main__":
    unittest.main()
