"""Makes packages in several processes at once. Inductor needs a minute to start in each of them, and most of an export
waits for one compiler or another.

What is timed (how long a package takes to compile) comes last, each package in a new process that has made nothing
before: what it takes then depends neither on the number of processes nor on the other packages.
"""

import collections
import contextlib
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading

import free_memory

BYTES_A_PROCESS = 4 << 30  # of Python, LibTorch and the compilers that it starts
MOST_PROCESSES = 8         # behind which timing, one at a time, is what they wait for
SECONDS_TO_END = 10
HERE = pathlib.Path(__file__).resolve().parent


def processes_for(packages, cores, free_bytes):
    """How many make so many packages: a process keeps two cores busy."""
    return max(1, min(packages, MOST_PROCESSES, max(cores // 2, min(cores, 2)), free_bytes // BYTES_A_PROCESS))


def cores_here():
    return len(os.sched_getaffinity(0))


def free_bytes_here():
    """Memory that may be had, of Linux."""
    free = free_memory.free_bytes()
    return BYTES_A_PROCESS if free is None else free


class Worker:
    """A process that makes packages. `kept_open`: files that it is to hold open as well."""

    def __init__(self, arguments, environment, kept_open=()):
        self._process = subprocess.Popen([sys.executable, HERE / "export_worker.py", *map(str, arguments)], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         env={**os.environ, **environment}, pass_fds=kept_open)

    def make(self, task):
        """How it went, as export_worker.done says it, or "dead" where the process has ended without an answer."""
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps(task) + "\n")
            self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if answer.endswith("\n"):
            return json.loads(answer)
        return dead(f"its process ended ({self._process.wait()})")

    def close(self):
        """Ends it once it has made what it was asked for."""
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self):
        self._process.kill()
        self._process.wait()


def dead(why):
    return {"processor_s": None, "error": why, "out_of_memory": False, "said": "", "dead": True}


class Pool:
    """`start(timed)` gives a Worker, for packages whose time is taken or for others."""

    def __init__(self, processes, start):
        self._processes = processes
        self._start = start
        self._running = set()
        self._answers = queue.Queue()

    def make_all(self, tasks):
        """Gives (task, outcome) of each task as it is done. One that found no memory beside the others is made once
        more behind them, alone."""
        todo = collections.deque(sorted(tasks, key=lambda task: task["request"]["timed"]))
        again = collections.deque()
        at_once = min(self._processes, len(todo))
        try:
            for task, outcome in self._made(todo, at_once):
                if outcome["out_of_memory"] and at_once > 1:
                    again.append(task)
                else:
                    yield task, outcome
            yield from self._made(again, 1)
        finally:  # where somebody interrupts it there is more to do
            todo.clear()
            again.clear()
            for worker in list(self._running):
                worker.kill()

    def _made(self, todo, at_once):
        threads = [threading.Thread(target=self._work, args=(todo,), daemon=True) for _ in range(at_once)]
        for thread in threads:
            thread.start()
        working = len(threads)
        while working:
            answer = self._answers.get()
            if answer is None:
                working -= 1
            else:
                yield answer

    def _work(self, todo):
        worker = None
        try:
            while True:
                try:
                    task = todo.popleft()
                except IndexError:
                    return
                try:
                    if worker is None or task["request"]["timed"]:
                        self._end(worker)
                        worker = None
                        worker = self._start(task["request"]["timed"])
                        self._running.add(worker)
                    outcome = worker.make(task)
                except Exception as error:
                    outcome = dead(str(error))
                if outcome.get("dead") and worker is not None:
                    self._end(worker)
                    worker = None
                self._answers.put((task, outcome))
        finally:
            self._end(worker)
            self._answers.put(None)

    def _end(self, worker):
        if worker is not None:
            self._running.discard(worker)
            worker.close()
