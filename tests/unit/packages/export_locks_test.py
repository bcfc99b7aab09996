"""Who waits for whom among exporting processes."""

import fcntl
import os
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "src/perfgate/packages"))

import export_locks  # noqa: E402


class Locks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.locks = export_locks.ExportLocks(folder.name)

    def is_free(self, name, how):
        """For another process: a lock belongs to who opened the file."""
        with open(self.folder / name, "a") as file:
            try:
                fcntl.flock(file, how | fcntl.LOCK_NB)
                return True
            except BlockingIOError:
                return False

    def test_timing_excludes_others_until_it_ends(self):
        with self.locks.timing():
            self.assertFalse(self.is_free("timing.lock", fcntl.LOCK_EX))
        self.assertTrue(self.is_free("timing.lock", fcntl.LOCK_EX))

    def test_timing_ends_where_it_raises(self):
        with self.assertRaises(RuntimeError), self.locks.timing():
            raise RuntimeError
        self.assertTrue(self.is_free("timing.lock", fcntl.LOCK_EX))

    def test_timing_may_time_something_else_within(self):
        with self.locks.timing():
            with self.locks.timing():
                pass
            self.assertFalse(self.is_free("timing.lock", fcntl.LOCK_EX))
        self.assertTrue(self.is_free("timing.lock", fcntl.LOCK_EX))

    def test_several_export_beside_each_other_and_none_beside_what_is_quiet(self):
        with self.locks.beside_others():
            self.assertTrue(self.is_free("quiet.lock", fcntl.LOCK_SH))
            self.assertFalse(self.is_free("quiet.lock", fcntl.LOCK_EX))
        with self.locks.quiet():
            self.assertFalse(self.is_free("quiet.lock", fcntl.LOCK_SH))

    def test_keep_gates_off_while_the_file_is_open(self):
        held = export_locks.keep_gates_off(self.folder / "gate.lock", self.fail)
        self.assertFalse(self.is_free("gate.lock", fcntl.LOCK_EX))
        os.close(held)
        self.assertTrue(self.is_free("gate.lock", fcntl.LOCK_EX))


if __name__ == "__main__":
    unittest.main()
