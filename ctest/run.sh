#!/usr/bin/env bash
# From a bare machine to a tested or gated build: installs what is missing, builds, tests.
#
#   ctest/run.sh perf [perfgate flags]   gate every workload against this device's baseline; with
#                                        --retune, packages search for their configurations anew;
#                                        --family=ops builds that family alone
#   ctest/run.sh unit                    every test but the gate
#   ctest/run.sh selftest                injected slowdowns through the whole gate
#
# perfgate's flags pass through: ctest/run.sh perf --refresh --reason="LibTorch 2.14".
# PERFGATE_PRESET chooses another preset than dev. Exit codes are perfgate's (see --help).
set -euo pipefail
cd "$(dirname "$0")/.."
readonly preset=${PERFGATE_PRESET:-dev}
readonly build=build/$preset
# shellcheck source=ctest/building.sh
. ctest/building.sh run.sh
# shellcheck source=ctest/local_baseline.sh
. ctest/local_baseline.sh
ctest_selection=()  # what --family leaves of the gate's entries
family=()           # --family, where it is given

usage() { sed -n '4,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }

# The families to build, as an argument of CMake: those that are built already, and this one; with "" all.
families_to_build() {
  local built
  built=$(sed -n 's/^PERFGATE_FAMILIES:STRING=//p' "$build/CMakeCache.txt" 2>/dev/null) || true
  if [ -z "$1" ] || [ "$built" = all ]; then
    echo "-DPERFGATE_FAMILIES=all"
  else
    echo "-DPERFGATE_FAMILIES=$(tr ';' '\n' <<<"$built;$1" | grep . | sort -u | paste -sd';')"
  fi
}

# build_targets FAMILY TARGET...
build_targets() {
  local sources; mapfile -t sources < <(carried_sources; families_to_build "$1")
  shift
  # Each time, for another LibTorch may be on PATH or pinned since.
  if [ -e "$build/build.ninja" ]; then
    local log=$build.configure.txt
    cmake --preset "$preset" "${sources[@]}" >"$log" 2>&1 || { tail -n 30 "$log" >&2; exit 2; }
    grep -E '^-- LibTorch |No Python has' "$log" || true
  else
    say "configuring (the first time fetches LibTorch, 0.2 GB)"
    cmake --preset "$preset" "${sources[@]}" || exit 2
  fi
  if ! ninja -C "$build" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
    say "building"
  fi
  cmake --build "$build" --target "$@" || exit 2  # 1 would be a regression
}

# What --family names among these flags; where it is given twice, perfgate refuses it.
family_of() { printf '%s\n' "$@" | sed -n 's/^--family=//p' | tail -n 1; }

# Of ctest's entries those of this family, or with "" all.
select_family() {
  family=(${1:+--family="$1"})
  ctest_selection=(${1:+-R "^(packages|perf)\\.$1(\\.[0-9]+of[0-9]+)?\$"})
}

# perfgate's flags as their environment twins, since ctest cannot pass flags to its tests.
export_flags() {
  local flag name value
  for flag in "$@"; do
    case $flag in --*) ;; *) echo "run.sh: write $flag as part of its flag, --flag=value" >&2; exit 2 ;; esac
    name=${flag%%=*}; value=${flag#*=}
    [ "$name" != "$flag" ] || value=true
    case $name in
      --family) select_family "$value"; continue ;;  # each entry names its own family
      --baselines|--results|--packages|--progress|--history) name=PERFGATE_$(tr '[:lower:]' '[:upper:]' <<<"${name#--}"); value=$(realpath -m "$value") ;;
      --gtest_*) name=GTEST_$(tr '[:lower:]' '[:upper:]' <<<"${name#--gtest_}") ;;
      --case) name=PERFGATE_CASE; value=${PERFGATE_CASE:+$PERFGATE_CASE,}$value ;;
      --accept) name=PERFGATE_ACCEPT; value=${PERFGATE_ACCEPT:+$PERFGATE_ACCEPT$'\n'}$value ;;
      *) name=PERFGATE_$(tr '[:lower:]' '[:upper:]' <<<"${name#--}") ;;
    esac
    export "$name=$value"
  done
}

# ctest hides what its tests print, so the table comes through a file that we follow.
gate() {
  local progress=$PERFGATE_RESULTS/progress.txt code=0
  mkdir -p "$PERFGATE_RESULTS"; : >"$progress"
  # The families' processes print one table, of all these cases.
  local night=$PERFGATE_RESULTS/night.txt
  "$build/bin/perfgate" --list_night "${family[@]}" >"$night" || return
  rm -f "$night.progress"
  tail -n +1 -s 0.2 -f "$progress" & local follower=$!
  # shellcheck disable=SC2064  # the follower of now
  trap "kill $follower 2>/dev/null || true" EXIT
  # A GPU a test, as many tests at once as there are GPUs.
  local spec=$PWD/$build/gpus.json parallel=()
  if "$build/bin/perfgate" --resource_spec >"$spec" 2>/dev/null; then
    parallel=(--resource-spec-file "$spec" -j "$(grep -c '"id"' "$spec")")
  fi
  PERFGATE_PROGRESS=$progress PERFGATE_NIGHT=$night ctest --test-dir "$build" -L perf "${ctest_selection[@]}" "${parallel[@]}" --no-tests=error --output-on-failure \
    >"$PERFGATE_RESULTS/ctest.log" 2>&1 || code=$?
  sleep 0.4; kill "$follower" 2>/dev/null || true; wait "$follower" 2>/dev/null || true
  trap - EXIT
  local result=0
  # --merge reads the results; only a family that died without any is ctest's to tell, which takes 77 for no failure.
  PERFGATE_REFRESH=${PERFGATE_REFRESH:-false} "$build/bin/perfgate" --merge || result=$?
  if [ "$code" -ne 0 ]; then
    case $result in 0|2|77) cat "$PERFGATE_RESULTS/ctest.log" >&2 ;; esac
    case $result in 0|77) result=1 ;; esac
  fi
  return "$result"
}

run_perf() {
  forget_selections
  install_missing
  build_targets "$(family_of "$@")" perfgate
  local flag flags=()
  for flag in "$@"; do  # what ends the program by itself gates nothing
    case $flag in
      --help|--version|--list_cases|--list_night|--list_packages|--show_device|--show_history|--resource_spec|--merge|--export=*) exec "$build/bin/perfgate" "$@" ;;
      --retune) export PERFGATE_RETUNE=true ;;  # of the exporter, which ctest runs
      *) flags+=("$flag") ;;
    esac
  done
  set -- "${flags[@]}"
  for flag in "$@"; do
    case $flag in
      --worker=*|--kernels|--kernels=*|--against=*|--against_env=*|--bisect=*) make_packages "$build" "$@"; exec "$build/bin/perfgate" "$@" ;;
    esac
  done
  "$build/bin/perfgate" "$@" --list_cases >/dev/null   # refuses a flag that is not one
  export_flags "$@"
  local stamp; stamp=$(date -u +%Y-%m-%dT%H-%M-%S)
  if [ -t 1 ]; then  # ctest hides the terminal from what it runs
    export PERFGATE_COLOR=${PERFGATE_COLOR:-always}
    local columns; columns=$(stty size <&1 2>/dev/null | cut -d' ' -f2)
    [ "${columns:-0}" -lt 40 ] || export PERFGATE_COLUMNS=${PERFGATE_COLUMNS:-$columns}
  fi
  local results=${PERFGATE_RESULTS:-$PWD/$build/results/$stamp}
  if [ -n "${PERFGATE_BASELINES:-}" ]; then
    [ "${PERFGATE_REFRESH:-false}" = false ] || mkdir -p "$PERFGATE_BASELINES"
    [ -d "$PERFGATE_BASELINES" ] || { echo "run.sh: no folder $PERFGATE_BASELINES; create it, or name another with --baselines" >&2; exit 2; }
  fi
  # An explicit --refresh means the project's own baselines, also to begin one.
  if [ -z "${PERFGATE_BASELINES:-}" ] && [ "${PERFGATE_REFRESH:-false}" = false ] && "$build/bin/perfgate" --show_device | grep -q '(none)$'; then
    local code=0
    gate_locally "$results" || code=$?
    return "$code"
  fi
  if [ -z "${PERFGATE_BASELINES:-}" ] && [ -d "$build/local-baselines" ]; then
    say "using the baselines that are checked in; the local one in $build/local-baselines is not used (--baselines=$build/local-baselines does)"
  fi
  PERFGATE_RESULTS=$results gate
}

run_label() {
  install_missing
  build_targets "" all
  say "testing"
  ctest --test-dir "$build" -L "$1" --no-tests=error --output-on-failure -j "$(nproc)"
}

[ $# -gt 0 ] || usage
what=$1; shift
case $what in
  perf) run_perf "$@" ;;
  unit|selftest) [ $# -eq 0 ] || usage; run_label "$what" ;;
  *) usage ;;
esac
