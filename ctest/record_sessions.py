#!/usr/bin/env python3
"""Records several sessions on every GPU of this machine, each case on the same GPU every time.

A GPU's reference rests on three sessions on it, taken at different times. The cases are dealt out in shards, so
many a GPU; a GPU records all of its shards once, then once more, and so on. What is done is noted in STATE:
ended by --seconds or Ctrl-C, it goes on there when it is called again on the same GPUs.

Exits 0 when everything is recorded, 1 when shards are left, else with the first of perfgate's own codes
that was not 0 (a shard that refused cases counts as done: --refresh with a --reason takes them).
"""

import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys
import threading
import time


USAGE_ERROR = 2
NOTHING_TO_RUN = 77  # more shards than cases
INTERRUPTED = 128  # and more


def gpus_of(perfgate):
    """Ids by which CTest would hand out this machine's GPUs; one None where perfgate measures the CPU."""
    listed = subprocess.run([perfgate, "--resource_spec"], capture_output=True, text=True)
    if listed.returncode != 0:
        return [None]
    return [gpu["id"] for gpu in json.loads(listed.stdout)["local"][0]["gpus"]]


class Recorder:
    """All that the threads, one a GPU, share."""

    def __init__(self, arguments, flags):
        self.arguments = arguments
        self.flags = flags
        self.gpus = gpus_of(arguments.perfgate)
        self.shards = arguments.shards * len(self.gpus)
        self.ends = time.monotonic() + arguments.seconds
        self.codes = []
        self.left = 0
        self.interrupted = False
        self.lock = threading.Lock()

    def check_state(self):
        """That STATE is of these GPUs, shards and flags, or of nothing yet."""
        mine = {"gpus": self.gpus, "shards": self.shards, "flags": self.flags}
        note = self.arguments.state / "campaign.json"
        self.arguments.state.mkdir(parents=True, exist_ok=True)
        if not note.exists():
            note.write_text(json.dumps(mine, indent=1) + "\n")
        elif json.loads(note.read_text()) != mine:
            sys.exit(f"{note} is of other GPUs, shards or flags: name another folder")

    def log(self, shard):
        """What perfgate prints of a shard."""
        return self.arguments.state / f"shard{shard}.log"

    def run(self, place, shard):
        """One shard on one GPU; its exit code."""
        environment = {**os.environ, "GTEST_TOTAL_SHARDS": str(self.shards), "GTEST_SHARD_INDEX": str(shard),
                       "PERFGATE_SHARDED_BY": "record_sessions.py"}
        if self.gpus[place] is not None:
            environment.update(CTEST_RESOURCE_GROUP_COUNT="1", CTEST_RESOURCE_GROUP_0="gpus",
                               CTEST_RESOURCE_GROUP_0_GPUS=f"id:{self.gpus[place]},slots:1")
        command = [self.arguments.perfgate, "--refresh", f"--results={self.arguments.state / 'results'}", *self.flags]
        with open(self.log(shard), "a") as log:
            return subprocess.run(command, env=environment, stdout=log, stderr=subprocess.STDOUT).returncode

    def record(self, place):
        """What one GPU does."""
        longest = 0
        for session, number in itertools.product(range(self.arguments.sessions), range(self.arguments.shards)):
            shard = place + number * len(self.gpus)
            done = self.arguments.state / f"shard{shard}.session{session + 1}"
            if done.exists():
                continue
            began = time.monotonic()
            if self.interrupted or began + longest > self.ends:
                with self.lock:
                    self.left += 1
                continue
            code = self.run(place, shard)
            longest = max(longest, time.monotonic() - began)
            with self.lock:
                print(f"session {session + 1} of shard {shard} on {self.gpus[place] or 'the CPU'}: exit {code},"
                      f" {time.monotonic() - began:.0f} s" + ("" if code in (0, NOTHING_TO_RUN) else f", see {self.log(shard)}"),
                      flush=True)
                if code == USAGE_ERROR or code >= INTERRUPTED or code < 0:  # nothing, or not all of it
                    self.left += 1
                    self.interrupted = True
                else:
                    done.touch()
                self.codes.append(code)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     allow_abbrev=False,
                                     epilog="All other flags are perfgate's: --family, --case, --baselines, --reason ...")
    parser.add_argument("perfgate", type=pathlib.Path, help="the built binary")
    parser.add_argument("state", type=pathlib.Path, help="folder for what is done, results and logs")
    parser.add_argument("--sessions", type=int, default=3, help="of every case (3)")
    parser.add_argument("--shards", type=int, default=4, help="a GPU: an interruption costs one at most (4)")
    parser.add_argument("--seconds", type=float, default=float("inf"),
                        help="begin nothing that the longest shard so far would not end in time")
    recorder = Recorder(*parser.parse_known_args())
    recorder.check_state()
    threads = [threading.Thread(target=recorder.record, args=(place,)) for place in range(len(recorder.gpus))]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:  # perfgate has it too, and records what is whole
        recorder.interrupted = True
        for thread in threads:
            thread.join()
    if recorder.left:
        print(f"{recorder.left} left: call again with the same arguments", flush=True)
        return 1
    return next((code for code in recorder.codes if code not in (0, NOTHING_TO_RUN)), 0)


if __name__ == "__main__":
    sys.exit(main())
