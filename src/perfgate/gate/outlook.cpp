#include "perfgate/gate/outlook.h"

#include <utility>
#include <vector>

#include "perfgate/gate/outcome.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

// Of a session as it is recorded, what one process measured: a night screens with one.
SessionMeasurements of_one_process(const Revision& revision, const std::string& session) {
  SessionMeasurements out = measurements_of(revision, session);
  for (auto& [metric, measurements] : out) {
    measurements.resize(1);
  }
  return out;
}

// The judgement whose MDE a table would show, as if tonight were as a reference session.
std::optional<Judgement> keenest(const Judge& judge, const std::string& key,
                                 const std::string& device_id) {
  const CaseRecord& record = judge.baseline().cases.at(key);
  const Revision& revision = record.revisions.back();
  std::optional<Judgement> out;
  for (const auto& [metric, description] : record.metrics) {
    const auto references = references_with(revision, metric);
    if (!description.judged || references.empty()) {
      continue;
    }
    const auto judgement =
        judgement_of(judge, key, metric, of_one_process(revision, references.back()), device_id);
    const auto rank = [](const Judgement& one) {
      return std::pair(stands_beside_time(one.metric.quantity), one.mde);
    };
    if (!out || rank(judgement) < rank(*out)) {
      out = judgement;
    }
  }
  return out;
}

NightOutlook::Part part_of(const std::vector<double>& mdes) {
  return {static_cast<int>(mdes.size()), mdes.empty() ? std::nullopt : std::optional(median(mdes))};
}

}  // namespace

NightOutlook outlook(const Judge& judge, const std::set<std::string>& night,
                     const std::string& device_id) {
  NightOutlook out;
  std::vector<double> own;
  std::vector<double> others;
  for (const auto& key : night) {
    if (judge.baseline().cases.count(key) == 0) {
      ++out.unrecorded;
    } else if (const auto judgement = keenest(judge, key, device_id)) {
      (judgement->known_device ? own : others).push_back(judgement->mde);
    }
  }
  out.own = part_of(own);
  out.others = part_of(others);
  return out;
}

}  // namespace perfgate
