"""What is compiled of a package, how often and beside whom, and what is kept of it; nothing is compiled."""

import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "src/perfgate/packages"))

import compiling  # noqa: E402
import processor_time  # noqa: E402


class Kernels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "demo.kernels.json"
        self.wrapper = pathlib.Path(folder.name) / "a.wrapper.cpp"
        self.wrapper.write_text('loadKernel("/tmp/x.cubin", "triton_mm", 0, cubin_dir_)')

    def keep(self, **entry):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            compiling.keep_kernels(self.file, {"model": ({"triton_mm": entry}, [str(self.wrapper)])})
        return said.getvalue()

    def test_lie_beside_the_package(self):
        config = {"XBLOCK": 2, "num_warps": 4, "num_stages": 1}
        self.assertEqual(self.keep(chosen={"config": config}, source="@triton.jit"), "")
        self.assertEqual(json.loads(self.file.read_text())["model"]["triton_mm"]["configuration"],
                         "XBLOCK 2, 4 warps, 1 stages")

    def test_cost_no_package_where_they_are_not_as_expected(self):
        config = {"XBLOCK": {1, 2}, "num_warps": 4, "num_stages": 1}  # no JSON
        self.assertIn("not recorded", self.keep(chosen={"config": config}, source="@triton.jit"))
        self.assertIn("not recorded", self.keep(chosen={"config": {}}))
        self.assertFalse(self.file.exists())

    def test_are_no_file_where_there_are_none(self):
        self.keep(bytes=100)
        self.assertFalse(self.file.exists())


class ProcessorTime(unittest.TestCase):
    def test_counts_children_that_run_and_those_that_ended(self):
        work = "sum(i * i for i in range(4_000_000))"
        before = processor_time.seconds_so_far()
        subprocess.run([sys.executable, "-c", work], check=True)
        ended = processor_time.seconds_so_far()
        self.assertGreater(ended, before)
        child = [sys.executable, "-c", work + "; print(flush=True); input()"]
        with subprocess.Popen(child, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
            running.stdout.readline()
            self.assertGreater(processor_time.seconds_so_far(), ended)
            running.communicate(b"\n")


class Programs(unittest.TestCase):
    def test_of_a_source_are_the_one_or_the_several_that_it_makes(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "demo.py"
            source.write_text("def program(width):\n    return width")
            self.assertEqual(compiling.load_programs(source, {"width": 64}), {"model": 64})
            source.write_text("def programs(width):\n    return {'layer': width, 'head': 1}")
            self.assertEqual(compiling.load_programs(source, {"width": 64}), {"layer": 64, "head": 1})


class Make(unittest.TestCase):
    """Of a package with a kernel of the version 0123, which a search compiles with XBLOCK 1."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.package = pathlib.Path(folder.name) / "demo.pt2"
        self.done = []
        self.held = []
        for name, replacement in (("compile_package", self.compile), ("compile_from_nothing", self.search),
                                  ("start_inductor", lambda device: self.done.append(("start", *self.held)))):
            patch = unittest.mock.patch.object(compiling, name, replacement)
            patch.start()
            self.addCleanup(patch.stop)

    def compile(self, request, sources, package, device, tuning, alone):
        self.done.append(("compile", *self.held))
        self.write(tuning.get("model", {}).get("0123", "XBLOCK 1"))

    def search(self, request, sources, package, device):
        self.done.append(("search", *self.held))
        self.write("XBLOCK 1")
        return 41.5

    def write(self, configuration):
        kernels = {"model": {"triton_mm": {"configuration": configuration, "version": "0123"}}}
        self.package.with_suffix(".kernels.json").write_text(json.dumps(kernels))

    @contextlib.contextmanager
    def holding(self, name):
        self.held.append(name)
        yield
        self.held.remove(name)

    def make(self, timed, tuning):
        locks = unittest.mock.Mock(quiet=lambda: self.holding("quiet"), beside_others=lambda: self.holding("beside"))
        processor_s = compiling.make({"timed": timed}, None, self.package, "cuda", tuning, locks)
        self.assertTrue(compiling.holds(self.package.with_suffix(".kernels.json"), tuning))
        return processor_s

    def test_compiles_beside_others_what_nobody_times(self):
        self.assertIsNone(self.make(False, {"model": {"0123": "XBLOCK 2"}}))
        self.assertEqual(self.done, [("compile", "beside")])

    def test_times_a_search_alone_behind_inductors_start(self):
        self.assertEqual(self.make(True, {}), 41.5)
        self.assertEqual(self.done, [("start", "beside"), ("search", "quiet")])

    def test_keeps_a_timed_package_that_is_as_recorded(self):
        self.assertEqual(self.make(True, {"model": {"0123": "XBLOCK 1"}}), 41.5)
        self.assertEqual(len(self.done), 2)

    def test_compiles_once_more_what_a_timed_search_chose_otherwise_than_recorded(self):
        self.assertEqual(self.make(True, {"model": {"0123": "XBLOCK 2"}}), 41.5)
        self.assertEqual(self.done[2:], [("compile", "beside")])


if __name__ == "__main__":
    unittest.main()
