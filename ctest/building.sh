# shellcheck shell=bash disable=SC2154  # the script has preset
# What the scripts beside this one share: what a bare machine lacks, an environment that selects
# nothing, and compiled packages of what perfgate's flags select. Sourced from the root of the
# checkout, with the script's name. What cannot be installed ends in perfgate's own code, never apt's.

readonly caller=$1

say() { printf '\n== %s\n' "$*"; }

# Sources that CMake would fetch and somebody carried, as cmake's own arguments: FETCHCONTENT_SOURCE_DIR_FMT=... of the environment.
carried_sources() { env | sed -n 's/^FETCHCONTENT_SOURCE_DIR_[A-Z0-9_]*=..*/-D&/p'; }

# What Debian calls each thing that nothing goes without, and how to see that it is there already.
missing_tools() {
  { [ -n "${CXX:-}" ] && command -v "${CXX%% *}" || command -v c++ || command -v g++ || command -v clang++; } >/dev/null || echo g++
  command -v cmake >/dev/null || echo cmake
  command -v ninja >/dev/null || echo ninja-build
  command -v python3 >/dev/null || echo python3
}

# Of the libraries those that are not where Debian has them, and that CMake would not find elsewhere either.
missing_libraries() {
  local folder=build/$preset header absent=
  [ ! -e "$folder/build.ninja" ] || return 0  # it was configured, so it found them
  for header in gmock/gmock.h:libgmock-dev nlohmann/json.hpp:nlohmann-json3-dev \
      CLI/CLI.hpp:libcli11-dev fmt/format.h:libfmt-dev pugixml.hpp:libpugixml-dev boost/math/distributions/students_t.hpp:libboost-math-dev; do
    [ -e "/usr/include/${header%%:*}" ] || [ -e "/usr/local/include/${header%%:*}" ] || absent+=${header##*:}$'\n'
  done
  [ -n "$absent" ] || return 0
  local list=$PWD/build/missing/$preset.txt named=()
  mapfile -t named < <(carried_sources; sed -nE 's/^((FETCHCONTENT_SOURCE_DIR_|CMAKE_PREFIX_PATH|Boost_|(GTest|googletest|nlohmann_json|CLI11|fmt|pugixml)_(DIR|ROOT)).*=.+)/-D\1/p' "$folder/CMakeCache.txt" 2>/dev/null)
  mkdir -p "${list%/*}"
  if [ -z "$(missing_tools)" ] && cmake --preset "$preset" -B "${list%.txt}" -DPERFGATE_LIST_MISSING="$list" "${named[@]}" >"${list%.txt}.log" 2>&1; then
    cat "$list"
  else
    printf '%s' "$absent"
  fi
}

# What makes it faster, or is needed where LibTorch has to be fetched. Asked for before the first build only.
missing_extras() {
  [ ! -e "build/$preset/build.ninja" ] || return 0
  command -v ccache >/dev/null || echo ccache
  command -v git >/dev/null || echo git
  python3 -c 'import venv, ensurepip' 2>/dev/null || echo python3-venv
}

# apt_get ARGUMENT...: asks nobody, so it ends where a password would be asked for.
apt_get() {
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 \
    -o DPkg::Lock::Timeout=60 "$@" </dev/null >/dev/null
}

# apt_install PACKAGE...: as root or by sudo. Prints why it could not.
apt_install() {
  if ! command -v apt-get >/dev/null; then echo "there is no apt-get here"
  elif [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then echo "nobody but root can run apt-get, and there is no sudo"
  elif [ "$(id -u)" -ne 0 ] && ! sudo -n true </dev/null 2>/dev/null; then echo "sudo asks for a password"
  else
    apt_get update -qq 2>/dev/null || true  # what follows says what cannot be had
    apt_get install -y -qq --no-install-recommends "$@" 2>&1 | sed -n 's/^E: //p' | head -n 1 || true
  fi
}

# install_missing: what is missing and can be had. What nothing goes without ends it in 2, what only helps does not, and libraries
# are then left to CMake, which fetches them.
install_missing() {
  local packages extras wanted why
  mapfile -t packages < <(missing_tools; missing_libraries)
  mapfile -t extras < <(missing_extras)
  wanted=("${packages[@]}" "${extras[@]}")
  [ ${#wanted[@]} -gt 0 ] || return 0
  say "installing ${wanted[*]}"
  why=$(apt_install "${wanted[@]}")
  mapfile -t packages < <(missing_tools; missing_libraries)
  if [ ${#packages[@]} -gt 0 ] && [ ${#extras[@]} -gt 0 ]; then  # that no mirror has an extra is not to keep the others away
    why=$(apt_install "${packages[@]}")
    mapfile -t packages < <(missing_tools; missing_libraries)
  fi
  mapfile -t extras < <(missing_extras)
  [ ${#extras[@]} -eq 0 ] || echo "$caller: goes on without ${extras[*]} (${why:-apt-get has none})" >&2
  [ ${#packages[@]} -gt 0 ] || return 0
  echo "$caller: missing, by the names of Debian: ${packages[*]} (${why:-apt-get has none})" >&2
  case " ${packages[*]} " in
    *' g++ '*|*' cmake '*|*' ninja-build '*|*' python3 '*|*' libboost-math-dev '*)
      echo "  mend: sudo apt-get install ${packages[*]}; without network carry them: libraries are found below CMAKE_PREFIX_PATH as well" >&2
      exit 2 ;;
  esac
  echo "  CMake fetches these libraries; without network name their folder in CMAKE_PREFIX_PATH, or sources in FETCHCONTENT_SOURCE_DIR_<NAME>" >&2
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
