"""Which packages are made anew, and what their notes say; nothing is compiled."""

import contextlib
import importlib
import hashlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "src/perfgate/packages"))

import export_packages  # noqa: E402
import processor_time  # noqa: E402

PROGRAM = b"def program(width, device): ..."
ENVIRONMENT = {"libtorch": "2.13.0", "device": "cpu", "architecture": "this CPU"}


class Note(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.package = self.folder / "demo.pt2"
        (self.folder / "demo.py").write_bytes(PROGRAM)
        self.package.write_bytes(b"compiled")

    def request(self, **changed):
        return {"name": "demo", "case": "demo/compiled", "source": "demo.py", "arguments": {"width": 64},
                "program_sha256": hashlib.sha256(PROGRAM).hexdigest(), "timed": False, **changed}

    def note(self, **changed):
        return export_packages.note_for(self.request(**changed), ENVIRONMENT, self.folder)

    def write(self, note):
        made = {**note, "package_sha1": export_packages.sha1_of(self.package)}
        self.package.with_suffix(".json").write_text(json.dumps(made))

    def test_keeps_a_package_that_was_made_from_the_same(self):
        self.write(self.note())
        self.assertTrue(export_packages.is_current(self.package, self.note()))

    def test_keeps_it_whatever_time_it_took(self):
        self.write({**self.note(timed=True), "compile_processor_s": 41.5})
        self.assertTrue(export_packages.is_current(self.package, self.note(timed=True)))

    def test_makes_it_anew_where_its_time_is_wanted_and_was_not_taken(self):
        self.write(self.note())
        self.assertFalse(export_packages.is_current(self.package, self.note(timed=True)))

    def test_makes_it_anew_with_other_arguments(self):
        self.write(self.note())
        self.assertFalse(export_packages.is_current(self.package, self.note(arguments={"width": 128})))

    def test_makes_it_anew_where_its_bytes_changed(self):
        self.write(self.note())
        self.package.write_bytes(b"something else")
        self.assertFalse(export_packages.is_current(self.package, self.note()))

    def test_makes_it_anew_without_a_note_that_can_be_read(self):
        self.assertFalse(export_packages.is_current(self.package, self.note()))
        self.package.with_suffix(".json").write_text("{")
        self.assertFalse(export_packages.is_current(self.package, self.note()))

    def test_names_the_triton_that_compiles_for_a_gpu(self):
        export_packages.version_of_triton = lambda: "3.6.0"
        self.addCleanup(importlib.reload, export_packages)
        self.assertNotIn("triton", self.note())
        on_gpu = {**ENVIRONMENT, "device": "cuda"}
        note = export_packages.note_for(self.request(), on_gpu, self.folder)
        self.assertEqual(note["triton"], "3.6.0")
        self.write(note)
        self.assertTrue(export_packages.is_current(self.package, note))
        export_packages.version_of_triton = lambda: "3.7.0"
        self.assertFalse(export_packages.is_current(
            self.package, export_packages.note_for(self.request(), on_gpu, self.folder)))

    def test_refuses_a_program_that_perfgate_was_not_built_from(self):
        with self.assertRaisesRegex(OSError, "build it first"):
            self.note(program_sha256="0" * 64)


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
            export_packages.keep_kernels(self.file, {"model": ({"triton_mm": entry}, [str(self.wrapper)])})
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
            self.assertEqual(export_packages.load_programs(source, {"width": 64}), {"model": 64})
            source.write_text("def programs(width):\n    return {'layer': width, 'head': 1}")
            self.assertEqual(export_packages.load_programs(source, {"width": 64}), {"layer": 64, "head": 1})


if __name__ == "__main__":
    unittest.main()
