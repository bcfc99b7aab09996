#!/usr/bin/env python3
"""Whether a project judges with an installed perfgate alone: installed_judge_test.py BUILD."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[3] / "tests/consumer/judge"
BUILD = sys.argv.pop()
# The packages of what only perfgate's own sources include.
OWN = ("fmt", "pugixml", "CLI11", "Boost")


class InstalledJudge(unittest.TestCase):
    def test_needs_no_package_of_what_no_header_shows(self):
        with tempfile.TemporaryDirectory() as folder:
            installed, tree = pathlib.Path(folder) / "installed", pathlib.Path(folder) / "tree"
            for command in (["cmake", "--install", BUILD, "--prefix", installed],
                            ["cmake", "-S", PROJECT, "-B", tree, f"-Dperfgate_DIR={installed}/lib/cmake/perfgate", "-DCMAKE_INSTALL_LIBDIR=lib",
                             *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in OWN)],
                            ["cmake", "--build", tree],
                            [tree / "judge_consumer"]):
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("reason: a reason", done.stdout)
            self.assertIn("<testsuites", done.stdout)


if __name__ == "__main__":
    unittest.main()
