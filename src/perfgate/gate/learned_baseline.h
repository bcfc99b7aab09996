#pragma once
// A baseline, and what all of its cases together tell of the noise of each: what judging takes.

#include <string>
#include <utility>

#include "perfgate/gate/judge.h"

namespace perfgate {

/// Throws UsageError, naming `file` and the place, where the policy does not know a class of the
/// baseline.
void require_known_classes(const Baseline& baseline, const Policy& policy, const std::string& file);

class LearnedBaseline {
 public:
  /// Borrows `policy`. Throws UsageError where the policy does not know a class or kind of device
  /// of the baseline.
  LearnedBaseline(Baseline baseline, const Policy& policy)
      : baseline_(std::move(baseline)),
        policy_(policy),
        priors_(baseline_, policy),
        spreads_(baseline_, policy) {}
  LearnedBaseline(const LearnedBaseline&) = delete;
  LearnedBaseline& operator=(const LearnedBaseline&) = delete;

  [[nodiscard]] const Baseline& baseline() const { return baseline_; }
  [[nodiscard]] JudgeContext context() const { return {baseline_, policy_, priors_, spreads_}; }

 private:
  Baseline baseline_;
  const Policy& policy_;
  ClassPriors priors_;
  SpreadLimits spreads_;
};

}  // namespace perfgate
