#!/usr/bin/env python3
"""What run.sh ends with while it learns a baseline of this machine alone, with a perfgate and a ctest that only say so."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Both perfgate and ctest. The world has what becomes of each case, and the sessions that the baseline has of it. As perfgate
# does, a recording refuses what fails, and a gate that has nothing to judge writes no results.
FAKE = f"#!{sys.executable} -IS\n" + r'''
import json, os, pathlib, re, sys
path = pathlib.Path(os.environ["WORLD"])
world = json.loads(path.read_text())
options = {name: value for name, _, value in (argument.partition("=") for argument in sys.argv[1:])}
family = options.get("--family", "")
case = os.environ.get("PERFGATE_CASE", "")

def asked(what):
    return "--" + what in options or os.environ.get("PERFGATE_" + what.upper()) == "true"

def selected(family):
    keys = [key for key in world["cases"] if key.startswith(family + "/" if family else "") and case in ("", key)]
    sessions = world["sessions"]
    if asked("missing"):
        return [key for key in keys if key not in sessions]
    if asked("learning"):
        return [key for key in keys if 0 < sessions.get(key, 0) < 3]
    return [key for key in keys if key in sessions] if asked("recorded") else keys

def say(what):
    with open(path.with_name("calls"), "a") as calls:
        calls.write(what + "\n")

def run(keys, results):
    refresh = os.environ.get("PERFGATE_REFRESH") == "true"
    say(("device_id " + os.environ.get("PERFGATE_DEVICE_ID", "its own")))
    say(("record " if refresh else "gate ") + " ".join(keys))
    code, verdicts = 0, []
    for key in keys:
        fate = world["cases"][key]
        if fate == "good":
            verdicts.append("PASS")
            world["sessions"][key] = world["sessions"].get(key, 0) + refresh
        elif fate.isdigit():
            code = int(fate)
        else:
            verdicts.append(fate)
            failed = 3 if refresh or fate in ("MACHINE_INVALID", "NO_BASELINE") else 1
            code = failed if code != 1 else code
    path.write_text(json.dumps(world))
    if keys:
        (results / "code").write_text(str(code))
        (results / "run.json").write_text(json.dumps([{"verdict": verdict} for verdict in verdicts]))

families = sorted({key.split("/")[0] for key in world["cases"]})
if pathlib.Path(sys.argv[0]).name == "ctest":
    if "-N" in sys.argv:
        for number, name in enumerate(families):
            print(f"  Test #{number}: perf.{name}")
        sys.exit(0)
    wanted = sys.argv[sys.argv.index("-R") + 1] if "-R" in sys.argv else ""
    keys = [key for name in families if re.search(wanted, f"perf.{name}") for key in selected(name)]
    run(keys, pathlib.Path(os.environ["PERFGATE_RESULTS"]))
elif "--list_night" in options:
    if world.get("broken"):
        sys.exit(2)
    print("".join(key + "\n" for key in selected(family)), end="")
elif "--show_device" in options:
    print("device_id " + world.get("device_id", "3d1219c7c4c5404aaa1f6d2a48adfda4") + "\nbaseline (none)")
elif "--resource_spec" in options:
    sys.exit(2)
elif "--merge" in options:
    code = pathlib.Path(os.environ["PERFGATE_RESULTS"]) / "code"
    sys.exit(int(code.read_text()) if code.exists() else 2)
'''


class LocalBaseline(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tree = self.folder / "tree"
        (self.tree / "ctest").mkdir(parents=True)
        for script in ("building.sh", "local_baseline.sh", "run.sh"):
            shutil.copy(ROOT / "ctest" / script, self.tree / "ctest")
        (self.tree / "build/dev").mkdir(parents=True)
        (self.tree / "build/dev/build.ninja").touch()
        self.program("stubs/ctest", FAKE)
        self.program("tree/build/dev/bin/perfgate", FAKE)
        for tool in ("g++", "ccache", "git", "apt-get", "cmake", "sleep", "python3"):
            self.program(f"stubs/{tool}", "#!/bin/sh\n")
        self.program("stubs/ninja", "#!/bin/sh\necho no work to do\n")

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def world(self, sessions=None, **cases):
        """Each case, a__x for a/x, with what becomes of it: good, a verdict, or perfgate's exit code."""
        self.change({"cases": {key.replace("__", "/"): fate for key, fate in cases.items()}, "sessions": sessions or {}})

    def change(self, world):
        (self.folder / "world.json").write_text(json.dumps(world))

    def becomes(self, key, fate):
        world = json.loads((self.folder / "world.json").read_text())
        world["cases"][key] = fate
        self.change(world)

    def perf(self, *flags):
        (self.folder / "calls").write_text("")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PERFGATE_", "GTEST_"))}
        done = subprocess.run(
            [self.tree / "ctest/run.sh", "perf", *flags], capture_output=True, text=True,
            env={**clean, "PATH": f"{self.folder}/stubs:{os.environ['PATH']}", "WORLD": str(self.folder / "world.json")})
        self.said = done.stdout + done.stderr
        return done.returncode

    def calls(self):
        lines = (self.folder / "calls").read_text().splitlines()
        return [line for line in lines if not line.startswith("device_id ")]

    def device_ids(self):
        return {line.split(" ", 1)[1] for line in (self.folder / "calls").read_text().splitlines() if line.startswith("device_id ")}

    def test_ends_in_0_where_nothing_fails(self):
        self.world(a__x="good", b__x="good")
        self.assertEqual([self.perf() for _ in range(4)], [0] * 4)
        self.assertEqual(self.calls(), ["gate a/x b/x", "record b/x"])

    def test_fails_in_each_call_while_a_case_of_the_first_family_fails(self):
        for verdict in ("WRONG", "1"):
            self.world(a__bad=verdict, a__good="good", b__x="good")
            self.assertEqual([self.perf() for _ in range(3)], [1] * 3, verdict)
            self.assertIn("FAILED when they were to be recorded, in this call or before: cases of a;", self.said)
            self.assertIn("record a/bad", self.calls())
            shutil.rmtree(self.tree / "build/dev/local-baselines")

    def test_fails_in_each_call_while_a_case_of_a_later_family_fails(self):
        self.world(a__x="good", b__bad="WRONG", b__good="good", c__x="good")
        self.assertEqual([self.perf() for _ in range(4)], [0, 1, 1, 1])
        self.assertIn("cases of b;", self.said)
        self.assertIn('"c/x"', (self.folder / "world.json").read_text().split("sessions")[1])  # it goes on behind that

    def test_fails_where_all_that_was_recorded_first_fails(self):
        self.world(a__bad="ERROR", b__x="good")
        self.assertEqual([self.perf() for _ in range(3)], [1] * 3)
        self.assertIn("gate b/x", self.calls())

    def test_passes_again_once_what_failed_is_recorded(self):
        self.world(a__bad="WRONG", a__good="good", b__x="good")
        self.assertEqual([self.perf(), self.perf()], [1, 1])
        self.becomes("a/bad", "good")
        self.assertEqual([self.perf(), self.perf()], [0, 0])
        self.assertNotIn("FAILED", self.said)

    def test_asks_once_a_call_for_what_failed_where_no_family_is_left(self):
        self.world(a__bad="WRONG", a__good="good")
        for _ in range(2):
            self.assertEqual(self.perf(), 1)
        self.assertEqual(self.calls().count("record a/bad"), 1)

    def test_what_an_unfit_machine_says_nothing_of_stays_failed(self):
        self.world(a__bad="WRONG", a__good="good")
        self.perf()
        self.becomes("a/bad", "MACHINE_INVALID")
        self.assertEqual(self.perf(), 1)
        self.becomes("a/bad", "NO_BASELINE")  # measured, and refused for another reason
        self.assertEqual(self.perf(), 0)

    def test_tolerates_and_says_what_was_only_refused(self):
        self.world(a__x="good", a__disturbed="MACHINE_INVALID")
        self.assertEqual(self.perf(), 0)
        self.assertIn("some cases were not recorded, see above; a later call tries again", self.said)

    def test_ends_at_once_where_the_machine_fails(self):
        for code in ("2", "130"):
            self.world(a__x="good", b__x=code, c__x="good")
            self.assertEqual([self.perf(), self.perf()], [0, int(code)])
            self.assertEqual(self.calls()[-1], "record b/x")
            shutil.rmtree(self.tree / "build/dev/local-baselines")
            self.world(a__x=code, b__x="good")
            self.assertEqual(self.perf(), int(code))
            self.assertEqual(self.calls(), ["record a/x"])
            shutil.rmtree(self.tree / "build/dev/local-baselines")

    def test_ends_where_perfgate_cannot_say_what_is_recorded(self):
        self.change({"cases": {"a/x": "good"}, "sessions": {}, "broken": True})
        self.assertEqual(self.perf(), 2)

    def test_fails_in_each_call_for_a_case_that_is_selected(self):
        self.world(a__bad="WRONG", a__good="good", b__x="good")
        self.assertEqual([self.perf("--family=a"), self.perf("--family=a")], [1, 1])
        self.assertEqual([self.perf("--case=a/bad"), self.perf("--case=a/bad")], [1, 1])
        self.assertEqual([self.perf("--case=a/good"), self.perf("--family=b")], [0, 0])
        self.assertEqual(self.perf(), 1)

    def test_fails_where_a_session_more_goes_wrong(self):
        self.world(sessions={"a/x": 1, "a/y": 1}, a__x="good", a__y="1")
        self.becomes("a/y", "LOST")
        self.assertEqual(self.perf(), 1)

    def test_a_recording_reads_no_results_of_another_call(self):
        self.world(a__bad="WRONG", a__good="good")
        self.perf(f"--results={self.folder}/results")
        self.becomes("a/bad", "good")
        self.assertEqual(self.perf(f"--results={self.folder}/results"), 0)

    def test_names_a_machine_that_has_no_id_and_always_by_the_same_name(self):
        self.world(a__x="good")
        self.perf()
        self.assertEqual(self.device_ids(), {"its own"})
        world = json.loads((self.folder / "world.json").read_text())
        self.change({**world, "device_id": "b007-1d (of this boot alone: no id)"})
        self.perf()
        named = self.device_ids()
        self.assertRegex(" ".join(named), "^local-[0-9a-f]{16}$")
        self.perf()
        self.assertEqual(self.device_ids(), named)
        self.perf("--device_id=mine")
        self.assertEqual(self.device_ids(), {"mine"})

    def test_a_failed_family_that_is_gone_fails_nothing(self):
        self.world(a__bad="WRONG", b__x="good")
        self.perf()
        self.perf()
        self.world(sessions={"b/x": 1}, b__x="good")
        self.assertEqual(self.perf(), 0)


if __name__ == "__main__":
    unittest.main()
