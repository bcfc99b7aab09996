#include "perfgate/gate/creep.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perfgate/gate/change.h"

namespace perfgate {
namespace {

bool is_the_judges(Verdict verdict) {
  return verdict == Verdict::kRegressed || verdict == Verdict::kUnsteady;
}

// The night's own budget is shared among its metrics and groups; so is this.
double share_of_series(const Judge& judge) {
  return judge.alpha() / judge.policy().false_alarms_a_night *
         judge.policy().creep.false_alarms_a_night;
}

}  // namespace

SeriesNights::SeriesNights(const Judge& judge, std::string device_id,
                           std::vector<std::string> cases)
    : judge_(judge), device_id_(std::move(device_id)) {
  for (auto& key : cases) {
    const auto found = judge.baseline().cases.find(key);
    if (found == judge.baseline().cases.end()) {
      continue;
    }
    const Revision& revision = found->second.revisions.back();
    Reference& reference = references_[std::move(key)];
    reference.revision = revision.reference.front();
    for (const auto& [metric, description] : found->second.metrics) {
      reference.sessions[metric] =
          static_cast<int>(references_on(judge.baseline(), revision, metric, device_id_).size());
    }
  }
}

void SeriesNights::add(const CaseNight& night) {
  if (night.device_id != device_id_ || is_the_judges(night.verdict)) {
    return;
  }
  const auto reference = references_.find(night.case_key);
  if (reference == references_.end() || reference->second.revision != night.revision) {
    return;
  }
  for (const auto& [metric, series] : night.metrics) {
    const auto sessions = reference->second.sessions.find(metric);
    if (!series.noise || is_the_judges(series.verdict) ||
        sessions == reference->second.sessions.end() || sessions->second != series.sessions) {
      continue;
    }
    if (NightBuild build{night.time, night.commit, night.libtorch, night.driver};
        builds_.empty() || builds_.back() != build) {
      builds_.push_back(std::move(build));
    }
    series_[{night.case_key, metric}].push_back(
        {builds_.size() - 1,
         {series.change, series.noise->night, series.noise->reference, series.noise->degrees}});
  }
}

std::vector<SeriesCreep> SeriesNights::creeps() const {
  const CreepPolicy& policy = judge_.policy().creep;
  const CusumRule rule{policy.allowance,
                       policy.clip,
                       policy.least_nights,
                       static_cast<std::size_t>(policy.newest_nights),
                       std::log1p(policy.tolerance_of(judge_.baseline().device.kind)),
                       cusum_limit(share_of_series(judge_), policy.allowance)};
  std::vector<SeriesCreep> out;
  for (const auto& [which, unordered] : series_) {
    auto nights = unordered;
    const auto build_of = [this](const Night& night) -> const NightBuild& {
      return builds_[night.build];
    };
    std::stable_sort(nights.begin(), nights.end(), [&](const Night& a, const Night& b) {
      return build_of(a).time < build_of(b).time;
    });
    std::vector<NightPoint> points;
    for (const auto& night : nights) {
      points.push_back(night.point);
    }
    if (const auto creep = find_creep(points, rule)) {
      out.push_back(
          {which.first, device_id_, which.second, relative(creep->change),
           static_cast<int>(nights.size() - creep->since),
           creep->since == 0 ? std::nullopt : std::optional(build_of(nights[creep->since - 1])),
           build_of(nights[creep->since]), build_of(nights[creep->found]),
           build_of(nights.back())});
    }
  }
  return out;
}

}  // namespace perfgate
