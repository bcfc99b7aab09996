#!/usr/bin/env python3
"""What record_sessions.py starts, and in what order, by a perfgate that only notes how it was called."""

import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "ctest/record_sessions.py"
FAKE = """#!/bin/sh
if [ "$1" = --resource_spec ]; then
  [ -n "$GPUS" ] || exit 2
  echo '{"version": {"major": 1, "minor": 0}, "local": [{"gpus": ['"$GPUS"']}]}'
  exit 0
fi
echo "${CTEST_RESOURCE_GROUP_0_GPUS:-cpu} $GTEST_SHARD_INDEX/$GTEST_TOTAL_SHARDS $*" >> "$CALLS"
exit "$CODE"
"""
TWO_GPUS = '{"id": "gpu_a", "slots": 1}, {"id": "gpu_b", "slots": 1}'


class RecordSessions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.perfgate = self.folder / "perfgate"
        self.perfgate.write_text(FAKE)
        self.perfgate.chmod(0o755)
        (self.folder / "calls").touch()

    def record(self, *arguments, gpus=TWO_GPUS, code=0):
        environment = {**os.environ, "GPUS": gpus, "CODE": str(code), "CALLS": str(self.folder / "calls")}
        return subprocess.run([sys.executable, SCRIPT, self.perfgate, self.folder / "state", *arguments],
                              env=environment, capture_output=True, text=True)

    def calls(self):
        """(device, shard) of every run so far, in order."""
        lines = (self.folder / "calls").read_text().splitlines()
        return [tuple(line.split()[:2]) for line in lines]

    def test_measures_every_shard_so_often_and_always_on_the_same_gpu(self):
        self.assertEqual(self.record("--sessions=3", "--shards=2").returncode, 0)
        self.assertEqual(collections.Counter(self.calls()), {
            ("id:gpu_a,slots:1", "0/4"): 3, ("id:gpu_b,slots:1", "1/4"): 3,
            ("id:gpu_a,slots:1", "2/4"): 3, ("id:gpu_b,slots:1", "3/4"): 3})

    def test_lets_a_gpus_sessions_lie_apart(self):
        self.record("--sessions=2", "--shards=2")
        shards = [shard for gpu, shard in self.calls() if "gpu_a" in gpu]
        self.assertEqual(shards, ["0/4", "2/4", "0/4", "2/4"])

    def test_refreshes_with_the_flags_that_are_perfgates(self):
        self.record("--sessions=1", "--shards=1", "--family=sparse", "--reason=for a test")
        for line in (self.folder / "calls").read_text().splitlines():
            self.assertTrue(line.endswith(f"--refresh --results={self.folder}/state/results --family=sparse --reason=for a test"))

    def test_records_on_a_cpu_without_resources(self):
        self.assertEqual(self.record("--sessions=1", "--shards=2", gpus="").returncode, 0)
        self.assertEqual(self.calls(), [("cpu", "0/2"), ("cpu", "1/2")])

    def test_begins_nothing_after_its_time_and_goes_on_when_it_is_called_again(self):
        ended = self.record("--sessions=1", "--shards=1", "--seconds=0")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("2 left: call again", ended.stdout)
        self.assertEqual(self.calls(), [])
        for _ in range(2):  # the second finds nothing to do
            self.assertEqual(self.record("--sessions=1", "--shards=1").returncode, 0)
            self.assertEqual(len(self.calls()), 2)

    def test_passes_on_that_cases_were_refused_and_does_not_repeat_them(self):
        self.assertEqual(self.record("--sessions=1", "--shards=1", code=3).returncode, 3)
        self.record("--sessions=1", "--shards=1")
        self.assertEqual(len(self.calls()), 2)

    def test_ends_at_a_usage_error_and_counts_nothing_as_done(self):
        ended = self.record("--sessions=2", "--shards=1", code=2, gpus="")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("2 left", ended.stdout)
        self.assertEqual(len(self.calls()), 1)

    def test_takes_shards_without_a_case_for_done(self):
        self.assertEqual(self.record("--sessions=1", "--shards=1", code=77).returncode, 0)

    def test_does_not_mix_campaigns_in_one_folder(self):
        self.record("--sessions=1", "--shards=1")
        other = self.record("--sessions=1", "--shards=1", "--family=ops")
        self.assertEqual(other.returncode, 1)
        self.assertIn("is of other GPUs, shards or flags", other.stderr)
        self.assertEqual(len(self.calls()), 2)


if __name__ == "__main__":
    unittest.main()
