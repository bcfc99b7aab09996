#!/usr/bin/env bash
# Is one LibTorch slower than another? Builds perfgate of this checkout with each of them and
# compares both builds on this device (perfgate --against).
#
#   ctest/compare_libtorch.sh OLD NEW [perfgate flags]
#
# OLD and NEW are each a version (2.12.1, which pip fetches), a wheel file, or a folder: a LibTorch,
# or a Python environment that has torch. perfgate's flags select: --family=ops, --case='ops/mm/*'.
# A build lies in build/compare/<name> and is made once, in some 20 minutes on 2 cores.
# PERFGATE_PRESET chooses another preset than dev. Exit codes are those of perfgate --against.
set -euo pipefail
from=$PWD
cd "$(dirname "$0")/.."
readonly from preset=${PERFGATE_PRESET:-dev}
# shellcheck source=ctest/building.sh
. ctest/building.sh compare_libtorch.sh

usage() { sed -n '5,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
refuse() { echo "$caller: $1"$'\n'"  mend: $2" >&2; exit 2; }
has_torch() { [ -x "$1/bin/python3" ] && "$1/bin/python3" -c 'import torch' 2>/dev/null; }
is_version() { [[ $1 =~ ^[0-9]+(\.[0-9]+)+[A-Za-z0-9.]*$ ]]; }

# What OLD or NEW is: "version 2.12.1", "wheel PATH", "libtorch PATH" or "python PATH".
kind_of() {
  local path
  path=$(cd "$from" && realpath -m "$1")
  if [ -d "$path" ]; then
    if [ -e "$path/share/cmake/Torch/TorchConfig.cmake" ]; then echo "libtorch $path"
    elif has_torch "$path"; then echo "python $path"
    else refuse "$1 holds no LibTorch: neither share/cmake/Torch nor a bin/python3 that has torch" \
      "name the folder of a LibTorch, or of a Python environment with torch"
    fi
  elif [ -f "$path" ]; then
    case $path in *.whl) echo "wheel $path" ;; *) refuse "$1 is a file, and no wheel" "name a .whl, a version or a folder" ;; esac
  elif is_version "$1"; then echo "version $1"
  else refuse "$1 is no version, and there is no such file or folder" "for example 2.12.1, torch-2.12.1-....whl or /opt/libtorch"
  fi
}

# Of a list of folders those that are there and hold no LibTorch: other libraries may.
without_torch() {
  local folder folders out=
  IFS=: read -ra folders <<<"$1"
  for folder in "${folders[@]}"; do
    [ -d "$folder" ] || continue
    [ -e "$folder/Torch/TorchConfig.cmake" ] || [ -e "$folder/share/cmake/Torch/TorchConfig.cmake" ] || out+=${out:+:}$folder
  done
  echo "$out"
}

# The folder of its build: what would be another LibTorch has another one.
build_of() {
  local kind=$1 what=$2 of
  case $kind in
    version) echo "build/compare/$what"; return ;;
    wheel) of=$(sha256sum <"$what") ;;  # one may be built anew in its place
    *) of=$(sha256sum <<<"$what") ;;
  esac
  echo "build/compare/$(basename "$what" .whl)-${of:0:8}"
}

# Configures and builds perfgate with it.
build_with() {
  local kind=$1 what=$2 build=$3 fetched libtorch=()
  case $kind in
    version|wheel)
      fetched=$PWD/$build/libtorch
      if ! has_torch "$fetched"; then
        say "fetching LibTorch: $what"
        cmake/fetch_libtorch.sh "$fetched" "$what" || refuse "LibTorch $what could not be fetched" "see above; a wheel that was fetched elsewhere can be named instead"
      fi
      libtorch=(-DPERFGATE_PYTHON="$fetched/bin/python3") ;;
    python) libtorch=(-DPERFGATE_PYTHON="$what/bin/python3") ;;
    libtorch) libtorch=(-DCMAKE_PREFIX_PATH="$what/share/cmake") ;;
  esac
  say "building $build"
  local sources; mapfile -t sources < <(carried_sources)
  cmake --preset "$preset" -B "$build" "${libtorch[@]}" "${sources[@]}" >"$build.log" || { tail -n 20 "$build.log" >&2; exit 2; }
  cmake --build "$build" --target perfgate
}

[ $# -ge 2 ] || usage
old_kind=$(kind_of "$1") || exit
new_kind=$(kind_of "$2") || exit
shift 2
[ "$old_kind" != "$new_kind" ] || refuse "OLD and NEW are the same: ${old_kind#* }" "name two; --against_env compares one build with itself under another variable"
for flag in "$@"; do
  case $flag in
    --packages=*|--against=*|--bisect=*) refuse "${flag%%=*} is not for this script" "it compares the two builds that it makes, each with packages of its own" ;;
    --*) ;;
    *) refuse "$flag is no flag" "write it as part of its flag, --flag=value" ;;
  esac
done
forget_selections
unset PERFGATE_PACKAGES Torch_DIR Torch_ROOT  # each build has its own
CMAKE_PREFIX_PATH=$(without_torch "${CMAKE_PREFIX_PATH:-}")
export CMAKE_PREFIX_PATH
install_missing
mkdir -p build/compare
old=$(build_of "${old_kind%% *}" "${old_kind#* }")
new=$(build_of "${new_kind%% *}" "${new_kind#* }")
readonly old new
build_with "${new_kind%% *}" "${new_kind#* }" "$new"
"$new/bin/perfgate" --against="$new" "$@" --list_cases >/dev/null  # refuses a flag that is not one
build_with "${old_kind%% *}" "${old_kind#* }" "$old"
for build in "$old" "$new"; do make_packages "$build" "$@"; done
say "comparing"
exec "$new/bin/perfgate" --against="$old" "$@"
