#include "perfgate/baseline/baseline.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "perfgate/baseline/optional_metrics.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {

const PhaseRecord& CaseRecord::phase(Phase which) const {
  static const PhaseRecord nothing;
  const auto found = phases.find(which);
  return found == phases.end() ? nothing : found->second;
}

SessionMeasurements measurements_of(const Revision& revision, const std::string& session) {
  SessionMeasurements out;
  for (const auto& [metric, sessions] : revision.measurements) {
    if (const auto found = sessions.find(session); found != sessions.end()) {
      out[metric] = found->second;
    }
  }
  return out;
}

std::vector<std::string> references_with(const Revision& revision, Metric metric) {
  std::vector<std::string> out;
  if (const auto sessions = revision.measurements.find(metric);
      sessions != revision.measurements.end()) {
    std::copy_if(revision.reference.begin(), revision.reference.end(), std::back_inserter(out),
                 [&](const std::string& id) { return sessions->second.count(id) > 0; });
  }
  return out;
}

bool is_whole_reference(const Revision& revision, const std::string& session) {
  return std::any_of(revision.measurements.begin(), revision.measurements.end(),
                     [&session](const auto& item) {
                       const Quantity quantity = item.first.quantity;
                       return !may_join_later(quantity) && quantity != Quantity::kHostControl &&
                              item.second.count(session) > 0;
                     });
}

std::vector<std::string> references_on(const Baseline& baseline, const Revision& revision,
                                       Metric metric, const std::string& device_id) {
  auto out = references_with(revision, metric);
  std::erase_if(
      out, [&](const std::string& id) { return baseline.sessions.at(id).device_id != device_id; });
  return out;
}

int whole_references_on(const Baseline& baseline, const Revision& revision,
                        const std::string& device_id) {
  return static_cast<int>(std::count_if(
      revision.reference.begin(), revision.reference.end(), [&](const std::string& id) {
        return baseline.sessions.at(id).device_id == device_id && is_whole_reference(revision, id);
      }));
}

Tuning tuning_of(const Baseline& baseline, const std::string& case_key) {
  const auto record = baseline.cases.find(case_key);
  const bool measured = record != baseline.cases.end() && !record->second.revisions.empty();
  return measured ? record->second.revisions.back().tuning : Tuning{};
}

std::optional<double> recorded_median(const CaseRecord& record, Metric metric) {
  std::vector<double> out;
  const auto& revision = record.revisions.back();
  for (const auto& id : references_with(revision, metric)) {
    out.push_back(median(revision.measurements.at(metric).at(id)));
  }
  return out.empty() ? std::nullopt : std::optional<double>(median(out));
}

std::optional<double> recorded_ceiling(const Baseline& baseline, const Ceiling& ceiling) {
  std::vector<double> out;
  for (const auto& [id, session] : baseline.sessions) {
    if (const auto found = session.ceilings.find(ceiling); found != session.ceilings.end()) {
      out.push_back(found->second);
    }
  }
  return out.empty() ? std::nullopt : std::optional<double>(median(out));
}

const SessionRecord* newest_session(const Baseline& baseline, const std::string& device_id,
                                    const std::string& before) {
  const auto rank = [&](const SessionRecord& session) {
    return std::pair(session.device_id == device_id, session.date);
  };
  const SessionRecord* out = nullptr;
  for (const auto& [id, session] : baseline.sessions) {
    const bool counts = before.empty() || session.date < before;
    if (counts && (out == nullptr || rank(*out) < rank(session))) {
      out = &session;
    }
  }
  return out;
}

int sessions_on(const Baseline& baseline, const Revision& revision, const std::string& device_id) {
  const int references = whole_references_on(baseline, revision, device_id);
  int later = 0;
  if (const auto found = revision.later.find(device_id); found != revision.later.end()) {
    for (const auto& [metric, sessions] : found->second.metrics) {
      later = std::max(later, sessions.count);
    }
  }
  return references + later;
}

std::vector<std::string> devices_of(const Baseline& baseline) {
  std::set<std::string> devices;
  for (const auto& [id, session] : baseline.sessions) {
    devices.insert(session.device_id);
  }
  return {devices.begin(), devices.end()};
}

}  // namespace perfgate
