"""How long processors have worked for this process and for all that it started, also while they run on, as
Inductor's compiling processes do. Of Linux."""

import os
import pathlib

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def read_stat(path):
    """Parent and seconds of one process, its ended children's included; None where it has just ended."""
    try:
        fields = path.read_text(errors="replace").rpartition(")")[2].split()  # behind the name, which may be anything
    except OSError:
        return None
    return int(fields[1]), sum(map(int, fields[11:15])) / TICKS_A_SECOND


def seconds_so_far():
    found = {int(path.parent.name): read_stat(path) for path in pathlib.Path("/proc").glob("[0-9]*/stat")}
    processes = {pid: stat for pid, stat in found.items() if stat is not None}
    ours = {os.getpid()}
    while more := {pid for pid, (parent, _) in processes.items() if parent in ours} - ours:
        ours |= more
    return sum(processes[pid][1] for pid in ours)
