#!/usr/bin/env python3
"""Holds pages to the files that they quote: a reader who copies a block gets what CI builds.

A line that is only a path in backquotes and a colon introduces a quote:

    `examples/scale/scale.cpp`:

The code block behind it must be the text of that file, from the first line to the last. Blocks may
be fenced or indented by four spaces. Paths are relative to the root of the checkout.

usage: check_quotes.py ROOT          complains, and exits 1 where a quote differs from its file
"""

import argparse
import difflib
import pathlib
import re
import sys

import check_pages

INTRODUCES = re.compile(r"`([^`\s]+)`:\s*$")
FENCE = re.compile(r"(`{3,}|~{3,})")
INDENT = "    "


def block_at(lines, start):
    """The lines of the code block that follows lines[:start]; None where none does."""
    while start < len(lines) and not lines[start].strip():
        start += 1
    if start == len(lines):
        return None
    fence = FENCE.match(lines[start])
    if fence:
        for end in range(start + 1, len(lines)):
            if lines[end].strip() == fence[1]:
                return lines[start + 1:end]
        return None
    block = []
    for line in lines[start:]:
        if line.strip() and not line.startswith(INDENT):
            break
        block.append(line[len(INDENT):])
    while block and not block[-1].strip():
        block.pop()
    return block or None


def quotes(text):
    """(line number, path, lines of its block or None) of each quote outside of code."""
    lines = text.splitlines()
    fence = None
    for number, line in enumerate(lines):
        found = FENCE.match(line)
        if found and fence in (None, found[1]):
            fence = None if fence else found[1]
        introduced = not fence and INTRODUCES.match(line)
        if introduced:
            yield number + 1, introduced[1], block_at(lines, number + 1)


def complaint_of(root, path, block):
    """What is wrong with a quote; None where nothing is."""
    file = root / path
    if not file.is_file():
        return f"quotes {path}, which is not there"
    if block is None:
        return f"no code block follows the name of {path}"
    text = file.read_text().splitlines()
    if block == text:
        return None
    changed = list(difflib.unified_diff(text, block, path, "the page", lineterm="", n=0))
    return f"differs from {path}:\n  " + "\n  ".join(changed)


def main():
    parser = argparse.ArgumentParser(description="Holds pages to the files that they quote.")
    parser.add_argument("root", type=pathlib.Path)
    root = parser.parse_args().root
    count = broken = 0
    for name in check_pages.markdown_in(root):
        for number, path, block in quotes((root / name).read_text()):
            count += 1
            complaint = complaint_of(root, path, block)
            if complaint:
                broken += 1
                print(f"{name}:{number}: {complaint}")
    if not count:
        raise SystemExit(f"no page of {root} quotes a file: name the root of the checkout")
    print(f"{count} quotes, {broken} differ from their files")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
