"""What processes that export at once must not do at once. Each lock is a file, so that it ends with its holder.

timing: only one process uses the GPU for a time that counts, or fills its memory.
quiet:  what is judged by the processor's time that it takes runs alone; beside a build an export took 23 s of it
        instead of 20.
"""

import contextlib
import fcntl
import os
import pathlib


class ExportLocks:
    """Of all processes that name the same folder. For one thread of each."""

    def __init__(self, folder):
        self._folder = pathlib.Path(folder)
        self._is_timing = False

    @contextlib.contextmanager
    def timing(self):
        """May be asked for by who has it already: Inductor times two ways to write a reduction, each of which chooses
        among its own configurations when it first runs."""
        if self._is_timing:
            yield
            return
        with self._held("timing.lock", fcntl.LOCK_EX):
            self._is_timing = True
            try:
                yield
            finally:
                self._is_timing = False

    def beside_others(self):
        return self._held("quiet.lock", fcntl.LOCK_SH)

    def quiet(self):
        return self._held("quiet.lock", fcntl.LOCK_EX)

    @contextlib.contextmanager
    def _held(self, name, how):
        file = os.open(self._folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, how)
            yield
        finally:
            os.close(file)


def _opened(path):
    """For writing where that may be: NFS locks nothing else. Of somebody else's file in /tmp see FileLock in core/files.cpp."""
    for access in (os.O_RDWR | os.O_CREAT, os.O_RDWR, os.O_RDONLY | os.O_CREAT):
        with contextlib.suppress(PermissionError):
            return os.open(path, access | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)


def keep_gates_off(path, say):
    """Waits until no gate measures on the device, says so while it does, and keeps them out as long as this process, or one that it passes the
    returned file to, has that open."""
    lock = _opened(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say(f"waiting for another run on this device to end ({path})")
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock
