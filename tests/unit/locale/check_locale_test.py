"""The check of what depends on the locale, on sources that do in each way, and on some that do not."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "cmake"))

import check_locale  # noqa: E402

ENDING = " depends on the locale"


def found_in(file):
    before = f"src/perfgate/core/{file}:"
    return [complaint[len(before):-len(ENDING)] for complaint in check_locale.complaints(HERE / "planted")
            if complaint.startswith(before)]


class Planted(unittest.TestCase):
    def test_functions_of_c_are_found(self):
        self.assertEqual(found_in("functions.cpp"), ["2: strtod", "3: stod", "4: isalpha", "5: printf"])

    def test_streams_are_found(self):
        self.assertEqual(found_in("streams.cpp"), [
            "3: ostringstream", "4: std::setprecision", "7: a number out of a stream"])

    def test_doubles_as_text_a_format_of_the_locale_and_locales_are_found(self):
        self.assertEqual(found_in("texts.cpp"), [
            "2: std::to_string of a double", "6: std::to_string of a double", "7: {fmt}'s L",
            "8: std::locale"])

    def test_comments_integers_shifts_and_lines_are_not(self):
        self.assertEqual(found_in("quiet.cpp"), [])


class Elsewhere(unittest.TestCase):
    def test_a_folder_without_sources_is_refused(self):
        with self.assertRaises(SystemExit):
            list(check_locale.complaints(HERE))


class ThisTree(unittest.TestCase):
    def test_depends_on_no_locale(self):
        self.assertEqual(list(check_locale.complaints(HERE.parents[2])), [])


if __name__ == "__main__":
    unittest.main()
