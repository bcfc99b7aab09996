#include "perfgate/gate/global_change.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "perfgate/baseline/session_value.h"
#include "perfgate/gate/case_group.h"
#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

// Of one session against the others of its device.
struct Residual {
  double change = 0;     // in logs
  double deviation = 0;  // the same, scaled to the variance of one session
};

// By session, what each case of a group was in it.
using Residuals = std::map<std::string, std::vector<Residual>>;

// One session's values of a metric: of all its processes, and of as many as tonight's.
struct SessionValues {
  double whole = 0;
  double as_tonight = 0;
};

// `revision` has the night's metric.
void add_residuals(const Baseline& baseline, const CaseRecord& record, const ClockPolicy& clock,
                   const NightChange& night, Residuals& out) {
  const Revision& revision = record.revisions.back();
  const auto response = clock_response(revision, night.metric, clock);
  const auto statistic = record.metrics.at(night.metric).statistic;
  const Better better = better_of(night.metric);
  std::map<std::string, std::map<std::string, SessionValues>> by_device;
  for (const auto& [id, as_measured] : revision.measurements.at(night.metric)) {
    auto measured = judged_measurements(measurements_of(revision, id), night.metric, response);
    const double whole = session_value(measured, better, statistic);
    measured.resize(std::min(measured.size(), static_cast<std::size_t>(night.processes)));
    by_device[baseline.sessions.at(id).device_id][id] = {
        whole, session_value(measured, better, statistic)};
  }
  for (const auto& [device, sessions] : by_device) {
    const auto number = static_cast<double>(sessions.size());
    double sum = 0;
    for (const auto& [id, values] : sessions) {
      sum += values.whole;
    }
    for (const auto& [id, values] : sessions) {
      if (number > 1) {
        const double change = values.as_tonight - (sum - values.whole) / (number - 1);
        out[id].push_back({change, change * std::sqrt((number - 1) / number)});
      }
    }
  }
}

double median_of(const std::vector<Residual>& residuals, double Residual::*member) {
  std::vector<double> values;
  for (const auto& residual : residuals) {
    values.push_back(residual.*member);
  }
  return median(values);
}

// How a group's median lies in recorded sessions.
struct Steadiness {
  double bias = 0;      // in logs; of few processes the best is slower than a session's
  double variance = 0;  // of one session's median
  double degrees = 0;
  int sessions = 0;
};

// Sessions of which at least half of the cases are known. A device with n of them has n - 1 degrees
// of freedom.
Steadiness steadiness_of(const Baseline& baseline, const Residuals& residuals, std::size_t cases) {
  std::vector<double> changes;
  std::vector<double> deviations;
  std::map<std::string, int> devices;
  for (const auto& [id, of_session] : residuals) {
    if (2 * of_session.size() >= cases) {
      changes.push_back(median_of(of_session, &Residual::change));
      deviations.push_back(median_of(of_session, &Residual::deviation));
      ++devices[baseline.sessions.at(id).device_id];
    }
  }
  Steadiness out;
  out.sessions = static_cast<int>(changes.size());
  out.degrees = out.sessions - static_cast<double>(devices.size());
  if (out.degrees > 0) {
    out.bias = mean(changes);
    const double usual = mean(deviations);
    for (const double deviation : deviations) {
      out.variance += (deviation - usual) * (deviation - usual) / out.sessions;
    }
  }
  return out;
}

// Of a group, tonight.
struct Members {
  std::vector<double> changes;
  std::vector<double> tolerances;  // relative, of their own; 0 where a case has none
  Residuals residuals;
  int own_sessions = std::numeric_limits<int>::max();  // the fewest of a case on this device
};

std::map<CaseGroup, Members> members_of(const Judge& judge, const std::vector<NightChange>& night) {
  std::map<CaseGroup, Members> out;
  for (const auto& item : night) {
    const auto& record = judge.baseline().cases.at(item.case_key);
    if (record.revisions.back().measurements.count(item.metric) == 0) {
      continue;  // it was compared with what an earlier night found improved
    }
    const auto& description = record.metrics.at(item.metric);
    auto& members = out[night_group(item.case_key, item.metric, description)];
    members.changes.push_back(item.change.log);
    members.tolerances.push_back(description.tolerance.value_or(0));
    members.own_sessions = std::min(members.own_sessions, item.sessions);
    add_residuals(judge.baseline(), record, judge.policy().clock, item, members.residuals);
  }
  return out;
}

}  // namespace

std::vector<NightChange> night_changes(const std::vector<Outcome>& outcomes) {
  std::vector<NightChange> out;
  for (const auto& outcome : outcomes) {
    if (outcome.verdict == Verdict::kMachineInvalid) {
      continue;
    }
    for (const auto& judgement : outcome.judgements) {
      if (judgement.known_device) {
        out.push_back({outcome.case_key, judgement.metric, log_of(judgement.change),
                       static_cast<int>(outcome.reports.size()), judgement.sessions});
      }
    }
  }
  return out;
}

std::vector<GlobalChange> global_changes(const Judge& judge,
                                         const std::vector<NightChange>& night) {
  const Policy& policy = judge.policy();
  const double least_tolerance = policy.global.tolerance_of(judge.baseline().device.kind);
  const double mde_limit = policy.mde_limit_of(judge.baseline().device.kind).known;
  std::vector<GlobalChange> out;
  for (const auto& [group, members] : members_of(judge, night)) {
    const auto cases = members.changes.size();
    const auto steadiness = steadiness_of(judge.baseline(), members.residuals, cases);
    if (static_cast<int>(cases) < policy.global.least_cases || steadiness.variance <= 0) {
      continue;
    }
    const double error = std::sqrt(steadiness.variance * (1 + 1.0 / members.own_sessions));
    const double tolerance = std::log1p(std::max(least_tolerance, median(members.tolerances)));
    const double d = median(members.changes) - steadiness.bias;
    const double threshold =
        std::max(tolerance, student_t_quantile(judge.alpha(), steadiness.degrees) * error);
    const double z = student_t_quantile(1 - policy.detection_probability, steadiness.degrees);
    GlobalChange change;
    change.family = group.family;
    change.variance_class = group.variance_class;
    change.metric = group.metric.value();
    change.verdict = d > threshold    ? Verdict::kRegressed
                     : d < -threshold ? Verdict::kImproved
                                      : Verdict::kPass;
    change.mde = relative({threshold + z * error});
    if (change.verdict == Verdict::kPass && change.mde > mde_limit) {
      change.verdict = Verdict::kBlind;
    }
    change.cases = static_cast<int>(cases);
    change.change = relative({d});
    change.half_width = student_t_quantile(0.025, steadiness.degrees) * error;
    change.threshold = relative({threshold});
    change.p_value = student_t_upper_tail(std::abs(d) / error, steadiness.degrees);
    change.alpha = judge.alpha();
    change.sessions = steadiness.sessions;
    out.push_back(change);
  }
  return out;
}

std::size_t number_of_groups(const Baseline& baseline, const Policy& policy,
                             const std::set<std::string>& cases) {
  std::map<CaseGroup, int> members;
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [metric, description] : record.metrics) {
      if (description.judged && (cases.empty() || cases.count(key) > 0)) {
        ++members[night_group(key, metric, description)];
      }
    }
  }
  return static_cast<std::size_t>(std::count_if(
      members.begin(), members.end(),
      [&policy](const auto& group) { return group.second >= policy.global.least_cases; }));
}

}  // namespace perfgate
