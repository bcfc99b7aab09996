#include "perfgate/gate/canary.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perfgate/gate/change.h"
#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

constexpr double kMost = 10;  // --inject_slowdown takes no more

double least_found(const Judgement& judgement, double miss_probability) {
  const double t = student_t_quantile(miss_probability, judgement.degrees);
  return relative({std::log1p(judgement.threshold) + t * judgement.standard_error});
}

}  // namespace

bool shows_injected_work(Metric metric) {
  switch (metric.quantity) {
    case Quantity::kTime:
    case Quantity::kNetTime:
    case Quantity::kBusyTime:
    case Quantity::kCycles:
    case Quantity::kUtilisation:
      return metric.phase != Phase::kCompile;
    default:
      return false;
  }
}

double miss_probability(const Policy& policy, std::size_t night_cases, double share) {
  const double injected_a_night = share * static_cast<double>(night_cases) / 2;
  return std::min(1 - policy.detection_probability,
                  policy.canaries.missed_a_night / injected_a_night);
}

std::optional<Injection> injection_for(const Outcome& passed, double miss_probability) {
  std::optional<Injection> out;
  for (const auto& judgement : passed.judgements) {
    if (!shows_injected_work(judgement.metric)) {
      continue;
    }
    const double least = least_found(judgement, miss_probability);
    if (kInjectedOverLeast * least <= kMost && (!out || least < out->least)) {
      out = {judgement.metric, judgement.mde, least};
    }
  }
  return out;
}

std::optional<double> injected_share(const Outcome& outcome, Phase phase) {
  std::vector<double> shares;
  for (const auto& report : outcome.reports) {
    const auto part = report.phases.find(phase);
    if (part != report.phases.end() && part->second.injected_percent) {
      shares.push_back(*part->second.injected_percent / 100);
    }
  }
  return shares.empty() ? std::nullopt : std::optional(median(shares));
}

CanaryResult result_of(const Outcome& outcome, const std::optional<Injection>& injection) {
  switch (outcome.verdict) {
    case Verdict::kMachineInvalid:
      return CanaryResult::kVoid;
    case Verdict::kRegressed:
    case Verdict::kUnsteady:  // it fails a night as well
      return injection ? CanaryResult::kFound : CanaryResult::kAlarm;
    case Verdict::kPass:
    case Verdict::kBlind:
      break;
    case Verdict::kSuspect:
    case Verdict::kImproved:
      if (!injection) {
        return CanaryResult::kAlarm;
      }
      break;
    case Verdict::kOtherKernels:
    case Verdict::kNoBaseline:
    case Verdict::kWrong:
    case Verdict::kUnsupported:
    case Verdict::kLost:
    case Verdict::kError:
      return CanaryResult::kAlarm;
  }
  if (!injection) {
    return CanaryResult::kUnchanged;
  }
  const auto injected = injected_share(outcome, injection->metric.phase);
  return injected && *injected < injection->least ? CanaryResult::kVoid : CanaryResult::kMissed;
}

}  // namespace perfgate
