#!/usr/bin/env bash
# Whether a project of somebody else gets its gate in each of the three ways: from an installed package, by FetchContent, and by
# add_subdirectory. From the package it is also recorded and gated, and fails for a slowdown that it is given; each other way is
# compared with that build.
#
#   tests/consumer/try.sh BUILD FOLDER    BUILD: a build of perfgate, to install; FOLDER: is made anew
set -euo pipefail
perfgate=$(realpath "$(dirname "$0")/../..")
build=$(realpath "$1") folder=$(realpath -m "$2")
readonly perfgate build folder
rm -rf "$folder"
mkdir -p "$folder"
say() { printf '# %s\n' "$*"; }
fail() { printf 'tests/consumer/try.sh: %s\n' "$*" >&2; exit 1; }

# That of perfgate's own build, as a project would name it: none is fetched.
torch=$("$build/bin/perfgate" --version | sed -n 's/^LibTorch .*, //p')
[ -e "$torch/share/cmake/Torch/TorchConfig.cmake" ] || fail "$build/bin/perfgate does not say where its LibTorch lies"

# configure WAY [-DNAME=VALUE...]: configures and builds. With the options of perfgate's own build, so that ccache has its objects.
configure() {
  local way=$1; shift
  cmake -S "$folder/project" -B "$folder/$way" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPERFGATE_FROM="$way" \
    -DPERFGATE_SOURCE="$perfgate" -DCMAKE_PREFIX_PATH="$folder/installed" -DTorch_DIR="$torch/share/cmake/Torch" -DPERFGATE_WERROR=ON -DPERFGATE_BUILD_CUDA=TOOLKIT \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DPERFGATE_JOIN_SOURCES=OFF -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)" \
    "$@" >"$folder/$way.txt" 2>&1 || { cat "$folder/$way.txt"; fail "$way: cannot be configured"; }
  cmake --build "$folder/$way" >>"$folder/$way.txt" 2>&1 || { tail -n 40 "$folder/$way.txt"; fail "$way: cannot be built"; }
}
# gate WAY EXPECTED [FLAG...]: runs the gate, shows it, and fails where it ends otherwise.
gate() {
  local way=$1 expected=$2 code=0; shift 2
  "$folder/$way/consumer_gate/bin/consumer_gate" --device=cpu "$@" >"$folder/gate.txt" 2>&1 || code=$?
  cat "$folder/gate.txt"
  [[ " $expected " == *" $code "* ]] || fail "$way: the gate ended with $code, not with $expected"
}

# record COMMAND...: records a first session. It is refused where others use the machine, so it is asked for again.
record() {
  local attempt code
  for attempt in 1 2 3; do
    code=0
    "$@" --device=cpu --refresh --reason="first session" || code=$?
    [ "$code" -ne 0 ] || return 0
    [ "$code" -eq 3 ] || fail "$1: recording ended with $code"
    say "attempt $attempt: the machine was not fit to record it"
    sleep 20
  done
  return 3
}

# compare WAY: the build of that way with the recorded one, process beside process. Both are of the same sources, and have to be
# compiled alike. A baseline would tell less here, for others use the machines of CI: one session of it says nothing of the next
# minute. The same loop at another address may differ by some percent, and one that is not optimised by a multiple. A comparison may
# alarm once in a hundred times for nothing, so one that does is made once more.
compare() {
  local attempt slower
  for attempt in 1 2; do
    gate "$1" '0 1 3' --against="$folder/recorded" --case='swish/train/*'  # 3: so noisy that it calls itself blind
    grep -q ' in [01] of 1 case' "$folder/gate.txt" || fail "$1: nothing was compared"
    slower=$(sed -n 's/.*the slowest is [^,]*, +\([0-9]*\).*/\1/p' "$folder/gate.txt")
    [ "${slower:-0}" -ge 50 ] || return 0
    say "$1: comparison $attempt finds it $slower % slower"
  done
  fail "$1: its case is slower than the recorded build's"
}

say "a project, under a history of its own"
cp -r "$perfgate/tests/consumer" "$folder/project"
commit() { git -C "$folder/project" -c user.name=consumer -c user.email=consumer@example.org commit -q --allow-empty -m "$1"; }
git -C "$folder/project" init -q
git -C "$folder/project" add .
commit "The operator"

say "find_package"
cmake --install "$build" --prefix "$folder/installed" >"$folder/install.txt"
# What only perfgate's own sources include has no package that such a project could need.
configure package -DCMAKE_DISABLE_FIND_PACKAGE_{fmt,pugixml,CLI11,Boost}=ON
ctest --test-dir "$folder/package" -L perf --no-tests=error --output-on-failure >"$folder/ctest.txt" || { cat "$folder/ctest.txt"; fail "package: ctest"; }
grep -q 'perf.swish .*Skipped' "$folder/ctest.txt" || fail "package: CTest calls a gate without a baseline other than Skipped"
grep -q 'packages.swish .*Passed' "$folder/ctest.txt" || fail "package: its compiled package was not made"
record "$folder/package/consumer_gate/bin/consumer_gate" || fail "package: nothing was recorded"
[ -d "$folder/project/baselines" ] || fail "package: its baselines are not in the project"
mkdir "$folder/recorded"
cp -r "$folder/package/consumer_gate" "$folder/recorded"
gate package '0 1 3'  # 1: a session of a machine that others use
grep -qE '^  MDE |MACHINE_INVALID' "$folder/gate.txt" || fail "package: nothing was compared with the baseline"
! grep -qE ' (LOST|ERROR|WRONG|NO_BASELINE)' "$folder/gate.txt" || fail "package: a case does not run as it was recorded"
mapfile -t nights < <(find "$folder/package/consumer_gate/results" -name '*.json' | sort)
"$folder/installed/share/perfgate/ctest/export.py" "google_benchmark:$folder/gate.json" "${nights[-1]}"
grep -q '"name": "swish/' "$folder/gate.json" || fail "package: the installed export.py does not write its cases"
compare package

say "the example that the pages quote"
cp -r "$perfgate/examples/scale" "$folder/scale"
git -C "$folder/scale" init -q
git -C "$folder/scale" add .
git -C "$folder/scale" -c user.name=consumer -c user.email=consumer@example.org commit -q -m "A kernel"
if ! { cmake -S "$folder/scale" -B "$folder/scale/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$folder/installed" \
         -DTorch_DIR="$torch/share/cmake/Torch" && cmake --build "$folder/scale/build"; } >"$folder/scale.txt" 2>&1; then
  tail -n 40 "$folder/scale.txt"
  fail "examples/scale cannot be built"
fi
record "$folder/scale/build/demo/bin/demo" || say "examples/scale: not recorded, but it runs"

say "its own slowdown, in a commit of its own"  # tenfold, for so noisy a machine
commit "Something slow"
configure package -DSWISH_EXTRA_PERCENT=900
found=no
for attempt in 1 2 3; do
  gate package '1 3' --case='swish/train/*'
  if grep -q 'REGRESSED *swish/train/' "$folder/gate.txt"; then
    grep -qE 'changed .*commit [0-9a-f]{12}(-dirty)? -> [0-9a-f]{12}' "$folder/gate.txt" || fail "package: the failure does not name the project's commit"
    found=yes
    break
  fi
  grep -q '1 MACHINE_INVALID' "$folder/gate.txt" || fail "package: the slowdown was not found"
  say "attempt $attempt: the machine was not fit to judge it"
done
# Beside others, as a build on the same cores, no gate judges; two builds side by side tell a tenfold slowdown even then.
[ "$found" = yes ] || say "package: the machine was fit in none of three attempts, so --against alone has to find it"
gate package 1 --against="$folder/recorded" --case='swish/train/*'
grep -q 'slower in 1 of 1 case' "$folder/gate.txt" || fail "package: the slowdown was not found beside the recorded build"

for way in fetch subdirectory; do
  say "$way"
  # One of them with the sources joined, as a user builds them: perfgate's own build of CI compiles each by itself.
  joined=(); [ "$way" != fetch ] || joined=(-DPERFGATE_JOIN_SOURCES=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=OFF)
  configure "$way" "${joined[@]}"
  [ ! -e "$folder/$way/bin" ] || fail "$way: perfgate's own suite was built as well"
  compare "$way"
done
