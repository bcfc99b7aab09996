# shellcheck shell=bash disable=SC2154  # run.sh has build, caller and family
# A baseline of this machine alone, for where none is checked in for its model. It begins small, so that a first answer takes
# minutes. Later calls answer first and learn behind that: a session more of what has fewer than three, and one family more.
# Sourced by run.sh, whose `gate` it calls.

# How many cases of what is selected the baseline has (recorded), has not (missing), or has too few sessions of (learning).
count_cases() {
  local keys
  keys=$("$build/bin/perfgate" --list_night "--$1" "${family[@]}") || return
  grep -c . <<<"$keys" || true
}

# results_have VERDICTS FOLDER: whether a case of the results files there has one of these verdicts, WRONG|ERROR.
results_have() { grep -qsE "\"verdict\": *\"($1)\"" "$2"/*.json; }

# Families of which a case failed when it was to be recorded: each call asks for them again, until they can be.
failed_list() { echo "$PERFGATE_BASELINES/failed-${PERFGATE_DEVICE:-default}.txt"; }

remember_failed() {
  local keys list
  list=$(failed_list)
  keys=$("$build/bin/perfgate" --list_night --missing "${family[@]}") || return
  sed -n 's|/.*||p' <<<"$keys" >>"$list"
  sort -u "$list" -o "$list"
}

forget_failed() {
  local list; list=$(failed_list)
  [ ! -e "$list" ] || sed -i "/^$1\$/d" "$list"
}

# record_locally STATE RESULTS: records a session of the selected cases in that state. Returns 0; 1 where a case failed; 3 where
# some were only refused; and what perfgate itself ended with where it could not go on.
record_locally() {
  local state=PERFGATE_${1^^} code=0
  export "$state=true"
  # What is asked of the gate is not asked of a recording.
  PERFGATE_INJECT_SLOWDOWN=0 PERFGATE_STRICT_KERNELS=false PERFGATE_PROFILE=false PERFGATE_REQUIRE_BASELINE=false PERFGATE_SORT=gated \
    PERFGATE_REFRESH=true PERFGATE_CANARIES=0 PERFGATE_REASON="local baseline" PERFGATE_RESULTS=$2 gate || code=$?
  unset "$state" PERFGATE_RETUNE  # or what is gated were another search's
  # A refresh refuses what fails as it refuses what others disturbed.
  if [ "$code" -eq 3 ] && results_have 'WRONG|ERROR|LOST' "$2"; then code=1; fi
  case $code in
    77) code=0 ;;
    1) [ "$1" != missing ] || remember_failed || code=$? ;;
    3) say "some cases were not recorded, see above; a later call tries again" ;;
  esac
  return "$code"
}

# The families that CTest gates, in its order.
gated_families() { ctest --test-dir "$build" -N -L perf | sed -n 's/^ *Test *#[0-9]*: perf\.\([^.]*\).*/\1/p' | uniq; }

# The first of these families that no call has recorded yet; nothing where there is none.
next_family() {
  local begun=$1 families=$2 next missing
  for next in $families; do
    if grep -sqxF "$next" "$begun"; then continue; fi
    family=(--family="$next")
    missing=$(count_cases missing) || return
    [ "$missing" -eq 0 ] || { echo "$next"; return; }
  done
}

# record_family FAMILY RESULTS: what it lacks. A family that failed before is forgotten as such once all that it lacks was measured.
record_family() {
  local missing code=0
  select_family "$1"
  missing=$(count_cases missing) || return
  if [ "$missing" -gt 0 ]; then
    say "recording $1: $missing cases, five processes each, and what they need compiled; Ctrl-C ends it, and keeps what is recorded"
    record_locally missing "$2" || code=$?
  fi
  select_family ""
  if [ "$code" -eq 0 ] || { [ "$code" -eq 3 ] && results_have '.*' "$2" && ! results_have MACHINE_INVALID "$2"; }; then
    forget_failed "$1"
  fi
  return "$code"
}

# Records one family more, and before it again what failed; or when none is left all that was not recorded. Returns 1 where a case
# failed.
record_more() {
  local results=$1 begun=$PERFGATE_BASELINES/begun-${PERFGATE_DEVICE:-default}.txt families next again each code failed=0
  families=$(gated_families) || return
  next=$(next_family "$begun" "$families") || return
  again=$families
  [ -z "$next" ] || again=$(grep -sxFf "$(failed_list)" <<<"$families") || true
  for each in $again $next; do
    code=0
    record_family "$each" "$results-$each" || code=$?
    ! must_end "$code" || return "$code"
    # A family of which a case fails is begun as well: the next call goes on with another.
    [ "$each" != "$next" ] || echo "$next" >>"$begun"
    [ "$code" -ne 1 ] || failed=1
  done
  return "$failed"
}

# Whether a code is one that nothing may follow: perfgate could not go on, or somebody ended it.
must_end() { case $1 in 0|1|3|77) return 1 ;; esac; }

# Runs a recording; one of which a case failed sets `failed`. Returns what nothing may follow, else 0.
note_failure() {
  local code=0
  "$@" || code=$?
  ! must_end "$code" || { echo "$caller: the local baseline could not be recorded" >&2; return "$code"; }
  [ "$code" -ne 1 ] || failed=true
}

# Nothing is recorded of a machine without an id that lasts. This baseline is of one machine, and gives it a name of its own.
name_this_machine() {
  [ -z "${PERFGATE_DEVICE_ID:-}" ] || return 0
  "$build/bin/perfgate" --show_device | grep -q '^device_id .*(of this boot alone' || return 0
  local file=$PERFGATE_BASELINES/device_id-$HOSTNAME.txt
  [ -s "$file" ] || echo "local-$(od -An -N8 -tx1 /dev/urandom | tr -d ' ')" >"$file"
  PERFGATE_DEVICE_ID=$(cat "$file")
  export PERFGATE_DEVICE_ID
  say "this machine has no id that lasts: the local baseline calls it $PERFGATE_DEVICE_ID (--device_id=NAME gives it another)"
}

gate_locally() {
  local results=$1 recordings selected=${family[*]}${PERFGATE_CASE:-} count failing code=0 learn=true failed=false
  # Begins with no digit: --merge and --export look for the newest night. A call has folders of its own, whatever --results says.
  recordings=$PWD/$build/results/recording-$(date -u +%Y-%m-%dT%H-%M-%S)-$$
  export PERFGATE_BASELINES=$PWD/$build/local-baselines
  mkdir -p "$PERFGATE_BASELINES"
  say "no checked-in baseline for this device; using a local one in $build/local-baselines, which only says whether this machine changes"
  name_this_machine
  if [ "${PERFGATE_MISSING:-false}${PERFGATE_RECORDED:-false}${PERFGATE_LEARNING:-false}" != falsefalsefalse ]; then
    PERFGATE_RESULTS=$results gate; return  # somebody asks for just that
  fi
  if [ -n "$selected" ]; then
    count=$(count_cases missing) || return
    if [ "$count" -gt 0 ]; then
      say "recording $count cases first, five processes each"
      note_failure record_locally missing "$recordings" || return
    fi
  else
    count=$(count_cases recorded) || return
    if [ "$count" -eq 0 ]; then
      learn=false  # sessions tell most at different times
      note_failure record_more "$recordings" || return
    fi
  fi
  count=$(count_cases recorded) || return
  if [ "$count" -gt 0 ]; then
    say "gating"
    PERFGATE_RECORDED=true PERFGATE_RESULTS=$results gate || code=$?
    ! must_end "$code" || return "$code"
  else
    code=77
  fi
  [ "$code" -ne 77 ] || { say "nothing could be judged yet"; code=0; }
  if $learn && [ -z "${PERFGATE_INJECT_SLOWDOWN:-}" ]; then
    count=$(count_cases learning) || return
    if [ "$count" -gt 0 ]; then
      say "learning: one session more of $count cases that have fewer than three; Ctrl-C ends it, and keeps what is recorded"
      note_failure record_locally learning "$recordings-learning" || return
    fi
    [ -n "$selected" ] || note_failure record_more "$recordings" || return
  fi
  if [ -z "$selected" ]; then
    say "the local baseline has $(count_cases recorded) cases, $(count_cases learning) with fewer than three sessions; $(count_cases missing) are not recorded, or cannot run here. Each call adds to it"
    failing=$(gated_families | grep -sxFf "$(failed_list)" | paste -sd' ') || true  # a family that is gone fails no more
    if [ -n "$failing" ]; then
      say "FAILED when they were to be recorded, in this call or before: cases of $failing; the next call asks for them again"
      failed=true
    fi
  fi
  ! $failed || code=1
  return "$code"
}
