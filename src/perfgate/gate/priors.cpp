#include "perfgate/gate/priors.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "perfgate/gate/case_group.h"
#include "perfgate/stats/moderation.h"

namespace perfgate {
namespace {

// What the cases of a group have in common.
class GroupPrior {
 public:
  GroupPrior(const std::vector<MetricHistory>& repeated, double max_degrees)
      : variance_(fit_variance_prior(between_sessions(repeated), max_degrees)) {
    if (std::all_of(repeated.begin(), repeated.end(), workers_tell)) {
      const auto fit = fit_variance_prior(in_terms_of_workers(repeated), max_degrees);
      if (fit.log_likelihood > variance_.log_likelihood) {
        ratio_ = fit;
      }
    }
  }

  [[nodiscard]] VariancePrior of(const MetricHistory& history) const {
    // The degrees are those of cases with repeated sessions: fewer workers tell less.
    return ratio_ && workers_tell(history) && history.between_sessions.degrees > 0
               ? VariancePrior{ratio_->prior.variance * history.of_values.variance(),
                               ratio_->prior.degrees}
               : variance_.prior;
  }

 private:
  static bool workers_tell(const MetricHistory& history) { return history.of_values.sum > 0; }

  static std::vector<SumOfSquares> between_sessions(const std::vector<MetricHistory>& histories) {
    std::vector<SumOfSquares> out;
    for (const auto& history : histories) {
      out.push_back(history.between_sessions);
    }
    return out;
  }

  static std::vector<SumOfSquares> in_terms_of_workers(
      const std::vector<MetricHistory>& histories) {
    auto out = between_sessions(histories);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].sum /= histories[i].of_values.variance();
    }
    return out;
  }

  PriorFit variance_;
  std::optional<PriorFit> ratio_;  // of it to what workers tell, where that is likelier
};

// While the file cannot tell.
VariancePrior assumed(const ClassPolicy& policy, const MetricHistory& history) {
  const SumOfSquares& processes = history.of_values;
  VariancePrior out = policy.session;
  out.variance += processes.degrees > 0 ? policy.process_multiple * processes.variance() : 0;
  return out;
}

}  // namespace

ClassPriors::ClassPriors(const Baseline& baseline, const MetricHistories& histories,
                         const Policy& policy) {
  std::map<CaseGroup, std::vector<MetricHistory>> repeated;
  for (const auto& [which, history] : histories) {
    if (history.between_sessions.degrees > 0 && history.between_sessions.sum > 0) {
      const auto& metric = baseline.cases.at(which.first).metrics.at(which.second);
      repeated[family_group(which.first, metric)].push_back(history);
      repeated[class_group(metric)].push_back(history);
    }
  }
  std::map<CaseGroup, GroupPrior> fitted;
  for (const auto& [group, entries] : repeated) {
    if (static_cast<int>(entries.size()) >= std::max(2, policy.fit_cases)) {
      fitted.emplace(group, GroupPrior(entries, policy.max_prior_degrees));
    }
  }
  for (const auto& [which, history] : histories) {
    const auto& metric = baseline.cases.at(which.first).metrics.at(which.second);
    const auto of_family = fitted.find(family_group(which.first, metric));
    const auto of_class = fitted.find(class_group(metric));
    session_[which] = of_family != fitted.end() ? of_family->second.of(history)
                      : of_class != fitted.end()
                          ? of_class->second.of(history)
                          : assumed(policy.class_of(metric.variance_class), history);
  }
}

const VariancePrior& ClassPriors::session(const std::string& case_key, Metric metric) const {
  return session_.at({case_key, metric});
}

}  // namespace perfgate
