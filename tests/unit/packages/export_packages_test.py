"""What is made of what perfgate asks for; nothing is compiled."""

import contextlib
import hashlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "src/perfgate/packages"))

import export_packages  # noqa: E402
import package_note  # noqa: E402

PROGRAM = b"def program(device): ..."
VERSION = "0123"


def request(name, **changed):
    return {"name": name, "case": name + "/compiled", "source": "demo.py", "arguments": {}, "timed": False,
            "program_sha256": hashlib.sha256(PROGRAM).hexdigest(), **changed}


class Exporter(unittest.TestCase):
    """A perfgate that asks for packages, and processes that make them at once or not at all."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "demo.py").write_bytes(PROGRAM)
        self.made = []
        self.errors = {}
        self.perfgate = self.folder / "perfgate"
        for owner, name, replacement in (
                (export_packages, "version_of_torch", lambda: "2.11.0+cu130"),
                (package_note, "version_of_triton", lambda: "3.6.0"),
                (export_packages.export_pool, "Pool", lambda processes, start: self)):
            patch = unittest.mock.patch.object(owner, name, replacement)
            patch.start()
            self.addCleanup(patch.stop)

    def make_all(self, tasks):
        for task in tasks:
            name = task["request"]["name"]
            self.made.append(name)
            pathlib.Path(task["package"]).write_bytes(b"compiled")
            yield task, {"error": self.errors.get(name), "processor_s": None, "said": "", "out_of_memory": False}

    def asks_for(self, *requests, device="cuda"):
        asked = {"environment": {"libtorch": "2.11.0", "device": device, "architecture": "NVIDIA H200"},
                 "packages": requests, "lock": str(self.folder / "lock"), "device_id": "GPU-aa"}
        (self.folder / "asked.json").write_text(json.dumps(asked))
        self.perfgate.write_text(f'#!/bin/sh\necho "$@" >{self.folder}/flags\nenv >{self.folder}/environment\n'
                                 f'cat {self.folder}/asked.json\n')
        self.perfgate.chmod(0o755)

    def export(self, *flags, retune=False):
        """The exit code, and what was printed."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = export_packages.export(self.perfgate, self.folder, self.folder / "packages", 0, retune, flags)
        return code, said.getvalue()

    def test_makes_what_the_flags_select_of_one_device(self):
        self.asks_for(request("a"))
        self.assertEqual(self.export("--case=a*", "--device=cuda")[0], 0)
        self.assertEqual((self.folder / "flags").read_text(), "--list_packages --case=a* --device=cuda\n")
        self.assertTrue((self.folder / "packages/cuda/a.json").exists())
        self.assertFalse((self.folder / "packages/cpu").exists())

    def test_keeps_what_is_current(self):
        self.asks_for(request("a"))
        self.export()
        self.assertIn("1 of 1 packages for cuda are current", self.export()[1])
        self.assertEqual(self.made, ["a"])

    def test_makes_all_of_it_anew_where_it_is_asked_to_tune_again(self):
        self.asks_for(request("a"))
        self.export()
        self.export(retune=True)
        self.assertEqual(self.made, ["a", "a"])

    def test_searches_where_it_is_asked_to_whatever_is_recorded(self):
        tuning = {"libtorch": "2.11.0", "triton": "3.6.0", "programs": {"model": {VERSION: "XBLOCK 2"}}}
        self.asks_for(request("a", tuning=tuning))
        self.export(retune=True)
        self.assertEqual(json.loads((self.folder / "packages/cuda/a.json").read_text())["tuning"], {})

    def test_asks_by_what_selects_and_not_by_what_is_done_with_it(self):
        self.asks_for(request("a"))
        with unittest.mock.patch.dict(os.environ, PERFGATE_CASE="a*", PERFGATE_REFRESH="true"):
            self.export()
        environment = (self.folder / "environment").read_text()
        self.assertIn("PERFGATE_CASE=a*", environment)
        self.assertNotIn("PERFGATE_REFRESH", environment)

    def test_shows_what_it_makes_where_a_gate_shows_its_progress(self):
        self.asks_for(request("a"))
        progress = self.folder / "progress"
        with unittest.mock.patch.dict(os.environ, PERFGATE_PROGRESS=str(progress)):
            self.export()
            self.export()  # nothing to do, and nothing to show
        self.assertRegex(progress.read_text(), r"^compiling 1 of 1 packages\n  1/1  a  at [0-9.]+ s\n$")

    def test_leaves_somebody_elses_packages_alone(self):
        self.asks_for(request("a"))
        with (unittest.mock.patch.dict(os.environ, PERFGATE_PACKAGES="/other"),
              unittest.mock.patch.object(sys, "argv", ["", self.perfgate, self.folder, self.folder / "packages"]),
              contextlib.redirect_stdout(io.StringIO())):
            self.assertEqual(export_packages.main(), 0)
        self.assertEqual(self.made, [])

    def test_gives_the_recorded_configurations_to_what_it_makes_anew(self):
        tuning = {"libtorch": "2.11.0", "triton": "3.6.0", "programs": {"model": {VERSION: "XBLOCK 2"}}}
        self.asks_for(request("a"))
        self.export()
        self.asks_for(request("a", tuning=tuning))
        self.export()
        self.assertEqual(self.made, ["a", "a"])
        note = json.loads((self.folder / "packages/cuda/a.json").read_text())
        self.assertEqual(note["tuning"], tuning["programs"])

    def test_goes_on_behind_one_that_fails_and_says_so_at_the_end(self):
        self.asks_for(request("a"), request("b"), request("c", program_sha256="0"))
        self.errors["a"] = "does not compile"
        code, said = self.export()
        self.assertEqual((code, self.made), (1, ["a", "b"]))
        self.assertIn("a  failed: does not compile", said)
        self.assertTrue(said.endswith("not compiled: c, a\n"), said)
        self.assertFalse((self.folder / "packages/cuda/a.json").exists())
        self.assertTrue((self.folder / "packages/cuda/b.json").exists())

    def test_makes_nothing_with_another_torch(self):
        self.asks_for(request("a"))
        with unittest.mock.patch.object(export_packages, "version_of_torch", lambda: "2.13.0"):
            code, said = self.export()
        self.assertEqual((code, self.made), (1, []))
        self.assertIn("has torch 2.13.0", said)

    def test_fails_where_perfgate_dies(self):
        self.perfgate.write_text("#!/bin/sh\nkill -SEGV $$\n")
        self.perfgate.chmod(0o755)
        with self.assertRaisesRegex(RuntimeError, "ended with -11"):
            self.export()

    def test_ends_well_where_there_is_no_such_device(self):
        self.perfgate.write_text("#!/bin/sh\necho no GPU >&2\nexit 2\n")
        self.perfgate.chmod(0o755)
        self.assertEqual(self.export(), (0, "compiled packages: none, no GPU\n"))


class EnvironmentOfWorkers(unittest.TestCase):
    def of(self, device, processes, timed=False, **variables):
        asked = {"environment": {"device": device}, "device_id": "GPU-aa"}
        with (unittest.mock.patch.dict(os.environ, variables),
              unittest.mock.patch.object(export_packages.export_pool, "cores_here", lambda: 16)):
            return export_packages.environment_of_workers(asked, processes, timed)

    def test_shows_the_gpu_that_is_gated_and_no_other(self):
        self.assertEqual(self.of("cuda", 1), {"CUDA_VISIBLE_DEVICES": "GPU-aa"})
        self.assertEqual(self.of("cpu", 1), {})

    def test_shares_the_cores_among_the_processes(self):
        self.assertEqual(self.of("cpu", 4), {"TORCHINDUCTOR_COMPILE_THREADS": "4"})
        self.assertEqual(self.of("cpu", 4, TORCHINDUCTOR_COMPILE_THREADS="9"), {})

    def test_leave_what_is_timed_as_it_is_with_one_process(self):
        self.assertEqual(self.of("cpu", 4, timed=True), self.of("cpu", 1, timed=True))


class VersionOfTorch(unittest.TestCase):
    def test_is_that_of_the_one_that_would_be_imported(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "torch").mkdir()
            (pathlib.Path(folder) / "torch/__init__.py").write_text("raise ImportError('takes seconds')")
            (pathlib.Path(folder) / "torch/version.py").write_text("__version__ = '2.99.0+cpu'\n")
            with unittest.mock.patch.object(sys, "path", [folder, *sys.path]):
                self.assertEqual(export_packages.version_of_torch(), "2.99.0+cpu")


if __name__ == "__main__":
    unittest.main()
