#pragma once
// What a comparison of two builds says of one case.

#include <string>
#include <vector>

#include "perfgate/gate/paired_rule.h"

namespace perfgate {

struct PairedOutcome {
  Verdict verdict = Verdict::kError;
  std::string message;  ///< why, where the judgements do not say it
  /// It says nothing of the new build that a run could pass by: it failed before as well, or both
  /// builds measure it otherwise.
  bool incomparable = false;
  bool decided = true;  ///< more pairs are not needed
  std::vector<PairedJudgement> judgements;

  /// The judgement that decided: of those with the case's verdict the largest change, of cases that
  /// pass the least MDE. Null where nothing was judged.
  [[nodiscard]] const PairedJudgement* deciding() const;
  /// As steadiest_of (gate/metric_finding.h).
  [[nodiscard]] const PairedJudgement* steadiest(Phase phase) const;
};

}  // namespace perfgate
