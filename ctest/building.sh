# shellcheck shell=bash
# What the scripts beside this one share: what a bare machine lacks, an environment that selects
# nothing, and compiled packages of what perfgate's flags select. Sourced from the root of the
# checkout, with the script's name.

readonly caller=$1

say() { printf '\n== %s\n' "$*"; }

# What Debian calls each thing that we need, and how to see that it is there already.
missing_packages() {
  command -v g++ >/dev/null || echo g++
  command -v cmake >/dev/null || echo cmake
  command -v ninja >/dev/null || echo ninja-build
  command -v ccache >/dev/null || echo ccache
  command -v git >/dev/null || echo git
  python3 -c 'import venv, ensurepip' 2>/dev/null || echo python3-venv
  local header
  for header in gmock/gmock.h:libgmock-dev nlohmann/json.hpp:nlohmann-json3-dev \
      CLI/CLI.hpp:libcli11-dev fmt/format.h:libfmt-dev pugixml.hpp:libpugixml-dev boost/math/distributions/students_t.hpp:libboost-math-dev; do
    [ -e "/usr/include/${header%%:*}" ] || [ -e "/usr/local/include/${header%%:*}" ] || echo "${header##*:}"
  done
}

install_missing() {
  local packages as_root=
  packages=$(missing_packages | tr '\n' ' ')
  [ -n "$packages" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then as_root=$(command -v sudo || true); fi
  if ! command -v apt-get >/dev/null || { [ "$(id -u)" -ne 0 ] && [ -z "$as_root" ]; }; then
    echo "$caller: please install (names as in Debian): $packages" >&2
    # Libraries can still be fetched by CMake; without these nothing goes.
    for tool in g++ cmake ninja python3; do command -v "$tool" >/dev/null || exit 2; done
    return 0
  fi
  say "installing $packages"
  $as_root apt-get update -qq
  # shellcheck disable=SC2086  # a list of words
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $packages >/dev/null
}

# make_packages BUILD [FLAG...]: compiles in that build what these flags of perfgate select; what ctest gates compiles its own.
make_packages() {
  local folder=$1; shift
  local flag selection=()
  for flag in "$@"; do
    case $flag in
      --case=*|--worker=*) selection+=(PERFGATE_CASE="${flag#*=}") ;;
      --family=*) selection+=(PERFGATE_FAMILY="${flag#*=}") ;;
      --device=*) selection+=(PERFGATE_DEVICE="${flag#*=}") ;;
      --packages=*) selection+=(PERFGATE_PACKAGES="${flag#*=}") ;;
      --baselines=*) selection+=(PERFGATE_BASELINES="$(realpath -m "${flag#*=}")") ;;
    esac
  done
  env "${selection[@]}" cmake --build "$folder" --target packages
}

# What a shell left exported selects nothing here: the script's own arguments do.
forget_selections() {
  local name
  for name in PERFGATE_CASE PERFGATE_FAMILY PERFGATE_MISSING PERFGATE_REFRESH PERFGATE_DEVICE PERFGATE_INJECT_SLOWDOWN PERFGATE_CANARIES \
      PERFGATE_RETUNE PERFGATE_RECORDED PERFGATE_LEARNING PERFGATE_NIGHT GTEST_FILTER TESTBRIDGE_TEST_ONLY GTEST_TOTAL_SHARDS GTEST_SHARD_INDEX; do
    [ -z "${!name:-}" ] || { echo "$caller: $name=${!name} of the environment is not used" >&2; unset "$name"; }
  done
  export PERFGATE_CALLER=$caller
}
