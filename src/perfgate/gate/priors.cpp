#include "perfgate/gate/priors.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "perfgate/gate/history.h"
#include "perfgate/model/case_key.h"
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

ClassPriors::ClassPriors(const Baseline& baseline, const Policy& policy) {
  using Group = std::tuple<std::string, Statistic, std::string>;  // class, statistic, family
  const auto family_group = [](const std::string& key, const MetricRecord& metric) {
    return Group{metric.variance_class, metric.statistic, family_of(key)};
  };
  const auto class_group = [](const MetricRecord& metric) {
    return Group{metric.variance_class, metric.statistic, ""};
  };
  std::map<std::pair<std::string, Metric>, MetricHistory> histories;
  std::map<Group, std::vector<MetricHistory>> repeated;
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [name, metric] : record.metrics) {
      if (metric.judged) {
        const auto& history = histories[{key, name}] =
            history_of(baseline, record, name, policy.clock);
        if (history.between_sessions.degrees > 0 && history.between_sessions.sum > 0) {
          repeated[family_group(key, metric)].push_back(history);
          repeated[class_group(metric)].push_back(history);
        }
      }
    }
  }
  std::map<Group, GroupPrior> fitted;
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
