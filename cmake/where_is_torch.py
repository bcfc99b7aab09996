"""Prints this Python's own path and the folder of the torch that it would import, a line each, without the seconds that
importing takes. Fails where it has none, or one without CMake files."""

import importlib.util
import pathlib
import sys

spec = importlib.util.find_spec("torch")
if spec is None or spec.origin is None:
    sys.exit(1)
folder = pathlib.Path(spec.origin).resolve().parent
if not (folder / "share/cmake/Torch/TorchConfig.cmake").exists():
    sys.exit(1)
print(sys.executable)
print(folder)
