# shellcheck shell=bash disable=SC2154  # run.sh has build, caller and family
# A baseline of this machine alone, for where none is checked in for its model. It begins small, so that a first answer takes
# minutes. Later calls answer first and learn behind that: a session more of what has fewer than three, and one family more.
# Sourced by run.sh, whose `gate` it calls.

readonly families=(ops gpt_fast sparse attention fastrnns language_models ceilings)

# How many cases of what is selected the baseline has (recorded), has not (missing), or has too few sessions of (learning).
count_cases() { "$build/bin/perfgate" --list_night "--$1" "${family[@]}" | wc -l; }

# record_locally STATE RESULTS: records a session of the selected cases in that state. Fails where perfgate itself does.
record_locally() {
  local state=$1 code=0
  export "PERFGATE_${state^^}=true"
  PERFGATE_REFRESH=true PERFGATE_CANARIES=0 PERFGATE_REASON="local baseline" PERFGATE_RESULTS=$2 gate || code=$?
  unset "PERFGATE_${state^^}"
  case $code in
    0|77) ;;
    # 3: cases that others disturbed, or that are slower than recorded, were refused.
    3) say "some cases were not recorded, see above; the next call tries again" ;;
    *) echo "$caller: the local baseline could not be recorded" >&2; return "$code" ;;
  esac
}

# Everything when nothing is selected by a flag: the first family, then one more with each call.
record_next_family() {
  local results=$1 begun=$build/local-families.txt next code=0
  for next in "${families[@]}"; do
    if grep -qxF "$next" "$begun" 2>/dev/null || ! ctest --test-dir "$build" -N -L "^$next\$" | grep -q 'perf\.'; then continue; fi
    select_family "$next"
    say "recording $next: $(count_cases missing) cases, five processes each, and what they need compiled; Ctrl-C ends it, and keeps what is recorded"
    record_locally missing "$results" || code=$?
    select_family ""
    [ "$code" -ne 0 ] || echo "$next" >>"$begun"
    return "$code"
  done
  record_locally missing "$results"  # what was disturbed before
}

gate_locally() {
  local results=$1 selected=${family[*]}${PERFGATE_CASE:-} code=0 learn=true
  export PERFGATE_BASELINES=$PWD/$build/local-baselines
  mkdir -p "$PERFGATE_BASELINES"
  say "no checked-in baseline for this device; using a local one in $build/local-baselines, which only says whether this machine changes"
  if [ -n "$selected" ] && [ "$(count_cases missing)" -gt 0 ]; then
    say "recording $(count_cases missing) cases first, five processes each"
    record_locally missing "$results-local" || return
    unset PERFGATE_RETUNE  # or what is gated were another search's
  elif [ "$(count_cases recorded)" -eq 0 ]; then
    learn=false  # sessions tell most at different times
    record_next_family "$results-local" || return
  fi
  say "gating"
  PERFGATE_RECORDED=true PERFGATE_RESULTS=$results gate || code=$?
  case $code in 2|129|13?|14?) return "$code" ;; 77) say "nothing could be judged yet"; code=0 ;; esac
  if $learn; then
    local learning; learning=$(count_cases learning)
    if [ "$learning" -gt 0 ]; then
      say "learning: one session more of $learning cases that have fewer than three; Ctrl-C ends it, and keeps what is recorded"
      record_locally learning "$results-learning" || true
    fi
    [ -n "$selected" ] || record_next_family "$results-more" || true
  fi
  if [ -z "$selected" ]; then
    say "the local baseline has $(count_cases recorded) cases, $(count_cases learning) with fewer than three sessions; $(count_cases missing) are not recorded, or cannot run here. Each call adds to it"
  fi
  return "$code"
}
