#include "perfgate/baseline/record.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>
#include <tuple>

#include "perfgate/baseline/folding.h"
#include "perfgate/baseline/kept_tunings.h"
#include "perfgate/baseline/optional_metrics.h"
#include "perfgate/core/ascii.h"
#include "perfgate/model/case_key.h"

namespace perfgate {
namespace {

std::string short_device_id(const std::string& device_id) {
  std::string out;
  for (const char c : device_id.rfind("GPU-", 0) == 0 ? device_id.substr(4) : device_id) {
    if (is_alnum(c) && out.size() < 8) {
      out += c;
    }
  }
  return out;
}

// Has all that is judged, measured by the protocols of the record. Which metrics are judged, with
// which tolerance, statistic and class, is the record's to say. A case that changed between being
// queued whole and being launch-bound is judged by other metrics, so its record begins anew; in a
// session that found no change, a process whose host was delayed leaves the record as it is.
bool comparable(const CaseRecord& record, const CaseSession& session) {
  const bool same_protocols =
      std::all_of(record.phases.begin(), record.phases.end(), [&](const auto& item) {
        const auto found = session.phases.find(item.first);
        return found != session.phases.end() &&
               (session.changed ? without_own_settings(found->second.protocol) ==
                                      without_own_settings(item.second.protocol)
                                : is_same_protocol(found->second.protocol, item.second.protocol));
      });
  return !record.metrics.empty() && same_protocols &&
         record.phases.size() == session.phases.size() &&
         std::all_of(record.metrics.begin(), record.metrics.end(), [&](const auto& item) {
           const bool of_queued_alone = item.first.quantity == Quantity::kCycles;
           return !item.second.judged || session.metrics.count(item.first) > 0 ||
                  is_optional(item.first.quantity) || (of_queued_alone && !session.changed);
         });
}

// Whether the record judges by what this session would, for all that it knows: by busy time, say,
// or otherwise by hand, it does not, and then a metric that it does not know is not judged, either.
// The host's own time says nothing that another metric of the device could say instead.
bool judges_as_proposed(const CaseRecord& record, const CaseSession& session) {
  return std::all_of(record.metrics.begin(), record.metrics.end(), [&](const auto& item) {
    const auto found = session.metrics.find(item.first);
    if (found == session.metrics.end() || is_optional(item.first.quantity)) {
      return true;
    }
    const MetricRecord& proposed = found->second.description;
    return proposed.judged == item.second.judged && proposed.statistic == item.second.statistic;
  });
}

// Set by hand, and still meant where the metric is judged as it was: choosing the judged metric
// sets one, too.
bool keeps_tolerance(const MetricRecord& before, const MetricRecord& now) {
  return before.tolerance && before.judged == now.judged && before.statistic == now.statistic;
}

Revision& begin_revision(CaseRecord& record, const CaseSession& item, const std::string& date) {
  record.revisions.push_back({item.reason, date, {}, {}, item.tuning});
  return record.revisions.back();
}

// The revision that a session belongs to, begun if need be.
Revision& revision_for(CaseRecord& record, const CaseSession& item, const std::string& date) {
  // Another run may have recorded another tuning meanwhile: measurements of both are kept apart.
  if (record.revisions.empty() || record.revisions.back().tuning != item.tuning) {
    return begin_revision(record, item, date);
  }
  Revision& newest = record.revisions.back();
  const bool begun_since =
      newest.reference.front() != item.judged_against && newest.reason == item.reason;
  if (item.changed) {
    return begun_since ? newest : begin_revision(record, item, date);
  }
  const auto judged_against = std::find_if(
      record.revisions.begin(), record.revisions.end(),
      [&](const Revision& revision) { return revision.reference.front() == item.judged_against; });
  return judged_against == record.revisions.end() ? newest : *judged_against;
}

void drop_unnamed_sessions(Baseline& baseline) {
  std::set<std::string> named;
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& revision : record.revisions) {
      named.insert(revision.reference.begin(), revision.reference.end());
      for (const auto& [device, on_device] : revision.later) {
        named.insert(on_device.last);
      }
    }
  }
  std::erase_if(baseline.sessions, [&](const auto& item) { return named.count(item.first) == 0; });
}

// The record without what is measured under another protocol now; tolerances that somebody set
// stay.
CaseRecord begun_afresh(const CaseRecord& before, const CaseSession& session) {
  CaseRecord out;
  for (const auto& [metric, measured] : session.metrics) {
    const auto old = before.metrics.find(metric);
    if (old != before.metrics.end() && keeps_tolerance(old->second, measured.description)) {
      out.metrics[metric] = measured.description;
      out.metrics[metric].tolerance = old->second.tolerance;
    }
  }
  return out;
}

// A reference session is kept as measured, of what is judged or needed beside it.
void add_reference(const std::string& id, const CaseSession& session, CaseRecord& record,
                   Revision& revision) {
  const bool as_proposed = judges_as_proposed(record, session);
  for (const auto& [metric, measured] : session.metrics) {
    MetricRecord described = measured.description;
    described.judged = described.judged && (as_proposed || is_optional(metric.quantity));
    const auto known = record.metrics.find(metric);
    const bool judged = known == record.metrics.end() ? described.judged : known->second.judged;
    if (judged || is_always_recorded(metric.quantity)) {
      record.metrics.try_emplace(metric, described);
      revision.measurements[metric][id] = measured.measurements;
    }
  }
  revision.reference.push_back(id);
}

// Whether the recorded kernel is the measured one, but for what only its compiler knows.
bool is_same_kernel(const KernelRecord& a, const KernelRecord& b) {
  return a.name == b.name && a.count == b.count && launch_of(a) == launch_of(b);
}

// Kernels that were recorded before their compiler was asked about them.
void add_what_compilers_know(std::vector<KernelRecord>& recorded,
                             const std::vector<KernelRecord>& measured) {
  for (auto& kernel : recorded) {
    const auto now = std::find_if(measured.begin(), measured.end(), [&](const KernelRecord& other) {
      return is_same_kernel(kernel, other);
    });
    if (now != measured.end() && kernel.source.empty()) {
      kernel.configuration = now->configuration;
      kernel.source = now->source;
      kernel.bytes_a_launch = now->bytes_a_launch;
    }
  }
}

void describe_phases(const CaseSession& session, CaseRecord& record) {
  for (const auto& [phase, measured] : session.phases) {
    PhaseRecord& recorded = record.phases[phase];
    if (recorded.protocol.empty()) {
      recorded.protocol = measured.protocol;
    }
    if (const auto pass = measured.protocol.find(kHostPass); pass != measured.protocol.end()) {
      recorded.protocol[kHostPass] = pass->second;
    }
    // What ran when the revision began: other kernels are accepted by name. Without a trace, the
    // last list is better than none.
    if (!measured.kernels.empty() && (session.changed || recorded.kernels.empty())) {
      recorded.kernels = measured.kernels;
    }
    add_what_compilers_know(recorded.kernels, measured.kernels);
  }
}

// The texts of the sources that the recorded kernels name; of those recorded before, it has them.
void keep_kernel_sources(const CaseSession& session, const CaseRecord& record, Baseline& baseline) {
  for (const auto& [phase, part] : record.phases) {
    for (const auto& kernel : part.kernels) {
      if (const auto text = session.kernel_sources.find(kernel.source);
          text != session.kernel_sources.end()) {
        baseline.kernel_sources.insert(*text);
      }
    }
  }
}

// What is folded. Not what a package took to compile: night after night loads the same one, and so
// many equal measurements would say that the next one takes exactly as long.
SessionMeasurements measurements_of(const CaseSession& session) {
  SessionMeasurements out;
  for (const auto& [metric, measured] : session.metrics) {
    if (metric.phase != Phase::kCompile) {
      out[metric] = measured.measurements;
    }
  }
  return out;
}

}  // namespace

std::map<Metric, MeasuredMetric> measured_metrics(const std::vector<WorkerReport>& reports) {
  std::map<Metric, MeasuredMetric> out;
  for (const auto& [metric, first] : reports.front().metrics) {
    const bool in_all = std::all_of(reports.begin(), reports.end(),
                                    [&, &metric = metric](const WorkerReport& report) {
                                      return report.metrics.count(metric) > 0;
                                    });
    if (first.derived || !in_all) {  // not in all: one of them could not be traced
      continue;
    }
    auto& measured = out[metric];
    measured.description = {first.judged, first.tolerance, first.variance_class, first.statistic};
    for (const auto& report : reports) {
      measured.measurements.push_back(report.metrics.at(metric).value);
    }
  }
  return out;
}

std::map<Phase, PhaseRecord> measured_phases(const std::vector<WorkerReport>& reports) {
  std::map<Phase, PhaseRecord> out;
  for (const auto& [phase, part] : reports.front().phases) {
    out[phase] = {part.protocol, kernels_of(part)};
    if (is_queued_whole(part.protocol)) {
      const auto queued = std::count_if(
          reports.begin(), reports.end(), [phase = phase](const WorkerReport& report) {
            return is_queued_whole(report.phase(phase).protocol) == true;
          });
      out[phase].protocol[kQueuedWhole] = 2 * static_cast<std::size_t>(queued) > reports.size();
    }
  }
  return out;
}

std::string next_session_id(const Baseline& baseline, const SessionRecord& session) {
  const std::string stem =
      session.date.substr(0, 10) + "-" + short_device_id(session.device_id) + "-";
  int last = 0;  // not the first free one: sessions that were folded are gone
  for (const auto& [id, other] : baseline.sessions) {
    if (id.starts_with(stem)) {
      int number = 0;
      std::from_chars(id.data() + stem.size(), id.data() + id.size(), number);
      last = std::max(last, number);
    }
  }
  // Two digits, so that ids sort in the order in which they were recorded.
  return stem + (last + 1 < 10 ? "0" : "") + std::to_string(last + 1);
}

std::string record_session(Baseline& baseline, const SessionRecord& session,
                           const std::vector<CaseSession>& cases, const RecordRules& rules) {
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
      record = begun_afresh(record, item);
    }
    drop_what_was_set_otherwise(item, record);
    Revision& revision = revision_for(record, item, session.date.substr(0, 10));
    const bool is_reference =
        whole_references_on(baseline, revision, session.device_id) < kReferenceSessions &&
        (revision.reference.empty() || joining(baseline, revision, item.case_key, session,
                                               rules.known_device_sessions) == Joining::kReference);
    if (is_reference) {
      add_reference(id, item, record, revision);
    } else {
      fold(id, session.device_id, measurements_of(item), record.metrics, rules.clock, revision);
      note_as_fast(baseline, item.case_key, session, rules.known_device_sessions, revision);
      add_first_measurements(id, item, baseline, record, revision);
    }
    drop_what_has_no_reference(record);
    describe_phases(item, record);
    keep_kernel_sources(item, record, baseline);
    keep_tunings(item.package_tunings, item.changed, baseline);
  }
  drop_unnamed_sessions(baseline);
  return id;
}

}  // namespace perfgate
