#!/usr/bin/env python3
"""Keeps the pages readable: short sentences, lines that a diff can show, plain word order.

usage: check_pages.py ROOT [--figures]     complains, and exits 1 where a page breaks a rule

The rules, for each Markdown page of the project:
  a sentence has 35 words at most, and those of a page 17 in the mean;
  a line has 120 columns at most, outside of code and tables;
  no sentence begins with "Of" or with a "What" that asks nothing.
Code, output, tables and headings are no sentences. Records of measurements (baselines/figures) and
what others wrote (third_party) are no pages.
"""

import argparse
import pathlib
import re
import subprocess
import sys

LONGEST_SENTENCE = 35
LONGEST_MEAN = 17.0
LONGEST_LINE = 120
NO_PAGES = ("baselines/figures/", "third_party/", "tests/")
ENDS = re.compile(r"(?<=[.!?])[)*_\"]*\s+(?=[(*_\"`\[]*[A-Z0-9`])")
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|etc|vs|cf)\.", re.IGNORECASE)


def prose_blocks(text):
    """(line number, text) of each paragraph and list item, without code, tables and headings."""
    block, begun, fenced = [], 0, False

    def flush():
        nonlocal block
        if block:
            yield begun, " ".join(block)
        block = []

    in_list = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            yield from flush()
            continue
        item = re.match(r"\s*(?:[-*]|\d+\.)\s+", line)
        is_code = fenced or (line.startswith("    ") and not item and not in_list)
        if is_code or not line.strip() or re.match(r"\s*(\||#|<!--|\[[^]]+\]:)", line):
            yield from flush()
            in_list = in_list and bool(line.strip()) and not is_code
            continue
        if item:
            yield from flush()
            in_list = True
        if not block:
            begun = number
        block.append(line[item.end():] if item else line.strip())
    yield from flush()


def sentences(block):
    block = re.sub(r"`[^`]*`", "`x`", block)
    block = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", block)
    block = ABBREVIATIONS.sub(lambda m: m[0].replace(".", ""), block)
    return [s for s in ENDS.split(block) if s.strip()]


def words(sentence):
    return len(re.findall(r"[^\s]*\w[^\s]*|`x`", sentence))


def long_lines(text):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        is_exempt = fenced or line.startswith("    ") or line.lstrip().startswith("|")
        if len(line) > LONGEST_LINE and not is_exempt and " " in line.strip():
            yield number, f"{len(line)} columns, at most {LONGEST_LINE}"


def complaints_of(text):
    found = list(long_lines(text))
    lengths = []
    for number, block in prose_blocks(text):
        for sentence in sentences(block):
            length = words(sentence)
            lengths.append(length)
            begin = " ".join(sentence.split()[:6])
            if length > LONGEST_SENTENCE:
                found.append((number, f"a sentence of {length} words, at most {LONGEST_SENTENCE}: "
                                      f"\"{begin} ...\""))
            if re.match(r"[(*_\"]*Of\b", sentence):
                found.append((number, f"begins with \"Of\": \"{begin} ...\""))
            if re.match(r"[(*_\"]*What\b", sentence) and not sentence.rstrip(")*_\"").endswith("?"):
                found.append((number, f"begins with a \"What\" that asks nothing: \"{begin} ...\""))
    mean = sum(lengths) / len(lengths) if lengths else 0
    if mean > LONGEST_MEAN:
        found.append((1, f"{mean:.1f} words a sentence in the mean, at most {LONGEST_MEAN:g}"))
    return sorted(found), mean, len(lengths)


def markdown_in(root):
    """The names of every Markdown file, committed or about to be."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "*.md"],
                            capture_output=True, text=True, check=True).stdout
    return sorted(name for name in listed.splitlines() if (root / name).is_file())


def pages(root):
    return [name for name in markdown_in(root) if not name.startswith(NO_PAGES)]


def main():
    parser = argparse.ArgumentParser(description="Keeps the pages readable.")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--figures", action="store_true", help="prints the mean of each page")
    options = parser.parse_args()
    names = pages(options.root)
    if not names:
        raise SystemExit(f"{options.root} has no pages: name the root of the checkout")
    broken = 0
    for name in names:
        found, mean, count = complaints_of((options.root / name).read_text())
        broken += bool(found)
        for number, complaint in found:
            print(f"{name}:{number}: {complaint}")
        if options.figures:
            print(f"{name}: {count} sentences, {mean:.1f} words in the mean")
    print(f"{len(names)} pages, {broken} break the rules")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
