#pragma once
// Whether a body slows the control that runs beside it. On a CPU a comparison judges the ratio of
// both rates, so a body that leaves threads behind, which slow its control more than itself, would
// be found faster. Pairs alternate, so a neighbour slows the controls of both builds alike: where
// those of one build are slower, its body does it, and times are compared without a control.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/paired_rule.h"

namespace perfgate {

/// What the pairs of a phase show without the ratio to a control.
struct ControlledPhase {
  std::vector<double>
      controls;             ///< in logs, a pair each, positive where the newer build's is slower
  PairedDifferences times;  ///< of the same pairs
};

/// What is said of a phase whose controls differ.
struct ControlFinding {
  Verdict verdict = Verdict::kMachineInvalid;  ///< REGRESSED, IMPROVED or MACHINE_INVALID
  std::string message;
  PairedJudgement time;  ///< of the phase, without a control
};

/// Judges `phase` of a case. Nothing where the controls of both builds are alike: mean and median
/// differ by at most `limit` (relative), or the mean by no more than chance explains. Otherwise
/// times alone decide: slower ones have regressed; faster ones have improved where the older
/// build's control was the slowed one. The rest cannot be told.
std::optional<ControlFinding> check_paired_control(Phase phase, const ControlledPhase& pairs,
                                                   double limit, const VariancePrior& prior,
                                                   const PairedRule& rule,
                                                   const std::vector<PairedLook>& looks,
                                                   std::size_t look);

}  // namespace perfgate
