"""The checks of the pages, on text that breaks each rule once, and on text that breaks none."""

import pathlib
import sys
import unittest
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "cmake"))

import check_pages  # noqa: E402
import check_quotes  # noqa: E402


def found_in(text):
    return [complaint for _, complaint in check_pages.complaints_of(text)[0]]


class Pages(unittest.TestCase):
    def test_plain_text_has_no_complaint(self):
        self.assertEqual(found_in("# A page\n\nA short sentence. `Of` is code.\n\n    Of code " + 40 * "x "
                                  + "\n\n| Of | a table | " + 200 * "x" + " |\n"), [])

    def test_a_long_sentence_is_found_and_named(self):
        complaints = found_in("Short one. " * 9 + "A " + "word " * 35 + "ends.\n")
        self.assertEqual(len(complaints), 2)  # and the line
        self.assertIn("a sentence of 37 words", complaints[1])

    def test_a_sentence_may_take_several_lines_and_lists_are_sentences(self):
        self.assertIn("a sentence of 36 words", found_in(("word " * 18 + "\n") * 2)[1])
        self.assertEqual(found_in("".join(f"- {'word ' * 15}\n" for _ in range(4))), [])

    def test_a_page_of_long_sentences_is_found(self):
        self.assertIn("18.0 words a sentence", found_in(("Word " + "word " * 16 + "ends.\n") * 3)[0])

    def test_a_long_line_is_found_unless_nothing_can_break_it(self):
        self.assertIn("130 columns", found_in("a " * 65)[0])
        self.assertEqual(found_in("[x](" + 130 * "y" + ")\n"), [])

    def test_word_order_that_has_to_be_read_twice_is_found(self):
        self.assertIn('begins with "Of"', found_in("Of a case the name is known.\n")[0])
        self.assertIn("asks nothing", found_in("It is so. What computes is slower.\n")[0])
        self.assertEqual(found_in("What is slower? Often nothing.\n"), [])

    def test_a_folder_without_pages_is_refused(self):
        for check in (check_pages, check_quotes):
            with mock.patch.object(sys, "argv", ["check", str(HERE)]), self.assertRaises(SystemExit) as refused:
                check.main()
            self.assertIn("name the root of the checkout", str(refused.exception))


class Quotes(unittest.TestCase):
    def test_a_block_behind_a_path_is_a_quote(self):
        text = "`a/b.cpp`:\n\n    int x;\n\n    int y;\n\nAnd more.\n"
        self.assertEqual([(path, block) for _, path, block in check_quotes.quotes(text)],
                         [("a/b.cpp", ["int x;", "", "int y;"])])

    def test_a_path_without_a_block_is_told(self):
        self.assertEqual([block for _, _, block in check_quotes.quotes("`a/b.cpp`:\n\nText.\n")], [None])


if __name__ == "__main__":
    unittest.main()
