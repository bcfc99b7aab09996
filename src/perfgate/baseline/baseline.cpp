#include "perfgate/baseline/baseline.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "perfgate/stats/descriptive.h"

namespace perfgate {

int judged_metrics(const Baseline& baseline) {
  int count = 0;
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [name, metric] : record.metrics) {
      count += metric.judged ? 1 : 0;
    }
  }
  return count;
}

SessionFigures figures_of(const Epoch& epoch, const std::string& session) {
  SessionFigures out;
  for (const auto& [metric, sessions] : epoch.figures) {
    if (const auto found = sessions.find(session); found != sessions.end()) {
      out[metric] = found->second;
    }
  }
  return out;
}

std::vector<std::string> anchors_with(const Epoch& epoch, const std::string& metric) {
  std::vector<std::string> out;
  if (const auto sessions = epoch.figures.find(metric); sessions != epoch.figures.end()) {
    std::copy_if(epoch.anchor.begin(), epoch.anchor.end(), std::back_inserter(out),
                 [&](const std::string& id) { return sessions->second.count(id) > 0; });
  }
  return out;
}

Tuning tuning_of(const Baseline& baseline, const std::string& case_key) {
  const auto record = baseline.cases.find(case_key);
  const bool measured = record != baseline.cases.end() && !record->second.epochs.empty();
  return measured ? record->second.epochs.back().tuning : Tuning{};
}

std::optional<double> recorded_median(const CaseRecord& record, const std::string& metric) {
  std::vector<double> out;
  const auto& epoch = record.epochs.back();
  for (const auto& id : anchors_with(epoch, metric)) {
    out.push_back(median(epoch.figures.at(metric).at(id)));
  }
  return out.empty() ? std::nullopt : std::optional<double>(median(out));
}

std::optional<double> recorded_ceiling(const Baseline& baseline, const std::string& name) {
  std::vector<double> out;
  for (const auto& [id, session] : baseline.sessions) {
    if (const auto found = session.ceilings.find(name); found != session.ceilings.end()) {
      out.push_back(found->second);
    }
  }
  return out.empty() ? std::nullopt : std::optional<double>(median(out));
}

std::vector<std::string> units_of(const Baseline& baseline) {
  std::set<std::string> units;
  for (const auto& [id, session] : baseline.sessions) {
    units.insert(session.unit);
  }
  return {units.begin(), units.end()};
}

}  // namespace perfgate
