#include "perfgate/gate/case_night.h"

#include <algorithm>
#include <cmath>

#include "perfgate/baseline/session_value.h"

namespace perfgate {
namespace {

// The judge's standard error is of one night against a mean of `sessions`. A night of fewer
// processes than a session has is less steady by what they differ by.
std::optional<SeriesNoise> noise_of(const JudgeContext& context, const CaseRecord& record,
                                    const Judgement& judgement, int workers) {
  const int full = context.policy.workers_a_session;
  const bool fewer = workers < full;
  if (!judgement.known_device ||
      (fewer && record.metrics.at(judgement.metric).statistic == Statistic::kBest)) {
    return std::nullopt;
  }
  const double sessions = judgement.sessions;
  const double session = judgement.standard_error * judgement.standard_error / (1 + 1 / sessions);
  double night = session;
  if (fewer) {
    const auto history =
        history_of(context.baseline, record, judgement.metric, context.policy.clock);
    night += history.of_values.variance() * (static_cast<double>(full) / workers - 1);
  }
  return SeriesNoise{std::sqrt(night), std::sqrt(session / sessions), judgement.degrees};
}

// Whether the judge compared with what is recorded.
bool has_reference(const CaseRecord& record, const Judgement& judgement) {
  const auto measured = record.revisions.back().measurements.find(judgement.metric);
  return measured != record.revisions.back().measurements.end() && judgement.sessions > 0;
}

}  // namespace

std::vector<CaseNight> case_nights(const JudgeContext& context, const SessionRecord& tonight,
                                   const std::vector<Outcome>& outcomes) {
  std::vector<CaseNight> out;
  for (const auto& outcome : outcomes) {
    if (outcome.verdict == Verdict::kMachineInvalid || outcome.judgements.empty() ||
        outcome.reports.empty() || outcome.recorded != Recorded::kNot) {
      continue;
    }
    const CaseRecord& record = context.baseline.cases.at(outcome.case_key);
    CaseNight night{tonight.date,
                    context.baseline.device.model,
                    outcome.device_id,
                    tonight.commit,
                    tonight.libtorch,
                    tonight.driver,
                    outcome.case_key,
                    record.revisions.back().reference.front(),
                    static_cast<int>(outcome.reports.size()),
                    outcome.verdict,
                    {}};
    for (const auto& judgement : outcome.judgements) {
      if (has_reference(record, judgement)) {
        night.metrics[judgement.metric] = {judgement.now, std::log1p(judgement.change),
                                           noise_of(context, record, judgement, night.workers),
                                           judgement.sessions, judgement.verdict};
      }
    }
    if (!night.metrics.empty()) {
      out.push_back(std::move(night));
    }
  }
  return out;
}

double change_against(const SeriesNight& last, const SeriesNight& night, Metric metric) {
  return last.change +
         slower_sign(better_of(metric)) * (std::log(night.value) - std::log(last.value));
}

}  // namespace perfgate
