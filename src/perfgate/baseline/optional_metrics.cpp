#include "perfgate/baseline/optional_metrics.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace perfgate {
namespace {

// Of a session that is named for optional metrics alone; their control says nothing by itself.
void drop_if_nothing_optional_is_left(const std::string& id, Revision& revision) {
  const auto left = measurements_of(revision, id);
  if (std::any_of(left.begin(), left.end(),
                  [](const auto& item) { return is_optional(item.first.quantity); })) {
    return;
  }
  for (const auto& [metric, measurements] : left) {
    revision.measurements.at(metric).erase(id);
  }
  std::erase_if(revision.measurements, [](const auto& item) { return item.second.empty(); });
  std::erase(revision.reference, id);
}

void forget(Metric metric, CaseRecord& record) {
  record.metrics.erase(metric);
  for (auto& revision : record.revisions) {
    revision.measurements.erase(metric);
    for (auto& [device, on_device] : revision.later) {
      on_device.metrics.erase(metric);
    }
    std::vector<std::string> optional_alone;
    std::copy_if(revision.reference.begin(), revision.reference.end(),
                 std::back_inserter(optional_alone),
                 [&](const std::string& id) { return !is_whole_reference(revision, id); });
    for (const auto& id : optional_alone) {
      drop_if_nothing_optional_is_left(id, revision);
    }
  }
}

template <class Condition>
void forget_where(CaseRecord& record, const Condition& condition) {
  std::vector<Metric> gone;
  for (const auto& [metric, described] : record.metrics) {
    if (is_optional(metric.quantity) && condition(metric)) {
      gone.push_back(metric);
    }
  }
  for (const Metric metric : gone) {
    forget(metric, record);
  }
}

}  // namespace

void drop_what_was_set_otherwise(const CaseSession& session, CaseRecord& record) {
  forget_where(record, [&](Metric metric) {
    const auto measured = session.phases.find(metric.phase);
    if (measured == session.phases.end()) {
      return false;
    }
    const auto now = own_setting_of(measured->second.protocol, metric.quantity);
    return now && now != own_setting_of(record.phase(metric.phase).protocol, metric.quantity);
  });
}

void add_first_measurements(const std::string& id, const CaseSession& session,
                            const Baseline& baseline, CaseRecord& record, Revision& revision) {
  const std::string& device = baseline.sessions.at(id).device_id;
  for (const auto& [metric, measured] : session.metrics) {
    const auto known = record.metrics.find(metric);
    const bool judged =
        known == record.metrics.end() ? measured.description.judged : known->second.judged;
    if (!may_join_later(metric.quantity) || !judged ||
        !references_on(baseline, revision, metric, device).empty()) {
      continue;
    }
    std::vector<Metric> joining = {metric};
    if (is_optional(metric.quantity)) {
      joining.push_back({metric.phase, Quantity::kHostControl});
    }
    for (const Metric& wanted : joining) {
      if (const auto found = session.metrics.find(wanted); found != session.metrics.end()) {
        record.metrics.try_emplace(wanted, found->second.description);
        revision.measurements[wanted][id] = found->second.measurements;
      }
    }
    if (std::find(revision.reference.begin(), revision.reference.end(), id) ==
        revision.reference.end()) {
      revision.reference.push_back(id);
    }
  }
}

void drop_what_has_no_reference(CaseRecord& record) {
  if (!record.revisions.empty()) {
    forget_where(record, [&record](Metric metric) {
      return references_with(record.revisions.back(), metric).empty();
    });
  }
}

}  // namespace perfgate
