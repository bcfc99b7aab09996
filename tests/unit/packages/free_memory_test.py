#!/usr/bin/env python3
"""That a container's limit counts, by hand-made files."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "src/perfgate/packages"))
import free_memory


class FreeMemory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.put("proc/meminfo", "MemAvailable: 10 kB\n")

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_is_the_machines_without_a_limit(self):
        self.assertEqual(free_memory.free_bytes(self.root), 10240)
        self.put("proc/self/cgroup", "0::/a\n")
        self.put("sys/fs/cgroup/a/memory.max", "max\n")
        self.assertEqual(free_memory.free_bytes(self.root), 10240)

    def test_is_what_is_left_of_the_tightest_limit_around(self):
        self.put("proc/self/cgroup", "0::/a/b\n")
        for name, limit, used in (("a/b", 9000, 8000), ("a", 8500, 8400)):
            self.put(f"sys/fs/cgroup/{name}/memory.max", f"{limit}\n")
            self.put(f"sys/fs/cgroup/{name}/memory.current", f"{used}\n")
            self.put(f"sys/fs/cgroup/{name}/memory.stat", "anon 5\ninactive_file 30\nactive_file 20\n")
        self.assertEqual(free_memory.free_bytes(self.root), 150)

    def test_knows_the_first_version_too(self):
        self.put("proc/self/cgroup", "5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n")
        self.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "4000\n")  # of the container, which sees itself as the top
        self.put("sys/fs/cgroup/memory/memory.usage_in_bytes", "3000\n")
        self.put("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 500\n")
        self.assertEqual(free_memory.free_bytes(self.root), 1500)


if __name__ == "__main__":
    unittest.main()
