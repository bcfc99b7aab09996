#!/usr/bin/env bash
# fetch_libtorch.sh FOLDER [VERSION | WHEEL]
# Fetches LibTorch as a Python virtual environment into the folder named: the one package that holds
# libraries, headers, CMake files and the exporter's torch.export. Pinned, so that two clones
# measure the same library, and by hash where the hashes are known: of the pinned version for the
# Python of Debian 12.
set -euo pipefail
readonly venv=$1 pinned=2.13.0
readonly version=${2:-$pinned}
readonly cpu_index=https://download.pytorch.org/whl/cpu
folder=$(cd "$(dirname "$0")" && pwd)
readonly folder

python3 -m venv "$venv" || { echo "python3 cannot make a virtual environment (Debian: apt install python3-venv)" >&2; exit 1; }
pip=("$venv/bin/python3" -m pip --disable-pip-version-check install --quiet --progress-bar off)

# The plain wheel is the CUDA build, with gigabytes of CUDA packages and CMake files that stop where
# there is no toolkit: it is for machines with a GPU and a toolkit.
kind=cpu requirement="torch==$version+cpu"
if command -v nvidia-smi >/dev/null && command -v nvcc >/dev/null && nvidia-smi -L >/dev/null 2>&1; then
  kind=cuda requirement="torch==$version"
fi
readonly lock=$folder/libtorch-$kind.txt
if [ -f "$version" ]; then
  verify=("$version" numpy)
elif [ "$version" = "$pinned" ] && [ "$(python3 -c 'import platform, sys; print(sys.version_info[:2] == (3, 11) and platform.machine())')" = x86_64 ]; then
  verify=(--require-hashes -r "$lock")
else
  echo "no hashes are known for this version and Python: $requirement is installed by its version alone" >&2
  verify=("$requirement" numpy)
fi
if [ "$kind" = cuda ]; then
  "${pip[@]}" "${verify[@]}"
elif "${pip[@]}" "${verify[@]}" 2>/dev/null; then
  :  # as pip is configured here: a mirror or local file that has the CPU build
else
  "${pip[@]}" --timeout 15 --retries 1 --extra-index-url "$cpu_index" "${verify[@]}"
fi
"$venv/bin/python3" -c 'import torch; print("fetched LibTorch", torch.__version__)'
