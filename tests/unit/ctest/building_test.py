#!/usr/bin/env python3
"""What the scripts do about what a machine lacks, on one where each tool only notes how it was called: nothing is installed."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHELL_TOOLS = ("bash", "sed", "env", "cat", "mkdir", "tr", "head", "tail", "grep", "dirname", "sh", "true", "false")
# Says in its file what it would not find, which is a list that the test sets.
CMAKE = """#!/bin/sh
echo "cmake $*" >>"$CALLS"
for argument in "$@"; do
  case $argument in -DPERFGATE_LIST_MISSING=*) printf '%s' "$NOT_FOUND" >"${argument#*=}" ;; esac
done
"""
APT = """#!/bin/sh
echo "apt-get $*" >>"$CALLS"
[ -z "$APT_FAILS" ] || { echo "E: Unable to fetch some archives" >&2; exit 100; }
for package in "$@"; do
  case $package in ninja-build) printf '#!/bin/sh\\n' >"$STUBS/ninja"; chmod +x "$STUBS/ninja" ;; esac
done
"""
# As one that asks for a password: only -n ends at once.
SUDO = """#!/bin/sh
echo "sudo $*" >>"$CALLS"
[ "$1" = -n ] || sleep 60
exit 1
"""


class Building(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.stubs = self.folder / "stubs"
        self.stubs.mkdir()
        (self.folder / "calls").touch()
        for tool in SHELL_TOOLS:
            (self.stubs / tool).symlink_to(shutil.which(tool))
        for tool in ("g++", "c++", "ninja", "python3", "ccache", "git"):
            self.stub(tool, "#!/bin/sh\n")
        self.stub("id", "#!/bin/sh\necho ${USER_ID:-0}\n")
        self.stub("cmake", CMAKE)
        self.stub("apt-get", APT)
        # Of this machine nothing is to be seen in /usr.
        text = (ROOT / "ctest/building.sh").read_text()
        self.assertIn('"/usr/include/', text)
        (self.folder / "building.sh").write_text(text.replace('"/usr/', f'"{self.folder}/usr/'))

    def stub(self, name, text):
        path = self.stubs / name
        path.write_text(text)
        path.chmod(0o755)

    def without(self, *tools):
        for tool in tools:
            (self.stubs / tool).unlink()

    def install(self, **environment):
        script = ". ./building.sh run.sh; install_missing; echo went on"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", f"preset=dev; {script}"], cwd=self.folder, capture_output=True, text=True, timeout=50,
            env={"PATH": str(self.stubs), "CALLS": str(self.folder / "calls"), "STUBS": str(self.stubs), "NOT_FOUND": "",
                 **environment})
        self.said = done.stdout + done.stderr
        if done.returncode == 0:
            self.assertIn("went on", self.said)
        return done.returncode

    def calls(self, tool):
        return [line for line in (self.folder / "calls").read_text().splitlines() if line.startswith(tool)]

    def test_asks_apt_for_nothing_where_cmake_finds_all(self):
        self.assertEqual(self.install(), 0)
        self.assertEqual(self.calls("apt-get"), [])

    def test_asks_apt_for_what_cmake_does_not_find(self):
        self.install(NOT_FOUND="libfmt-dev\n")
        installed = [line for line in self.calls("apt-get") if " install " in line]
        self.assertTrue(all(line.endswith("--no-install-recommends libfmt-dev") for line in installed), installed)
        self.assertTrue(installed)

    def test_asks_cmake_for_nothing_that_lies_where_debian_has_it(self):
        for header in ("gmock/gmock.h", "nlohmann/json.hpp", "CLI/CLI.hpp", "fmt/format.h", "pugixml.hpp", "boost/math/distributions/students_t.hpp"):
            path = self.folder / "usr/include" / header
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        self.assertEqual(self.install(), 0)
        self.assertEqual(self.calls("cmake"), [])

    def test_tells_cmake_of_carried_sources_and_of_what_was_named_before(self):
        (self.folder / "build/dev").mkdir(parents=True)
        (self.folder / "build/dev/CMakeCache.txt").write_text("fmt_DIR:PATH=/a/fmt\nCMAKE_HOME_DIRECTORY:INTERNAL=/b\n")
        self.install(FETCHCONTENT_SOURCE_DIR_PUGIXML="/carried/pugixml")
        self.assertIn("-DFETCHCONTENT_SOURCE_DIR_PUGIXML=/carried/pugixml -Dfmt_DIR:PATH=/a/fmt", self.calls("cmake")[0])
        self.assertNotIn("CMAKE_HOME", self.calls("cmake")[0])

    def test_goes_on_without_ccache(self):
        self.without("ccache")
        self.assertEqual(self.install(APT_FAILS="1"), 0)
        self.assertIn("goes on without ccache (E: Unable to fetch some archives)".replace("E: ", ""), self.said)

    def test_asks_for_extras_before_the_first_build_only(self):
        self.without("ccache")
        (self.folder / "build/dev").mkdir(parents=True)
        (self.folder / "build/dev/build.ninja").touch()
        self.assertEqual(self.install(), 0)
        self.assertEqual(self.calls("apt-get"), [])

    def test_leaves_to_cmake_what_it_fetches(self):
        self.assertEqual(self.install(APT_FAILS="1", NOT_FOUND="libfmt-dev\n"), 0)
        self.assertIn("missing, by the names of Debian: libfmt-dev (Unable to fetch", self.said)
        self.assertIn("CMAKE_PREFIX_PATH", self.said)

    def test_ends_in_2_where_nothing_goes_without(self):
        self.assertEqual(self.install(APT_FAILS="1", NOT_FOUND="libboost-math-dev\n"), 2)
        self.assertIn("sudo apt-get install libboost-math-dev", self.said)
        self.without("ninja")
        self.assertEqual(self.install(APT_FAILS="1"), 2)
        self.assertIn("ninja-build", self.said)

    def test_goes_on_with_what_apt_has_brought(self):
        self.without("ninja")
        self.assertEqual(self.install(), 0)

    def test_never_waits_for_a_password(self):
        self.stub("sudo", SUDO)
        self.without("ccache")
        self.assertEqual(self.install(USER_ID="1000"), 0)
        self.assertIn("goes on without ccache (sudo asks for a password)", self.said)
        self.assertEqual(self.install(USER_ID="1000", NOT_FOUND="libboost-math-dev\n"), 2)

    def test_says_who_could_install_where_nobody_can(self):
        self.without("ninja")
        self.assertEqual(self.install(USER_ID="1000"), 2)
        self.assertIn("there is no sudo", self.said)
        self.without("apt-get")
        self.assertEqual(self.install(), 2)
        self.assertIn("there is no apt-get here", self.said)


if __name__ == "__main__":
    unittest.main()
