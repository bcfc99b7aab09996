#!/usr/bin/env python3
"""Holds the architecture: which file may include what.

  - below src/perfgate a file includes only its own layer or lower ones;
  - core to report see neither CUDA nor LibTorch, device and measure no LibTorch;
  - {fmt} stays in .cpp files, and out of every file that sees LibTorch, whose include folder holds
    another {fmt} of its own.

usage: check_layers.py ROOT
"""

import pathlib
import re
import sys

LAYERS = ["core", "stats", "baseline", "gate", "report", "device", "measure", "workloads"]
TORCH = re.compile(r"^(torch|ATen|c10|caffe2)/")
CUDA = re.compile(r"^(cuda|cupti|nvml|nvtx|cooperative_groups|cub/|thrust/)")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}


def layer_of(path):
    """The layer that a path like perfgate/core/json.h belongs to, or None."""
    match = re.match(r"(?:.*/)?perfgate/(\w+)/", path)
    return match.group(1) if match and match.group(1) in LAYERS else None


class Tree:
    """Every source file below a root, with what it includes."""

    def __init__(self, root):
        self.root = root
        self.includes = {}
        for folder in ("src", "fixtures", "tests"):
            for path in sorted((root / folder).rglob("*")):
                relative = path.relative_to(root)
                if path.suffix in SUFFIXES and "planted" not in relative.parts:  # its own test
                    self.includes[relative] = INCLUDE.findall(path.read_text())

    def resolve(self, file, name):
        """The project's file behind an include, or None when it is not the project's."""
        for candidate in (pathlib.Path("src") / name, pathlib.Path(name), file.parent / name):
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

    def complaints(self):
        for file, names in self.includes.items():
            own = layer_of(str(file))
            for name in names:
                other = layer_of(name)
                if own and other and LAYERS.index(other) > LAYERS.index(own):
                    yield f"{file}: {own} includes {name}, a layer above it"
                if own and name.startswith(("fixtures/", "tests/")):
                    yield f"{file}: {own} includes {name}, from above all layers"
                if own and own != "workloads" and TORCH.match(name):
                    yield f"{file}: {own} includes LibTorch's {name}"
                if own and own not in ("device", "measure") and CUDA.match(name):
                    yield f"{file}: {own} includes CUDA's {name}"
                if name.startswith("fmt/") and file.suffix == ".h":
                    yield f"{file}: {name} in a header"
                if name.startswith("fmt/") and self.sees_torch(file):
                    yield f"{file}: {name} beside LibTorch, which brings another"


def main():
    tree = Tree(pathlib.Path(sys.argv[1]))
    complaints = list(tree.complaints())
    for complaint in complaints:
        print(complaint)
    print(f"{len(tree.includes)} files, {len(complaints)} includes that break the architecture")
    return 1 if complaints or not tree.includes else 0


if __name__ == "__main__":
    sys.exit(main())
