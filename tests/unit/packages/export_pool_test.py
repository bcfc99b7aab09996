"""How packages are dealt out to processes; nothing is compiled."""

import pathlib
import sys
import tempfile
import threading
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "src/perfgate/packages"))

import export_pool  # noqa: E402

GIB = 1 << 30
WELL = {"processor_s": None, "error": None, "out_of_memory": False, "said": ""}


def task(name, timed=False):
    return {"request": {"name": name, "timed": timed}}


class FakeWorker:
    def __init__(self, test):
        self.test = test
        self.made = []
        test.workers.append(self)

    def make(self, task):
        name = task["request"]["name"]
        self.made.append(name)
        return self.test.outcome_of(name)

    def close(self):
        self.test.closed.append(self)

    kill = close


class Pool(unittest.TestCase):
    def setUp(self):
        self.workers = []
        self.closed = []
        self.outcomes = {}

    def outcome_of(self, name):
        outcomes = self.outcomes.get(name, [])
        return outcomes.pop(0) if outcomes else WELL

    def make_all(self, tasks, processes):
        pool = export_pool.Pool(processes, lambda timed: FakeWorker(self))
        return {made["request"]["name"]: outcome for made, outcome in pool.make_all(tasks)}

    def test_makes_every_package_in_the_processes_that_there_are(self):
        made = self.make_all([task(str(i)) for i in range(20)], 3)
        self.assertEqual(sorted(made), sorted(map(str, range(20))))
        self.assertLessEqual(len(self.workers), 3)
        self.assertCountEqual(self.closed, self.workers)

    def test_makes_several_at_once(self):
        both = threading.Barrier(2, timeout=20)  # neither ends before the other has begun
        with unittest.mock.patch.object(self, "outcome_of", lambda name: both.wait() and WELL or WELL):
            self.assertEqual(len(self.make_all([task("a"), task("b")], 2)), 2)

    def test_times_last_and_each_in_a_process_of_its_own(self):
        self.make_all([task("timed 1", True), task("a"), task("timed 2", True), task("b")], 1)
        self.assertEqual([worker.made for worker in self.workers], [["a", "b"], ["timed 1"], ["timed 2"]])

    def test_goes_on_in_another_process_where_one_dies(self):
        self.outcomes["a"] = [export_pool.dead("its process ended (-11)")]
        made = self.make_all([task("a"), task("b")], 1)
        self.assertEqual(made["a"]["error"], "its process ended (-11)")
        self.assertIsNone(made["b"]["error"])
        self.assertEqual([worker.made for worker in self.workers], [["a"], ["b"]])

    def test_makes_once_more_alone_what_found_no_memory_beside_others(self):
        none_left = {**WELL, "error": "out of memory", "out_of_memory": True}
        self.outcomes["a"] = [none_left]
        self.assertIsNone(self.make_all([task("a"), task("b")], 2)["a"]["error"])
        self.outcomes["a"] = [none_left, none_left]
        self.assertEqual(self.make_all([task("a"), task("b")], 2)["a"]["error"], "out of memory")
        self.outcomes["a"] = [none_left]
        self.assertEqual(self.make_all([task("a"), task("b")], 1)["a"]["error"], "out of memory")

    def test_says_so_where_no_process_can_be_started(self):
        def start(timed):
            raise OSError("no more processes")
        outcomes = [outcome for _, outcome in export_pool.Pool(1, start).make_all([task("a"), task("b")])]
        self.assertEqual([outcome["error"] for outcome in outcomes], ["no more processes"] * 2)

    def test_ends_its_processes_where_it_is_interrupted(self):
        made = export_pool.Pool(1, lambda timed: FakeWorker(self)).make_all([task(str(i)) for i in range(1000)])
        next(made)
        made.close()
        self.assertIn(self.workers[0], self.closed)


class Processes(unittest.TestCase):
    def test_are_one_for_two_cores_but_two_on_two(self):
        for cores, processes in ((1, 1), (2, 2), (4, 2), (8, 4), (16, 8), (128, 8)):
            self.assertEqual(export_pool.processes_for(36, cores, 512 * GIB), processes, cores)

    def test_are_no_more_than_packages_and_memory_for_them(self):
        self.assertEqual(export_pool.processes_for(3, 16, 512 * GIB), 3)
        self.assertEqual(export_pool.processes_for(36, 16, 9 * GIB), 2)
        self.assertEqual(export_pool.processes_for(36, 16, GIB), 1)

    def test_find_some_memory_here(self):
        self.assertGreater(export_pool.free_bytes_here(), 0)


class Worker(unittest.TestCase):
    """The process itself, with a script in place of what compiles."""

    def worker(self, script):
        run = unittest.mock.patch.object(export_pool.sys, "executable", "/bin/sh")
        folder = unittest.mock.patch.object(export_pool, "HERE", pathlib.Path(script).parent)
        with run, folder:
            worker = export_pool.Worker([], {})
        self.addCleanup(worker.kill)
        self.addCleanup(worker._process.stdout.close)
        self.addCleanup(worker._process.stdin.close)
        return worker

    def script(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "export_worker.py"
        path.write_text(text)
        return path

    def test_answers_one_line_a_package(self):
        worker = self.worker(self.script('while read -r task; do echo "{\\"error\\": null}"; done'))
        self.assertEqual(worker.make(task("a")), {"error": None})
        self.assertEqual(worker.make(task("b")), {"error": None})
        worker.close()

    def test_is_dead_where_it_ends_without_an_answer(self):
        outcome = self.worker(self.script("read -r task; kill -9 $$")).make(task("a"))
        self.assertTrue(outcome["dead"])
        self.assertEqual(outcome["error"], "its process ended (-9)")


if __name__ == "__main__":
    unittest.main()
