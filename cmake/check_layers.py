#!/usr/bin/env python3
"""Holds the architecture: which file may include what.

  - a file below src/perfgate includes its own layer and those that ALLOWED names for it; each
    room of run is a layer;
  - no files include each other in a circle;
  - a source includes its own header first, which so compiles alone;
  - only the layers in SEES_LIBTORCH and SEES_CUDA include those libraries;
  - {fmt} stays in .cpp files, and out of every file that sees LibTorch, whose include folder holds
    another {fmt} of its own.

usage: check_layers.py ROOT          complains, and exits 1 where something breaks a rule
       check_layers.py --dot ROOT    draws which layer includes which, for Graphviz
"""

import argparse
import graphlib
import os
import pathlib
import re
import sys

ALLOWED = {
    "core": [],
    "model": ["core"],
    "stats": [],
    "baseline": ["core", "model", "stats"],
    "gate": ["core", "model", "stats", "baseline"],
    "report": ["core", "model", "stats", "baseline", "gate"],
    "device": ["core"],
    "process": ["core", "model"],
    "run/machine": ["core", "model", "baseline", "gate", "device", "process"],
    "run/cli": ["core", "model", "report", "process", "run/machine"],
    "run/cases": ["core", "model", "baseline", "gate", "report", "device", "process", "run/cli",
                  "run/machine"],
    "run/refresh": ["core", "model", "baseline", "gate", "report", "run/cli", "run/cases"],
    "run/compare": ["core", "gate", "report", "device", "process", "run/cli", "run/machine"],
    "run/night": ["core", "model", "baseline", "gate", "report", "process", "run/cli",
                  "run/machine", "run/cases"],
    "measure": ["core", "model", "stats"],
    "workloads": ["core", "model", "measure"],
    "backends": ["core", "device", "process", "measure"],
    "worker": ["core", "model", "process", "measure", "workloads", "backends"],
    "gtest": ["core", "model", "baseline", "report", "process", "workloads", "backends", "worker",
              "run/machine", "run/cli", "run/cases", "run/refresh", "run/compare", "run/night"],
    "packages": ["measure"],
}
SEES_LIBTORCH = {"workloads", "backends", "worker", "gtest"}
SEES_CUDA = {"device", "measure", "backends"}

TORCH = re.compile(r"^(torch|ATen|c10|caffe2)/")
CUDA = re.compile(r"^(cu[a-z]|nv[a-z]|nccl|mma\.h|cooperative_groups|thrust/)")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}


def layer_of(path):
    """The layer that a path like src/perfgate/core/json.h belongs to, or None. Each room of run is one."""
    match = re.match(r"(?:src/)?perfgate/(run/\w+(?=/)|\w+)/", str(path))
    return match.group(1) if match else None


class Tree:
    """Every source file below a root, with what it includes."""

    def __init__(self, root):
        self.includes = {}
        for folder in ("src", "fixtures", "tests"):
            for path in sorted((root / folder).rglob("*")):
                relative = path.relative_to(root)
                if path.suffix in SUFFIXES and "planted" not in relative.parts:  # its own test
                    self.includes[relative] = INCLUDE.findall(path.read_text())

    def resolve(self, file, name):
        """The project's file behind an include, or None when it is not the project's."""
        for folder in ("src", "", file.parent):
            candidate = pathlib.Path(os.path.normpath(pathlib.Path(folder) / name))
            if candidate in self.includes:
                return candidate
        return None

    def sees_torch(self, file, seen=None):
        """Whether the file includes LibTorch, itself or through the project's headers."""
        seen = seen if seen is not None else set()
        if file in seen:
            return False
        seen.add(file)
        for name in self.includes[file]:
            target = self.resolve(file, name)
            if TORCH.match(name) or (target and self.sees_torch(target, seen)):
                return True
        return False

    def edges(self):
        """Every (layer, other layer) of which the first includes the second."""
        pairs = {(layer_of(file), layer_of(self.resolve(file, name) or name))
                 for file, names in self.includes.items() for name in names}
        return sorted((one, other) for one, other in pairs if one and other and one != other)

    def circle(self):
        """Files that include each other in a circle, or None."""
        graph = {file: {self.resolve(file, name) for name in names} - {None, file}
                 for file, names in self.includes.items()}
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            return error.args[1]
        return None

    def complaints(self):
        for file, names in self.includes.items():
            own = layer_of(file)
            if not own and file.parts[0] == "src":
                yield f"{file}: in no layer"
                continue
            if own and own not in ALLOWED:
                yield f"{file}: no layer {own} is known to cmake/check_layers.py"
                continue
            header = file.with_suffix(".h")
            if own and file != header and header in self.includes and (
                    not names or self.resolve(file, names[0]) != header):
                yield f"{file}: must include {header.name} first"
            for name in names:
                target = self.resolve(file, name) or pathlib.PurePath(name)
                other = layer_of(target)
                if own and other and other != own and other not in ALLOWED[own]:
                    yield f"{file}: {own} must not include {name}"
                if own and target.parts[0] in ("fixtures", "tests"):
                    yield f"{file}: {own} includes {name}, which is for tests"
                if own and own not in SEES_LIBTORCH and TORCH.match(name):
                    yield f"{file}: {own} includes LibTorch's {name}"
                if own and own not in SEES_CUDA and CUDA.match(name):
                    yield f"{file}: {own} includes CUDA's {name}"
                if name.startswith("fmt/") and file.suffix == ".h":
                    yield f"{file}: {name} in a header"
                if name.startswith("fmt/") and self.sees_torch(file):
                    yield f"{file}: {name} beside LibTorch, which brings another"
        if circle := self.circle():
            yield "a circle of includes: " + " -> ".join(str(file) for file in circle)


def drawing(tree):
    """The layers as a Graphviz graph, an arrow from whoever includes to what it includes."""
    lines = ["digraph layers {", "  rankdir=BT;", "  node [shape=box];"]
    lines += [f'  "{one}" -> "{other}";' for one, other in tree.edges()]
    return "\n".join(lines + ["}"])


def main():
    parser = argparse.ArgumentParser(description="Holds the architecture: which file may include what.")
    parser.add_argument("--dot", action="store_true", help="draw the layers, for Graphviz")
    parser.add_argument("root", type=pathlib.Path)
    arguments = parser.parse_args()
    tree = Tree(arguments.root)
    if arguments.dot:
        print(drawing(tree))
        return 0
    complaints = list(tree.complaints())
    for complaint in complaints:
        print(complaint)
    print(f"{len(tree.includes)} files, {len(complaints)} break the architecture")
    return 1 if complaints or not tree.includes else 0


if __name__ == "__main__":
    sys.exit(main())
