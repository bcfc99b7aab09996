"""Which packages are made anew, and what their notes say; nothing is compiled."""

import hashlib
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "src/perfgate/packages"))

import package_note  # noqa: E402

PROGRAM = b"def program(width, device): ..."
ENVIRONMENT = {"libtorch": "2.13.0", "device": "cpu", "architecture": "this CPU"}
ON_GPU = {"libtorch": "2.11.0", "device": "cuda", "architecture": "NVIDIA H200"}
TUNING = {"model": {"0123": "XBLOCK 2, 1 warps, 1 stages"}}


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
        return package_note.note_for(self.request(**changed), ENVIRONMENT, self.folder)

    def write(self, note, tuning=None, processor_s=None):
        package_note.write_note(self.package, note, tuning or {}, processor_s)

    def is_current(self, note, tuning=None):
        return package_note.is_current(self.package, note, tuning or {})

    def test_keeps_a_package_that_was_made_from_the_same(self):
        self.write(self.note())
        self.assertTrue(self.is_current(self.note()))

    def test_keeps_it_whatever_time_it_took(self):
        self.write(self.note(timed=True), processor_s=41.5)
        self.assertEqual(json.loads(self.package.with_suffix(".json").read_text())["compile_processor_s"], 41.5)
        self.assertTrue(self.is_current(self.note(timed=True)))

    def test_makes_it_anew_where_its_time_is_wanted_and_was_not_taken(self):
        self.write(self.note())
        self.assertFalse(self.is_current(self.note(timed=True)))

    def test_makes_it_anew_with_other_arguments(self):
        self.write(self.note())
        self.assertFalse(self.is_current(self.note(arguments={"width": 128})))

    def test_makes_it_anew_where_its_bytes_changed(self):
        self.write(self.note())
        self.package.write_bytes(b"something else")
        self.assertFalse(self.is_current(self.note()))

    def test_makes_it_anew_without_a_note_that_can_be_read(self):
        self.assertFalse(self.is_current(self.note()))
        self.package.with_suffix(".json").write_text("{")
        self.assertFalse(self.is_current(self.note()))

    def test_names_the_triton_that_compiles_for_a_gpu(self):
        self.assertNotIn("triton", self.note())
        with unittest.mock.patch.object(package_note, "version_of_triton", lambda: "3.6.0"):
            note = package_note.note_for(self.request(), ON_GPU, self.folder)
        self.assertEqual(note["triton"], "3.6.0")
        self.write(note)
        self.assertTrue(self.is_current(note))
        self.assertFalse(self.is_current({**note, "triton": "3.7.0"}))

    def test_refuses_a_program_that_perfgate_was_not_built_from(self):
        with self.assertRaisesRegex(OSError, "build it first"):
            self.note(program_sha256="0" * 64)

    def keep_kernels(self, configuration, version="0123"):
        kernels = {"model": {"triton_mm": {"configuration": configuration, "version": version}}}
        self.package.with_suffix(".kernels.json").write_text(json.dumps(kernels))

    def test_keeps_what_a_search_compiled_as_it_was_recorded_since(self):
        self.write(self.note())
        self.keep_kernels("XBLOCK 2, 1 warps, 1 stages")
        self.assertTrue(self.is_current(self.note(), TUNING))

    def test_makes_anew_what_a_search_compiled_otherwise_than_was_recorded_since(self):
        self.write(self.note())
        self.keep_kernels("XBLOCK 1, 1 warps, 1 stages")
        self.assertFalse(self.is_current(self.note(), TUNING))
        self.assertTrue(self.is_current(self.note()))  # where nothing is recorded

    def test_makes_anew_what_has_another_kernel_than_was_recorded_since(self):
        self.write(self.note())
        self.keep_kernels("XBLOCK 2, 1 warps, 1 stages", version="4567")
        self.assertFalse(self.is_current(self.note(), TUNING))
        self.package.with_suffix(".kernels.json").unlink()
        self.assertFalse(self.is_current(self.note(), TUNING))

    def test_tries_no_second_time_what_could_not_be_compiled_as_recorded(self):
        self.write(self.note(), TUNING)
        self.keep_kernels("XBLOCK 1, 1 warps, 1 stages")
        self.assertTrue(self.is_current(self.note(), TUNING))


class KnownTuning(unittest.TestCase):
    def known(self, **note):
        recorded = {"libtorch": "2.11.0", "triton": "3.6.0", "programs": TUNING}
        return package_note.known_tuning({"tuning": recorded}, {"libtorch": "2.11.0", "triton": "3.6.0", **note})

    def test_is_what_the_same_compilers_were_recorded_with(self):
        self.assertEqual(self.known(), TUNING)

    def test_is_none_of_another_libtorch_or_triton(self):
        self.assertEqual(self.known(libtorch="2.12.0"), {})
        self.assertEqual(self.known(triton="3.7.0"), {})

    def test_is_none_where_nothing_is_recorded(self):
        self.assertEqual(package_note.known_tuning({}, {"libtorch": "2.11.0"}), {})


if __name__ == "__main__":
    unittest.main()
