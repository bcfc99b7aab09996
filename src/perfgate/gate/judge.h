#pragma once
// The judge: a baseline, what all of its cases together tell of the noise of each, and how a night
// looks at a device. gate/judgement.h has what it says of a metric, and how it comes to that.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/case_group.h"
#include "perfgate/gate/device_effect.h"
#include "perfgate/gate/history.h"
#include "perfgate/gate/policy.h"
#include "perfgate/gate/siblings.h"

namespace perfgate {

/// Throws UsageError, naming `file` and the place, where the policy does not know a class of the
/// baseline.
void require_known_classes(const Baseline& baseline, const Policy& policy, const std::string& file);

/// How often a night looks at a device that the baseline does not know, and which look this is. Two
/// looks share a metric's part of the false-alarm budget (gate/second_look.h).
enum class Look { kOnly, kFirst, kSecond };

/// A value: copies share what was learned from the baseline.
class Judge {
 public:
  /// Borrows `policy`. `night`: the cases that share the false-alarm budget, what a night judges
  /// and whatever else is asked for; without any all of the baseline's. Throws UsageError where the
  /// policy does not know a class or kind of device of the baseline.
  Judge(Baseline baseline, const Policy& policy, std::set<std::string> night = {});

  /// The judge of a device with these ceilings, as measured tonight. Where the one of DRAM reads is
  /// not among them, a device that the baseline does not know is compared with devices of any
  /// memory.
  [[nodiscard]] Judge of_device(const CeilingRates& tonight) const;
  /// The judge of a night that looks twice: at its first look, or with what the night's cases
  /// changed by, which is borrowed, at its second.
  [[nodiscard]] Judge of_two_looks(const SiblingChanges* siblings) const;
  /// The judge with this share of the false-alarm budget for each metric.
  [[nodiscard]] Judge with_alpha(double alpha) const;

  [[nodiscard]] const Baseline& baseline() const;
  [[nodiscard]] const Policy& policy() const { return *policy_; }
  [[nodiscard]] const std::set<std::string>& night() const;
  /// Each judged metric's share of the false-alarm budget: it is divided by the number of metrics
  /// of the night's cases that are judged, and of groups that are (gate/global_change.h).
  [[nodiscard]] double alpha() const { return alpha_; }
  /// What the device reads tonight, of GB/s, as a logarithm.
  [[nodiscard]] const std::optional<double>& log_dram_read() const { return log_dram_read_; }
  [[nodiscard]] Look look() const { return look_; }
  /// Null but at a second look.
  [[nodiscard]] const SiblingChanges* siblings() const { return siblings_; }

  // `case_key` and `metric`: of the baseline's, and judged.
  [[nodiscard]] const MetricHistory& history(const std::string& case_key, Metric metric) const;
  [[nodiscard]] const VariancePrior& session_noise(const std::string& case_key,
                                                   Metric metric) const;
  [[nodiscard]] const ProcessSpread& spread_limit(const std::string& case_key, Metric metric) const;
  /// Null where the group has none.
  [[nodiscard]] const RecordedEffects* effects(const CaseGroup& siblings) const;

 private:
  struct Learned;
  std::shared_ptr<const Learned> learned_;
  const Policy* policy_;
  double alpha_;
  std::optional<double> log_dram_read_;
  Look look_ = Look::kOnly;
  const SiblingChanges* siblings_ = nullptr;
};

}  // namespace perfgate
