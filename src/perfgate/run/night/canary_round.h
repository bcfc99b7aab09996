#pragma once
// Behind its cases a run gates a few of them once more (gate/canary.h). What comes of that is kept
// apart: it is no outcome of the night, and neither history nor baseline hears of it.

#include <cstdint>
#include <functional>
#include <vector>

#include "perfgate/gate/canary.h"
#include "perfgate/run/cases/case_gate.h"

namespace perfgate {

struct CanaryRound {
  std::int64_t day = 0;         ///< since 1970, UTC
  double share = 0;             ///< of the run's cases
  std::size_t night_cases = 0;  ///< that all processes of the night judge together
  CeilingRates ceilings;        ///< of the device, as measured tonight
};

/// Gates the day's canaries of `outcomes`, each of which has passed. `show` is told the key of each
/// before. Ends early where the run is interrupted.
std::vector<Canary> gate_canaries(const CaseGateTools& tools, const Baseline& baseline,
                                  const std::vector<Outcome>& outcomes, const CanaryRound& round,
                                  const std::function<void(const std::string& key)>& show);

}  // namespace perfgate
