#include "perfgate/gate/case_night.h"

#include <algorithm>
#include <cmath>

#include "perfgate/baseline/session_value.h"

namespace perfgate {
namespace {

// The judge's standard error is of one night against a mean of `sessions`. A night of fewer
// processes than a session has is less steady by what they differ by.
std::optional<SeriesNoise> noise_of(const Judge& judge, const std::string& case_key,
                                    const Judgement& judgement, int workers) {
  const int full = judge.policy().workers_a_session;
  const bool fewer = workers < full;
  if (!judgement.known_device ||
      (fewer && judge.baseline().cases.at(case_key).metrics.at(judgement.metric).statistic ==
                    Statistic::kBest)) {
    return std::nullopt;
  }
  const double sessions = judgement.sessions;
  const double session = judgement.standard_error * judgement.standard_error / (1 + 1 / sessions);
  double night = session;
  if (fewer) {
    night += judge.history(case_key, judgement.metric).of_values.variance() *
             (static_cast<double>(full) / workers - 1);
  }
  return SeriesNoise{std::sqrt(night), std::sqrt(session / sessions), judgement.degrees};
}

// Whether the judge compared with what is recorded.
bool has_reference(const CaseRecord& record, const Judgement& judgement) {
  const auto measured = record.revisions.back().measurements.find(judgement.metric);
  return measured != record.revisions.back().measurements.end() && judgement.sessions > 0;
}

}  // namespace

CaseNight night_without_figures(const Baseline& recorded, const SessionRecord& tonight,
                                const Outcome& outcome) {
  const auto record = recorded.cases.find(outcome.case_key);
  return {tonight.date,
          recorded.device.model,
          outcome.device_id,
          tonight.commit,
          tonight.libtorch,
          tonight.driver,
          outcome.case_key,
          record == recorded.cases.end() ? "" : record->second.revisions.back().reference.front(),
          static_cast<int>(outcome.reports.size()),
          outcome.verdict,
          {}};
}

std::vector<CaseNight> case_nights(const Judge& judge, const SessionRecord& tonight,
                                   const std::vector<Outcome>& outcomes) {
  std::vector<CaseNight> out;
  for (const auto& outcome : outcomes) {
    if (outcome.verdict == Verdict::kMachineInvalid || outcome.judgements.empty() ||
        outcome.reports.empty() || outcome.recorded != Recorded::kNot) {
      continue;
    }
    const CaseRecord& record = judge.baseline().cases.at(outcome.case_key);
    CaseNight night = night_without_figures(judge.baseline(), tonight, outcome);
    for (const auto& judgement : outcome.judgements) {
      if (has_reference(record, judgement)) {
        night.metrics[judgement.metric] = {
            judgement.now, log_of(judgement.change),
            noise_of(judge, night.case_key, judgement, night.workers), judgement.sessions,
            judgement.verdict};
      }
    }
    if (!night.metrics.empty()) {
      out.push_back(std::move(night));
    }
  }
  return out;
}

LogChange change_against(const SeriesNight& last, const SeriesNight& night, Metric metric) {
  return {last.change.log +
          slower_sign(better_of(metric)) * (std::log(night.value) - std::log(last.value))};
}

}  // namespace perfgate
