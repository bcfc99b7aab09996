"""Which LibTorch CMake chooses to measure, and that a changed pin is fetched anew: with torches that are a few files, and a
pip that only says what it was asked for."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[3]
CHOOSE = """cmake_minimum_required(VERSION 3.25)
project(chooses NONE)
include(cmake/PerfgateChooseLibTorch.cmake)
message(STATUS "${PERFGATE_TORCH_TEXT}")
message(STATUS "python [${PERFGATE_PYTHON}]")
"""


def make_torch(folder, version):
    """A torch that has what is read of one. Returns its folder."""
    torch = pathlib.Path(folder) / "torch"
    (torch / "share/cmake/Torch").mkdir(parents=True)
    (torch / "share/cmake/Torch/TorchConfig.cmake").touch()
    (torch / "__init__.py").write_text("raise ImportError('takes seconds')")
    (torch / "version.py").write_text(f"__version__ = '{version}'\ngit_version = '0123456789abcdef'\n")
    return torch.resolve()


class Choice(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.top = pathlib.Path(scratch.name)
        (self.top / "cmake").mkdir()
        for name in ("PerfgateChooseLibTorch.cmake", "PerfgateTorchFolders.cmake", "where_is_torch.py", "libtorch-cpu.txt", "libtorch-cuda.txt"):
            shutil.copy(PROJECT / "cmake" / name, self.top / "cmake")
        (self.top / "CMakeLists.txt").write_text(CHOOSE)
        # What is fetched is a Python whose path begins with its own site, as an environment's does.
        self.fetched = make_torch(self.top / "build/libtorch/site", "2.13.0+cpu")
        self.make_python(self.top / "build/libtorch/bin", self.top / "build/libtorch/site")
        fetch = self.top / "cmake/fetch_libtorch.sh"
        fetch.write_text(f"#!/bin/sh\necho fetched >>{self.top}/fetches.txt\necho $1\n")
        fetch.chmod(0o755)

    def make_python(self, folder, site):
        folder.mkdir(parents=True, exist_ok=True)
        python = folder / "python3"
        # -S: a torch of the Python that runs this test is in nobody's way.
        python.write_text(f'#!/bin/sh\nPYTHONPATH={site} exec {sys.executable} -S "$@"\n')
        python.chmod(0o755)
        return python

    def configure(self, *arguments, path=None, **variables):
        """CMake's output with these arguments, where the python3 on PATH is the one in the folder `path`, or has no torch."""
        if path is None:
            self.make_python(self.top / "bare", self.top / "nothing")
            path = self.top / "bare"
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("Torch_DIR", "Torch_ROOT", "CMAKE_PREFIX_PATH", "PYTHONPATH")}
        environment.update(variables, PATH=f"{path}:{os.environ['PATH']}")
        done = subprocess.run(["cmake", "-G", "Ninja", "-S", self.top, "-B", self.top / "tree", *arguments], env=environment,
                              capture_output=True, text=True, check=False)
        return " ".join((done.stdout + done.stderr).split())

    def on_path(self, version):
        """A folder for PATH whose python3 has this torch."""
        site = self.top / f"site-{version}"
        make_torch(site, version)
        self.make_python(self.top / f"bin-{version}", site)
        return self.top / f"bin-{version}"

    def test_takes_what_is_on_path_before_what_was_fetched(self):
        said = self.configure(path=self.on_path("2.14.0+cpu"))
        self.assertIn("LibTorch 2.14.0+cpu (git 0123456789ab) at", said)
        self.assertIn("by the python3 on PATH", said)
        self.assertFalse((self.top / "fetches.txt").exists())

    def test_takes_what_is_named_before_what_is_on_path(self):
        named = make_torch(self.top / "named", "2.12.0")
        path = self.on_path("2.14.0+cpu")
        for argument in (f"-DTorch_DIR={named}/share/cmake/Torch", f"-DTorch_ROOT={named}", f"-DCMAKE_PREFIX_PATH=/other;{named}",
                         f"-DCMAKE_PREFIX_PATH={named}/share/cmake"):
            shutil.rmtree(self.top / "tree", ignore_errors=True)
            self.assertIn(f"LibTorch 2.12.0 (git 0123456789ab) at {named}, by {argument[2:].split('=')[0]}",
                          self.configure(argument, path=path))

    def test_takes_the_torch_of_a_python_environment_that_is_named(self):
        named = make_torch(self.top / "venv/lib/python3.11/site-packages", "2.12.0")
        for name in ("CMAKE_PREFIX_PATH", "Torch_ROOT"):
            shutil.rmtree(self.top / "tree", ignore_errors=True)
            self.assertIn(f"LibTorch 2.12.0 (git 0123456789ab) at {named}, by {name}", self.configure(f"-D{name}={self.top}/venv"))

    def test_chooses_anew_each_time(self):
        self.assertIn("LibTorch 2.14.0", self.configure(path=self.on_path("2.14.0")))
        self.assertIn("LibTorch 2.15.0", self.configure(path=self.on_path("2.15.0")))
        self.assertIn("LibTorch 2.13.0+cpu", self.configure())
        self.assertIn("LibTorch 2.15.0", self.configure(path=self.top / "bin-2.15.0"))

    def test_fetches_what_is_pinned_where_nothing_else_is_there(self):
        said = self.configure()
        self.assertIn("LibTorch 2.13.0+cpu (git 0123456789ab) at", said)
        self.assertIn("by the pin", said)
        self.assertIn(f"python [{sys.executable}]", said)

    def test_passes_over_a_torch_on_path_that_is_too_old(self):
        said = self.configure(path=self.on_path("2.5.1"))
        self.assertIn("LibTorch 2.5.1 of the python3 on PATH is older than 2.11: passed over", said)
        self.assertIn("LibTorch 2.13.0+cpu", said)

    def test_passes_over_one_for_gpus_where_there_is_no_toolkit(self):
        path = self.on_path("2.14.0+cu130")
        (self.top / "site-2.14.0+cu130/torch/lib").mkdir()
        (self.top / "site-2.14.0+cu130/torch/lib/libtorch_cuda.so").touch()
        said = self.configure(path=path)
        if shutil.which("nvcc") or pathlib.Path("/usr/local/cuda/bin/nvcc").exists():
            self.assertIn("LibTorch 2.14.0+cu130", said)
        else:
            self.assertIn("is for GPUs, and there is no CUDA toolkit: passed over", said)
            self.assertIn("LibTorch 2.13.0+cpu", said)

    def test_takes_what_a_link_leads_to(self):
        named = make_torch(self.top / "named", "2.14.0")
        (self.top / "link").symlink_to(named)
        self.assertIn(f"at {named}, by Torch_ROOT", self.configure(f"-DTorch_ROOT={self.top}/link"))

    def test_refuses_a_named_one_that_is_too_old_or_none(self):
        old = make_torch(self.top / "old", "2.5.1")
        self.assertIn("is older than 2.11: name another", self.configure(f"-DTorch_ROOT={old}"))
        shutil.rmtree(self.top / "tree")
        self.assertIn("has no TorchConfig.cmake", self.configure("-DTorch_DIR=/nowhere"))
        shutil.rmtree(self.top / "tree")
        self.assertIn("has no torch with CMake files", self.configure(f"-DPERFGATE_PYTHON={self.top}/bare/python3"))

    def test_finds_the_python_that_has_a_named_torch(self):
        path = self.on_path("2.14.0")
        self.assertIn(f"python [{sys.executable}]",
                      self.configure(f"-DTorch_ROOT={self.top}/site-2.14.0/torch", path=path))

    def test_warns_where_no_python_has_a_named_torch(self):
        named = make_torch(self.top / "named", "2.14.0")
        said = self.configure(f"-DTorch_ROOT={named}")
        self.assertIn("python []", said)
        self.assertIn("with -DPERFGATE_PYTHON=...", said)


class Fetching(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.top = pathlib.Path(scratch.name)
        for name in ("fetch_libtorch.sh", "libtorch-cpu.txt", "libtorch-cuda.txt"):
            shutil.copy(PROJECT / "cmake" / name, self.top)
        bin_folder = self.top / "bin"
        bin_folder.mkdir()
        # Makes itself an environment's Python, and says what pip is asked for.
        python = bin_folder / "python3"
        python.write_text(f"""#!/bin/sh
case "$*" in
  "-m venv --clear "*) rm -rf "$4"; mkdir -p "$4/bin" && cp "$0" "$4/bin/python3" ;;
  *" pip "*) echo "$*" >>{self.top}/pip.txt; exit ${{PIP_FAILS:-0}} ;;
  *platform*) echo x86_64 ;;
  *) echo "fetched LibTorch" ;;
esac
""")
        python.chmod(0o755)

    def fetch(self, *arguments, **variables):
        log = self.top / "pip.txt"
        log.unlink(missing_ok=True)
        self.code = subprocess.run([self.top / "fetch_libtorch.sh", self.top / "venv", *arguments], check=False, capture_output=True,
                                   env={**os.environ, **variables, "PATH": f"{self.top / 'bin'}:/usr/bin:/bin"}).returncode
        return log.read_text() if log.exists() else ""

    def pin(self, line):
        pin = self.top / "libtorch-cpu.txt"
        pin.write_text(line)

    def test_takes_what_is_pinned_by_its_hash_and_once(self):
        self.assertIn("--require-hashes", self.fetch())
        self.assertEqual(self.fetch(), "")

    def test_fetches_anew_where_the_pin_has_changed(self):
        self.fetch()
        self.pin("torch==2.12.1+cpu\n")
        asked = self.fetch()
        self.assertIn("torch==2.12.1+cpu", asked)
        self.assertNotIn("--require-hashes", asked)
        self.assertEqual(self.fetch(), "")

    def test_tries_again_what_failed(self):
        self.fetch(PIP_FAILS="1")
        self.assertNotEqual(self.code, 0)
        self.assertIn("--require-hashes", self.fetch())
        self.assertEqual(self.code, 0)

    def test_fetches_a_version_that_is_asked_for(self):
        self.assertIn("torch==2.12.0+cpu", self.fetch("2.12.0"))

    def test_refuses_a_pin_without_a_torch(self):
        self.pin("numpy==2.4.6\n")
        self.fetch()
        self.assertNotEqual(self.code, 0)


if __name__ == "__main__":
    unittest.main()
