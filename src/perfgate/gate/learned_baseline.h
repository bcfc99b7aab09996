#pragma once
// A baseline, and what all of its cases together tell of the noise of each: what judging takes.

#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "perfgate/gate/judge.h"

namespace perfgate {

/// Throws UsageError, naming `file` and the place, where the policy does not know a class of the
/// baseline.
void require_known_classes(const Baseline& baseline, const Policy& policy, const std::string& file);

/// The false-alarm budget over the number of metrics of these cases that are judged, and of groups
/// that are judged together (gate/global_change.h); without any, of all cases.
double share_of_budget(const Baseline& baseline, const Policy& policy,
                       const std::set<std::string>& cases);

class LearnedBaseline {
 public:
  /// Borrows `policy`. `night`: the cases that share the false-alarm budget, what a night judges
  /// and whatever else is asked for; without any all of the baseline's. Throws UsageError where the
  /// policy does not know a class or kind of device of the baseline.
  LearnedBaseline(Baseline baseline, const Policy& policy, std::set<std::string> night = {})
      : baseline_(std::move(baseline)),
        policy_(policy),
        night_(std::move(night)),
        priors_(baseline_, policy),
        spreads_(baseline_, policy),
        effects_(baseline_, policy),
        alpha_(share_of_budget(baseline_, policy, night_)) {}
  LearnedBaseline(const LearnedBaseline&) = delete;
  LearnedBaseline& operator=(const LearnedBaseline&) = delete;

  [[nodiscard]] const Baseline& baseline() const { return baseline_; }
  [[nodiscard]] const std::set<std::string>& night() const { return night_; }
  /// `tonight`: the device's ceilings, as measured. Where the one of DRAM reads is not among them,
  /// a device that the baseline does not know is compared with devices of any memory.
  [[nodiscard]] JudgeContext context(const CeilingRates& tonight = {}) const {
    return context(tonight, nullptr, false);
  }
  /// The same for a night that ends with a second look at such a device: the first look, or with
  /// the night's siblings, which are borrowed, the second.
  [[nodiscard]] JudgeContext context_of_night(const CeilingRates& tonight,
                                              const SiblingChanges* siblings) const {
    return context(tonight, siblings, true);
  }

 private:
  [[nodiscard]] JudgeContext context(const CeilingRates& tonight, const SiblingChanges* siblings,
                                     bool two_looks) const {
    const auto rate = tonight.find(kDramRead);
    return {baseline_,
            policy_,
            priors_,
            spreads_,
            effects_,
            alpha_,
            rate == tonight.end() ? std::nullopt : std::optional(std::log(rate->second)),
            siblings,
            two_looks};
  }

  Baseline baseline_;
  const Policy& policy_;
  std::set<std::string> night_;
  ClassPriors priors_;
  SpreadLimits spreads_;
  DeviceEffects effects_;
  double alpha_;
};

}  // namespace perfgate
