#!/usr/bin/env bash
# fetch_libtorch.sh FOLDER [VERSION | WHEEL]
# Fetches LibTorch as a Python virtual environment into the folder named: the one package that holds
# libraries, headers, CMake files and the exporter's torch.export. Without a version it is the one
# that libtorch-cpu.txt or libtorch-cuda.txt beside this script pins, so that two clones measure the
# same library; nothing is done where the folder has what is pinned. It is fetched by hash where the
# pin has one, on a Python that the hashes are for (Debian 12's). The pinned build for CUDA has a
# folder of its own, FOLDER-cuda. Prints the folder.
set -euo pipefail
venv=$1
readonly cpu_index=https://download.pytorch.org/whl/cpu
folder=$(cd "$(dirname "$0")" && pwd)
readonly folder

# The plain wheel is the CUDA build, with gigabytes of CUDA packages and CMake files that stop where
# there is no toolkit: it is for machines with a GPU and a toolkit.
kind=cpu
if command -v nvidia-smi >/dev/null && command -v nvcc >/dev/null && nvidia-smi -L >/dev/null 2>&1; then kind=cuda; fi
if [ "$kind" = cuda ] && [ $# -eq 1 ]; then venv+=-cuda; fi
readonly venv lock=$folder/libtorch-$kind.txt
pinned=$(sed -n 's/^torch==\([^ ]*\).*/\1/p' "$lock")  # as it stands there, with its "+cpu"
[ -n "$pinned" ] || { echo "$lock pins no torch: it needs a line torch==VERSION" >&2; exit 1; }
readonly pinned
version=${2:-$pinned}
if [ "$kind" = cpu ] && [ $# -gt 1 ] && [ ! -f "$version" ]; then version+=+cpu; fi
readonly version requirement="torch==$version"
has_hashes() { sed -n '/^torch==/,/^[^ ]/p' "$lock" | grep -q -- '--hash='; }
is_python_of_hashes() { [ "$(python3 -c 'import platform, sys; print(sys.version_info[:2] == (3, 11) and platform.machine())')" = x86_64 ]; }

readonly done=$venv/fetched-from.txt  # what the folder was made from: the pin, to be fetched anew where it changes
if [ $# -eq 1 ] && cmp -s "$lock" "$done"; then echo "$venv"; exit 0; fi
echo "fetching LibTorch $version ($kind) into $venv" >&2
python3 -m venv --clear "$venv" || { echo "python3 cannot make a virtual environment (Debian: apt install python3-venv)" >&2; exit 1; }
pip=("$venv/bin/python3" -m pip --disable-pip-version-check install --quiet --progress-bar off)
if [ -f "$version" ]; then
  verify=("$version" numpy)
elif [ "$version" = "$pinned" ] && has_hashes && is_python_of_hashes; then
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
"$venv/bin/python3" -c 'import torch; print("fetched LibTorch", torch.__version__)' >&2
[ $# -gt 1 ] || cp "$lock" "$done"
echo "$venv"
