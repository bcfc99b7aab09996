#include "perfgate/baseline/record.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "perfgate/model/case_key.h"

namespace perfgate {
namespace {

std::string short_unit(const std::string& unit) {
  std::string out;
  for (const char c : unit.rfind("GPU-", 0) == 0 ? unit.substr(4) : unit) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 && out.size() < 8) {
      out += c;
    }
  }
  return out;
}

// Judged, tolerance, statistic and class are the record's to say.
bool comparable(const MetricRecord& a, const MetricRecord& b) {
  return a.unit == b.unit && a.better == b.better && a.protocol == b.protocol;
}

bool comparable(const CaseRecord& record, const CaseSession& session) {
  return !record.metrics.empty() &&
         std::all_of(record.metrics.begin(), record.metrics.end(), [&](const auto& item) {
           const auto found = session.metrics.find(item.first);
           return found == session.metrics.end()
                      ? !item.second.judged
                      : comparable(item.second, found->second.description);
         });
}

int anchors_of_unit(const Baseline& baseline, const Epoch& epoch, const std::string& unit) {
  return static_cast<int>(
      std::count_if(epoch.anchor.begin(), epoch.anchor.end(),
                    [&](const std::string& id) { return baseline.sessions.at(id).unit == unit; }));
}

// Whether the record judges by what this session would, for all that it knows: by busy time, say,
// or otherwise by hand, it does not, and then a metric that it does not know is not judged, either.
bool judges_as_proposed(const CaseRecord& record, const CaseSession& session) {
  return std::all_of(record.metrics.begin(), record.metrics.end(), [&](const auto& item) {
    const auto found = session.metrics.find(item.first);
    return found == session.metrics.end() || found->second.description.judged == item.second.judged;
  });
}

// Set by hand, and still meant where the metric is judged as it was: choosing the judged metric
// sets one, too.
bool keeps_tolerance(const MetricRecord& before, const MetricRecord& now) {
  return before.tolerance && before.judged == now.judged && before.statistic == now.statistic;
}

Epoch& begin_epoch(CaseRecord& record, const CaseSession& item, const std::string& date) {
  record.epochs.push_back({item.reason, date, {}, {}, item.tuning});
  return record.epochs.back();
}

// The epoch that a session belongs to, begun if need be.
Epoch& epoch_for(CaseRecord& record, const CaseSession& item, const std::string& date) {
  // Another run may have recorded another tuning meanwhile: figures of both are kept apart.
  if (record.epochs.empty() || record.epochs.back().tuning != item.tuning) {
    return begin_epoch(record, item, date);
  }
  Epoch& newest = record.epochs.back();
  const bool begun_since =
      newest.anchor.front() != item.judged_against && newest.reason == item.reason;
  if (item.changed) {
    return begun_since ? newest : begin_epoch(record, item, date);
  }
  const auto judged_against =
      std::find_if(record.epochs.begin(), record.epochs.end(),
                   [&](const Epoch& epoch) { return epoch.anchor.front() == item.judged_against; });
  return judged_against == record.epochs.end() ? newest : *judged_against;
}

void drop_unnamed_sessions(Baseline& baseline) {
  std::set<std::string> named;
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& epoch : record.epochs) {
      for (const auto& [metric, sessions] : epoch.figures) {
        for (const auto& [id, figures] : sessions) {
          named.insert(id);
        }
      }
    }
  }
  std::erase_if(baseline.sessions, [&](const auto& item) { return named.count(item.first) == 0; });
}

}  // namespace

std::map<std::string, MeasuredMetric> measured_metrics(const std::vector<WorkerReport>& reports) {
  std::map<std::string, MeasuredMetric> out;
  for (const auto& [name, reading] : reports.front().metrics) {
    const bool in_all = std::all_of(
        reports.begin(), reports.end(),
        [&, &name = name](const WorkerReport& report) { return report.metrics.count(name) > 0; });
    if (reading.derived || !in_all) {  // not in all: one of them could not be traced
      continue;
    }
    auto& metric = out[name];
    metric.description = {
        reading.unit,      reading.better,         reading.judged,   reports.front().protocol,
        reading.tolerance, reading.variance_class, reading.statistic};
    for (const auto& report : reports) {
      metric.figures.push_back(report.metrics.at(name).figure);
    }
  }
  return out;
}

std::string next_session_id(const Baseline& baseline, const SessionRecord& session) {
  const std::string stem = session.date.substr(0, 10) + "-" + short_unit(session.unit) + "-";
  for (int n = 1;; ++n) {
    // Two digits, so that ids sort in the order in which they were recorded.
    std::string id = stem + (n < 10 ? "0" : "") + std::to_string(n);
    if (baseline.sessions.count(id) == 0) {
      return id;
    }
  }
}

std::string record_session(Baseline& baseline, const SessionRecord& session,
                           const std::vector<CaseSession>& cases, int known_unit_sessions) {
  if (cases.empty()) {
    throw std::invalid_argument("a session without a case");
  }
  std::string id = next_session_id(baseline, session);
  baseline.sessions[id] = session;
  std::erase_if(baseline.sessions[id].workloads, [&cases](const auto& item) {
    return std::none_of(cases.begin(), cases.end(), [&item](const CaseSession& of_case) {
      return family_of(of_case.case_key) == item.first;
    });
  });
  for (const auto& item : cases) {
    CaseRecord& record = baseline.cases[item.case_key];
    if (!comparable(record, item)) {
      CaseRecord fresh;
      for (const auto& [name, metric] : item.metrics) {
        fresh.metrics[name] = metric.description;
        const auto old = record.metrics.find(name);
        if (old != record.metrics.end() && keeps_tolerance(old->second, metric.description)) {
          fresh.metrics[name].tolerance = old->second.tolerance;
        }
      }
      record = std::move(fresh);
    }
    Epoch& epoch = epoch_for(record, item, session.date.substr(0, 10));
    const bool is_anchor =
        anchors_of_unit(baseline, epoch, session.unit) < kAnchorSessions &&
        (epoch.anchor.empty() || joining(baseline, epoch, item.case_key, session,
                                         known_unit_sessions) == Joining::kReference);
    if (is_anchor) {
      epoch.anchor.push_back(id);
    }
    const bool as_proposed = judges_as_proposed(record, item);
    for (const auto& [name, metric] : item.metrics) {
      const auto [description, is_new] = record.metrics.try_emplace(name, metric.description);
      if (is_new && !(is_anchor && as_proposed)) {
        description->second.judged = false;
      }
      epoch.figures[name][id] = metric.figures;
    }
    if (!item.kernels.empty()) {  // without a trace, the last list is better than none
      record.kernels = item.kernels;
    }
  }
  drop_unnamed_sessions(baseline);
  return id;
}

}  // namespace perfgate
