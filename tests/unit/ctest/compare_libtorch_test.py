#!/usr/bin/env python3
"""What compare_libtorch.sh builds and runs, in a copy of the scripts whose cmake and perfgate only note how they were called."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
# --build FOLDER --target perfgate makes a perfgate there.
CMAKE = """#!/bin/sh
echo "cmake $* case=$PERFGATE_CASE prefix=$CMAKE_PREFIX_PATH" >> "$CALLS"
if [ "$1" = --build ] && [ "$4" = perfgate ]; then
  mkdir -p "$2/bin"
  cp "$STUBS/perfgate" "$2/bin/perfgate"
fi
"""
PERFGATE = """#!/bin/sh
echo "$0 $*" >> "$CALLS"
case "$*" in
  *--refesh*) exit 2 ;;
  *--list_cases*) ;;
  *--against*) exit 1 ;;
esac
"""
FETCH = """#!/bin/sh
echo "fetch $*" >> "$CALLS"
[ "$2" != 9.9.9 ] || exit 1
mkdir -p "$1/bin"
printf '#!/bin/sh\\n' > "$1/bin/python3"
chmod +x "$1/bin/python3"
"""


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


class CompareLibtorch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tree = self.folder / "tree"
        (self.tree / "ctest").mkdir(parents=True)
        for script in ("building.sh", "compare_libtorch.sh"):
            shutil.copy(ROOT / "ctest" / script, self.tree / "ctest")
        program(self.tree / "cmake/fetch_libtorch.sh", FETCH)
        program(self.folder / "stubs/cmake", CMAKE)
        program(self.folder / "stubs/perfgate", PERFGATE)
        # Nothing is missing, and apt must not be asked.
        for tool in ("g++", "ninja", "ccache", "git", "apt-get"):
            program(self.folder / "stubs" / tool, "#!/bin/sh\n")
        (self.folder / "calls").touch()
        self.libtorch = self.folder / "elsewhere/libtorch"
        (self.libtorch / "share/cmake/Torch").mkdir(parents=True)
        (self.libtorch / "share/cmake/Torch/TorchConfig.cmake").touch()
        self.python = self.folder / "env"
        program(self.python / "bin/python3", "#!/bin/sh\n")

    def compare(self, *arguments, **environment):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PERFGATE_")}
        return subprocess.run(
            [self.tree / "ctest/compare_libtorch.sh", *arguments], cwd=self.folder, capture_output=True, text=True,
            env={**clean, "PATH": f"{self.folder}/stubs:{os.environ['PATH']}", "CALLS": str(self.folder / "calls"),
                 "STUBS": str(self.folder / "stubs"), **environment})

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def test_compares_the_build_of_the_new_with_that_of_the_old_and_ends_as_perfgate_does(self):
        done = self.compare("2.12.1", "2.13.0", "--case=ops/mm/*")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.calls()[-1], f"{self.tree}/build/compare/2.13.0/bin/perfgate --against=build/compare/2.12.1 --case=ops/mm/*")

    def test_fetches_each_version_into_its_own_build_once(self):
        self.compare("2.12.1", "2.13.0")
        self.compare("2.12.1", "2.13.0")
        self.assertEqual([line for line in self.calls() if line.startswith("fetch")],
                         [f"fetch {self.tree}/build/compare/{version}/libtorch {version}" for version in ("2.13.0", "2.12.1")])
        for version in ("2.12.1", "2.13.0"):
            self.assertTrue(any(f"-B build/compare/{version} -DPERFGATE_PYTHON={self.tree}/build/compare/{version}/libtorch/bin/python3"
                                in line for line in self.calls()), version)

    def test_takes_a_libtorch_a_python_environment_and_a_wheel(self):
        (self.folder / "torch-2.14.0.whl").touch()
        self.compare("elsewhere/libtorch", "env")
        self.compare("env", "torch-2.14.0.whl")
        configured = [line for line in self.calls() if "--preset dev" in line]
        self.assertTrue(any(f"-DCMAKE_PREFIX_PATH={self.libtorch}/share/cmake" in line for line in configured))
        self.assertTrue(any(f"-DPERFGATE_PYTHON={self.python}/bin/python3" in line for line in configured))
        self.assertTrue(any(line.startswith("fetch") and line.endswith(f" {self.folder}/torch-2.14.0.whl") for line in self.calls()))

    def test_folders_of_one_name_have_builds_of_their_own(self):
        other = self.folder / "other/libtorch"
        shutil.copytree(self.libtorch, other)
        self.compare(self.libtorch, other)
        builds = {line.split(" -B ")[1].split()[0] for line in self.calls() if " -B " in line}
        self.assertEqual(len(builds), 2)

    def test_makes_packages_of_what_is_selected_in_both_builds(self):
        self.compare("2.12.1", "2.13.0", "--case=gpt_fast/*")
        packages = [line for line in self.calls() if "--target packages" in line]
        self.assertEqual(len(packages), 2)
        self.assertTrue(all("case=gpt_fast/*" in line for line in packages))

    def test_takes_neither_a_selection_nor_a_libtorch_from_the_environment(self):
        done = self.compare("2.12.1", "2.13.0", PERFGATE_CASE="ops/*", CMAKE_PREFIX_PATH="/a/libtorch", PERFGATE_PACKAGES="/a")
        self.assertIn("PERFGATE_CASE=ops/* of the environment is not used", done.stderr)
        for line in self.calls():
            self.assertNotIn("case=ops", line)
            self.assertNotIn("prefix=/a", line)
        self.assertTrue(any("--target packages" in line for line in self.calls()))

    def test_builds_nothing_for_what_it_cannot_use(self):
        (self.folder / "notes.txt").touch()
        for arguments in ((), ("2.13.0",), ("2.13.0", "2.13.0"), ("nowhere", "2.13.0"), ("notes.txt", "2.13.0"), ("stubs", "2.13.0"),
                          ("2.12.1", "2.13.0", "ops"), ("2.12.1", "2.13.0", "--against=x"), ("2.12.1", "2.13.0", "--packages=x")):
            self.assertEqual(self.compare(*arguments).returncode, 2, arguments)
        self.assertEqual(self.calls(), [])

    def test_refuses_a_misspelt_flag_before_it_builds_the_second(self):
        self.assertEqual(self.compare("2.12.1", "2.13.0", "--refesh").returncode, 2)
        self.assertFalse(any("2.12.1" in line for line in self.calls()))

    def test_says_what_could_not_be_fetched(self):
        done = self.compare("2.12.1", "9.9.9")
        self.assertEqual(done.returncode, 2)
        self.assertIn("LibTorch 9.9.9 could not be fetched", done.stderr)


if __name__ == "__main__":
    unittest.main()
