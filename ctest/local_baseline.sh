# shellcheck shell=bash disable=SC2154  # run.sh has build, caller and family
# A baseline of this machine alone, for where none is checked in for its model. It begins small, so that a first answer takes
# minutes. Later calls answer first and learn behind that: a session more of what has fewer than three, and one family more.
# Sourced by run.sh, whose `gate` it calls.

# How many cases of what is selected the baseline has (recorded), has not (missing), or has too few sessions of (learning).
count_cases() { "$build/bin/perfgate" --list_night "--$1" "${family[@]}" | wc -l; }

# record_locally STATE RESULTS: records a session of the selected cases in that state. Returns 1 where a case failed, and what
# perfgate itself ended with where it could not go on.
record_locally() {
  local state=PERFGATE_${1^^} code=0
  export "$state=true"
  # What is asked of the gate is not asked of a recording.
  PERFGATE_INJECT_SLOWDOWN=0 PERFGATE_STRICT_KERNELS=false PERFGATE_PROFILE=false PERFGATE_REQUIRE_BASELINE=false PERFGATE_SORT=gated \
    PERFGATE_REFRESH=true PERFGATE_CANARIES=0 PERFGATE_REASON="local baseline" PERFGATE_RESULTS=$2 gate || code=$?
  unset "$state" PERFGATE_RETUNE  # or what is gated were another search's
  case $code in
    0|77) return 0 ;;
    # 3: cases that others disturbed, or that are slower than recorded, were refused.
    3) say "some cases were not recorded, see above; the next call tries again" ;;
    *) return "$code" ;;
  esac
}

# The families that CTest gates, in its order.
gated_families() { ctest --test-dir "$build" -N -L perf | sed -n 's/^ *Test *#[0-9]*: perf\.\([^.]*\).*/\1/p' | uniq; }

# The first family that no call has recorded yet; nothing where there is none.
next_family() {
  local next begun=$1 families
  families=$(gated_families)
  for next in $families; do
    if grep -sqxF "$next" "$begun"; then continue; fi
    family=(--family="$next")
    [ "$(count_cases missing)" -eq 0 ] || { echo "$next"; return; }
  done
}

# Records one family more, or when none is left what was refused before.
record_next_family() {
  local results=$1 begun=$PERFGATE_BASELINES/begun-${PERFGATE_DEVICE:-default}.txt next code=0
  next=$(next_family "$begun")
  select_family "$next"
  local missing; missing=$(count_cases missing)
  if [ "$missing" -gt 0 ]; then
    [ -z "$next" ] || say "recording $next: $missing cases, five processes each, and what they need compiled; Ctrl-C ends it, and keeps what is recorded"
    record_locally missing "$results" || code=$?
  fi
  select_family ""
  # A family of which a case fails is begun as well: the next call goes on with another.
  case $code in 0|1) [ -z "$next" ] || echo "$next" >>"$begun" ;; esac
  return "$code"
}

# Whether a gate's code is one that nothing may follow: perfgate could not go on, or somebody ended it.
must_end() { [ "$1" -eq 2 ] || [ "$1" -gt 128 ]; }

gate_locally() {
  local results=$1 stamp recordings selected=${family[*]}${PERFGATE_CASE:-} first=0 code=0 learn=true
  stamp=$(basename "$results")
  recordings=$PWD/$build/results/recording-$stamp  # begins with no digit: --merge and --export look for the newest night
  export PERFGATE_BASELINES=$PWD/$build/local-baselines
  mkdir -p "$PERFGATE_BASELINES"
  say "no checked-in baseline for this device; using a local one in $build/local-baselines, which only says whether this machine changes"
  if [ "${PERFGATE_MISSING:-false}${PERFGATE_RECORDED:-false}${PERFGATE_LEARNING:-false}" != falsefalsefalse ]; then
    PERFGATE_RESULTS=$results gate; return  # somebody asks for just that
  fi
  if [ -n "$selected" ] && [ "$(count_cases missing)" -gt 0 ]; then
    say "recording $(count_cases missing) cases first, five processes each"
    record_locally missing "$recordings" || first=$?
  elif [ "$(count_cases recorded)" -eq 0 ]; then
    learn=false  # sessions tell most at different times
    record_next_family "$recordings" || first=$?
  fi
  ! must_end "$first" || { echo "$caller: the local baseline could not be recorded" >&2; return "$first"; }
  say "gating"
  PERFGATE_RECORDED=true PERFGATE_RESULTS=$results gate || code=$?
  ! must_end "$code" || return "$code"
  [ "$code" -ne 77 ] || { say "nothing could be judged yet"; code=0; }
  if $learn && [ -z "${PERFGATE_INJECT_SLOWDOWN:-}" ]; then
    local learning; learning=$(count_cases learning)
    if [ "$learning" -gt 0 ]; then
      say "learning: one session more of $learning cases that have fewer than three; Ctrl-C ends it, and keeps what is recorded"
      record_locally learning "$recordings-learning" || true
    fi
    [ -n "$selected" ] || record_next_family "$recordings-more" || true
  fi
  if [ -z "$selected" ]; then
    say "the local baseline has $(count_cases recorded) cases, $(count_cases learning) with fewer than three sessions; $(count_cases missing) are not recorded, or cannot run here. Each call adds to it"
  fi
  [ "$code" -ne 0 ] || code=$first  # a case that failed when it was to be recorded
  return "$code"
}
