#include "perfgate/gate/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "perfgate/core/errors.h"
#include "perfgate/gate/global_change.h"
#include "perfgate/gate/priors.h"
#include "perfgate/gate/spread.h"

namespace perfgate {
namespace {

double share_of_budget(const Baseline& baseline, const Policy& policy,
                       const std::set<std::string>& night) {
  auto judged = static_cast<std::ptrdiff_t>(number_of_groups(baseline, policy, night));
  for (const auto& [key, record] : baseline.cases) {
    if (night.empty() || night.count(key) > 0) {
      judged += std::count_if(record.metrics.begin(), record.metrics.end(),
                              [](const auto& metric) { return metric.second.judged; });
    }
  }
  return policy.false_alarms_a_night / static_cast<double>(std::max<std::ptrdiff_t>(1, judged));
}

}  // namespace

struct Judge::Learned {
  Learned(Baseline recorded, const Policy& policy, std::set<std::string> judged)
      : baseline(std::move(recorded)),
        night(std::move(judged)),
        histories(histories_of(baseline, policy.clock)),
        priors(baseline, histories, policy),
        spreads(baseline, policy),
        effects(baseline, histories, policy) {}

  Baseline baseline;
  std::set<std::string> night;
  MetricHistories histories;
  ClassPriors priors;
  SpreadLimits spreads;
  DeviceEffects effects;
};

void require_known_classes(const Baseline& baseline, const Policy& policy,
                           const std::string& file) {
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [which, metric] : record.metrics) {
      if (metric.judged && policy.classes.count(metric.variance_class) == 0) {
        throw UsageError(
            fmt::format("{}: metric \"{}\" of case \"{}\": at \"/variance_class\": policy.json "
                        "knows no class \"{}\"",
                        file, text_of(which), key, metric.variance_class.substr(0, 80)),
            "correct it, or add the class to baselines/policy.json, with its source");
      }
    }
  }
}

Judge::Judge(Baseline baseline, const Policy& policy, std::set<std::string> night)
    : learned_(std::make_shared<const Learned>(std::move(baseline), policy, std::move(night))),
      policy_(&policy),
      alpha_(share_of_budget(learned_->baseline, policy, learned_->night)) {}

Judge Judge::of_device(const CeilingRates& tonight) const {
  Judge out = *this;
  const auto rate = tonight.find(kDramRead);
  out.log_dram_read_ = rate == tonight.end() ? std::nullopt : std::optional(std::log(rate->second));
  return out;
}

Judge Judge::of_two_looks(const SiblingChanges* siblings) const {
  Judge out = *this;
  out.look_ = siblings == nullptr ? Look::kFirst : Look::kSecond;
  out.siblings_ = siblings;
  return out;
}

Judge Judge::with_alpha(double alpha) const {
  Judge out = *this;
  out.alpha_ = alpha;
  return out;
}

const Baseline& Judge::baseline() const { return learned_->baseline; }

const std::set<std::string>& Judge::night() const { return learned_->night; }

const MetricHistory& Judge::history(const std::string& case_key, Metric metric) const {
  return learned_->histories.at({case_key, metric});
}

const VariancePrior& Judge::session_noise(const std::string& case_key, Metric metric) const {
  return learned_->priors.session(case_key, metric);
}

const ProcessSpread& Judge::spread_limit(const std::string& case_key, Metric metric) const {
  return learned_->spreads.of(case_key, metric);
}

const RecordedEffects* Judge::effects(const CaseGroup& siblings) const {
  return learned_->effects.of(siblings);
}

}  // namespace perfgate
