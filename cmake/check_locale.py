#!/usr/bin/env python3
"""Keeps out of src what reads or writes numbers and letters as the process's locale does.

A library whose constructor calls setlocale(LC_ALL, "") makes strtod read 7.188 as 7 on a German
machine, and the baseline stores it. core/numbers.h and core/ascii.h have what does not.

usage: check_locale.py ROOT          complains, and exits 1 where something depends on the locale
"""

import argparse
import pathlib
import re
import sys

SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
# What keeps libraries that use these functions from the locale.
EXEMPT = {("core/pattern.cpp", "std::locale"), ("core/pattern.cpp", "std::regex")}

FUNCTIONS = re.compile(
    r"\b(strto(?:d|f|ld)|ato[fd]|stof|stod|stold|v?[sf]?n?printf|v?f?sscanf|v?f?scanf|localeconv|"
    r"setlocale|strcoll|strxfrm|is(?:alpha|alnum|digit|space|print|punct|upper|lower|graph|cntrl)|"
    r"to(?:upper|lower)|mbsto?wcs|wcstombs)\s*\(")
NAMES = re.compile(
    r"\b(o?stringstream|(?:get|put)_time|istream_iterator<\s*(?:int|long|float|double)|"
    r"std::locale|std::w?regex|std::set(?:precision|w)|std::fixed|std::scientific)\b")
EXTRACTION = re.compile(r"\b[A-Za-z_]\w* >> (?!=)[A-Za-z_]")
LOCALE_FORMAT = re.compile(r'"[^"\n]*\{[\w.]*:[^{}"\n]*(?:\{[^{}"\n]*\}[^{}"\n]*)*L[a-zA-Z]?\}')
CALL = re.compile(r"std::to_string\(((?:[^()]|\([^()]*\))*)\)")
DOUBLE = re.compile(r"\b(?:double|float|Seconds|Microseconds)\s+(\w+)\s*[={;,)]")


def without_comments(text):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text,
                                         flags=re.DOTALL))


def doubles_as_text(text):
    """Every std::to_string of what this file declares as a double, by the argument's last name."""
    doubles = set(DOUBLE.findall(text))
    for call in CALL.finditer(text):
        names = re.findall(r"\w+", call[1])
        is_whole = re.match(r"(?:static_cast<(?!double|float)|std::ll?round\()", call[1])
        if names and not is_whole and (names[-1] in doubles or call[1].endswith(".count()")):
            yield call.start(), "std::to_string of a double"


def complaints_of(name, text):
    text = without_comments(text)
    found = [(m.start(), m[1]) for pattern in (FUNCTIONS, NAMES) for m in pattern.finditer(text)]
    found += [(m.start(), "a number out of a stream") for m in EXTRACTION.finditer(text)]
    found += [(m.start(), "{fmt}'s L") for m in LOCALE_FORMAT.finditer(text)]
    found += doubles_as_text(text)
    for at, what in sorted(found):
        if (name, what) not in EXEMPT:
            yield f"src/perfgate/{name}:{text.count(chr(10), 0, at) + 1}: {what} depends on the locale"


def complaints(root):
    folder = root / "src" / "perfgate"
    if not folder.is_dir():
        raise SystemExit(f"{root} has no src/perfgate: name the root of the checkout")
    for path in sorted(folder.rglob("*")):
        if path.suffix in SUFFIXES:
            yield from complaints_of(str(path.relative_to(folder)), path.read_text())


def main():
    parser = argparse.ArgumentParser(description="Keeps out of src what depends on the locale.")
    parser.add_argument("root", type=pathlib.Path)
    found = list(complaints(parser.parse_args().root))
    for complaint in found:
        print(complaint)
    print(f"{len(found)} places depend on the locale: use core/numbers.h and core/ascii.h" if found
          else "nothing in src depends on the locale")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
