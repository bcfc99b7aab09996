#include "perfgate/run/night/canary_round.h"

#include <algorithm>
#include <map>
#include <string>

#include "perfgate/gate/canary_turns.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/run/cases/unless_broken.h"

namespace perfgate {
namespace {

// A gate of its own: it injects what others must not have, and writes no traces over theirs.
Outcome gated(const CaseGateTools& tools, const Baseline& baseline, const CanaryRound& round,
              const std::string& key, double inject_percent) {
  CaseGate gate(tools, baseline, inject_percent);
  gate.use_ceilings(round.ceilings);
  return unless_broken(key, "", [&] { return gate.gate(key); });
}

}  // namespace

std::vector<Canary> gate_canaries(const CaseGateTools& tools, const Baseline& baseline,
                                  const std::vector<Outcome>& outcomes, const CanaryRound& round,
                                  const std::function<void(const std::string& key)>& show) {
  std::map<std::string, const Outcome*> of_case;
  std::vector<std::string> keys;
  for (const auto& outcome : outcomes) {
    of_case[outcome.case_key] = &outcome;
    keys.push_back(outcome.case_key);
  }
  const double missed = miss_probability(tools.policy, round.night_cases, round.share);
  const auto can_be = [&](const CanaryTurn& turn) {
    const Outcome& outcome = *of_case.at(turn.case_key);
    return outcome.verdict == Verdict::kPass && (!turn.injected || injection_for(outcome, missed));
  };
  std::vector<Canary> out;
  for (const auto& turn : turns_of(round.day, keys, round.share, can_be)) {
    const Outcome& passed = *of_case.at(turn.case_key);
    Canary canary;
    if (turn.injected) {
      canary.injection = injection_for(passed, missed);
    }
    show(turn.case_key);
    canary.outcome =
        gated(tools, baseline, round, turn.case_key,
              canary.injection ? 100 * kInjectedOverLeast * canary.injection->least : 0);
    if (interrupted_by()) {
      return out;  // half a measurement is none
    }
    canary.outcome.device_id = passed.device_id;
    canary.result = result_of(canary.outcome, canary.injection);
    out.push_back(std::move(canary));
  }
  return out;
}

}  // namespace perfgate
