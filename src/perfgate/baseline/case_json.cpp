#include "perfgate/baseline/case_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "perfgate/baseline/plausible.h"
#include "perfgate/model/measured_range.h"
#include "perfgate/model/measurement_json.h"

namespace perfgate {
namespace {

using nlohmann::json;

json to_json(const MetricRecord& metric) {
  json out = {{"judged", metric.judged}, {"variance_class", metric.variance_class}};
  if (metric.tolerance) {
    out["tolerance"] = *metric.tolerance;
  }
  if (metric.statistic != Statistic::kMedian) {
    out["statistic"] = name_of(metric.statistic);
  }
  return out;
}

MetricRecord metric_record_from(const JsonCursor& cursor) {
  cursor.allow_only({"judged", "variance_class", "tolerance", "statistic"});
  MetricRecord out;
  out.judged = cursor.at("judged").boolean();
  out.variance_class = cursor.at("variance_class").text();
  if (const auto item = cursor.find("tolerance")) {
    out.tolerance = item->positive_number();
    if (*out.tolerance > kMaxTolerance) {
      item->fail("more than 0.25 would pass anything");
    }
  }
  if (const auto item = cursor.find("statistic")) {
    out.statistic = item->one_of<Statistic>();
  }
  return out;
}

const SessionRecord& session_named(const JsonCursor& cursor, const std::string& id,
                                   const Baseline& baseline) {
  const auto found = baseline.sessions.find(id);
  if (found == baseline.sessions.end()) {
    cursor.fail("device.json does not describe the session \"" + id + "\"");
  }
  return found->second;
}

Metric described_metric(const JsonCursor& cursor, const std::string& name,
                        const CaseRecord& record) {
  const Metric out = metric_from_json(cursor, name);
  if (record.metrics.count(out) == 0) {
    cursor.fail("measurements of a metric that \"metrics\" does not describe");
  }
  return out;
}

// A list, in the order of LaterSessions, so that it takes a line.
json to_json(const LaterSessions& later) {
  json out = {later.count,          later.mean,   later.squares,
              later.several,        later.within, later.largest.slowest,
              later.largest.typical};
  if (later.mhz) {
    out.push_back(*later.mhz);
  }
  return out;
}

double sum_from(const JsonCursor& cursor) {
  const double out = cursor.number();
  if (out < 0) {
    cursor.fail("expected a number of at least 0");
  }
  return out;
}

int sessions_from(const JsonCursor& cursor, std::int64_t least, std::int64_t most) {
  const auto out = cursor.integer();
  if (out < least || out > most) {
    cursor.fail("expected " + std::to_string(least) + " to " + std::to_string(most) + " sessions");
  }
  return static_cast<int>(out);
}

LaterSessions later_from(const JsonCursor& cursor, Metric metric) {
  const auto items = cursor.elements();
  const bool of_cycles = metric.quantity == Quantity::kCycles;
  if (items.size() != (of_cycles ? 8U : 7U)) {
    cursor.fail(of_cycles ? "expected eight numbers" : "expected seven numbers");
  }
  constexpr std::int64_t kMostSessions = 1'000'000;
  LaterSessions out;
  out.count = sessions_from(items[0], 1, kMostSessions);
  out.mean = measured_number(items[1]);
  out.squares = sum_from(items[2]);
  out.several = sessions_from(items[3], 0, out.count);
  out.within = sum_from(items[4]);
  out.largest = {sum_from(items[5]), sum_from(items[6])};
  if (of_cycles) {
    out.mhz = measured_number(items[7]);
  }
  return out;
}

json to_json(const LaterOnDevice& on_device) {
  json out = {{"last", on_device.last}};
  for (const auto& [metric, later] : on_device.metrics) {
    out[text_of(metric)] = to_json(later);
  }
  return out;
}

json to_json(const Build& build) {
  return {{"libtorch", build.libtorch}, {"workload", build.workload}};
}

json to_json(const Revision& revision) {
  json reference = json::object();
  for (const auto& [metric, sessions] : revision.measurements) {
    for (const auto& [id, measurements] : sessions) {
      reference[id][text_of(metric)] = measurements;
    }
  }
  json out = {{"reason", revision.reason},
              {"date", revision.date},
              {"first", revision.reference.front()},
              {"reference", reference}};
  for (const auto& [device, on_device] : revision.later) {
    out["later"].push_back(to_json(on_device));
  }
  for (const auto& build : revision.found_as_fast) {
    out["found_as_fast"].push_back(to_json(build));
  }
  if (!revision.tuning.empty()) {
    out["tuning"] = revision.tuning;
  }
  return out;
}

void read_reference(const JsonCursor& cursor, const Baseline& baseline, const CaseRecord& record,
                    Revision& out) {
  const auto sessions = cursor.at("reference").members();
  for (const auto& [id, item] : sessions) {
    session_named(item, id, baseline);
    bool judged = false;
    for (const auto& [name, measurements] : item.members()) {
      const Metric metric = described_metric(measurements, name, record);
      out.measurements[metric][id] = measurements_from_json(measurements);
      judged = judged || record.metrics.at(metric).judged;
    }
    if (!judged) {
      item.fail("no judged metric has measurements of this reference session");
    }
    out.reference.push_back(id);
  }
  require_times_of_cycles(cursor.at("reference"), out);
  const auto first =
      std::find(out.reference.begin(), out.reference.end(), cursor.at("first").text());
  if (first == out.reference.end()) {
    cursor.at("first").fail("\"reference\" has no such session");
  }
  std::rotate(out.reference.begin(), first, first + 1);
}

void read_later(const JsonCursor& cursor, const Baseline& baseline, const CaseRecord& record,
                Revision& out) {
  for (const auto& item : cursor.elements()) {
    LaterOnDevice on_device;
    on_device.last = item.at("last").text();
    const auto& device = session_named(item.at("last"), on_device.last, baseline).device_id;
    for (const auto& [name, sums] : item.members()) {
      if (name != "last") {
        const Metric metric = described_metric(sums, name, record);
        if (out.measurements.count(metric) == 0) {
          sums.fail("no reference session has measurements of this metric");
        }
        on_device.metrics[metric] = later_from(sums, metric);
      }
    }
    if (!out.later.emplace(device, std::move(on_device)).second) {
      item.at("last").fail("a second entry of the same device");
    }
  }
}

Revision revision_from(const JsonCursor& cursor, const Baseline& baseline,
                       const CaseRecord& record) {
  cursor.allow_only({"reason", "date", "first", "reference", "later", "found_as_fast", "tuning"});
  Revision out;
  out.reason = cursor.at("reason").text();
  out.date = cursor.at("date").text();
  read_reference(cursor, baseline, record, out);
  if (const auto item = cursor.find("later")) {
    read_later(*item, baseline, record, out);
  }
  if (const auto item = cursor.find("found_as_fast")) {
    for (const auto& build : item->elements()) {
      build.allow_only({"libtorch", "workload"});
      out.found_as_fast.push_back({build.at("libtorch").text(), build.at("workload").text()});
    }
  }
  if (const auto item = cursor.find("tuning")) {
    out.tuning = item->texts();
  }
  return out;
}

}  // namespace

std::vector<double> measurements_from_json(const JsonCursor& cursor) {
  std::vector<double> out;
  for (const auto& item : cursor.elements()) {
    out.push_back(measured_number(item));
  }
  if (out.empty()) {
    cursor.fail("a session without measurements");
  }
  return out;
}

Metric metric_from_json(const JsonCursor& cursor, const std::string& name) {
  const auto out = metric_from(name);
  if (!out) {
    cursor.fail("no metric: expected a quantity, of a phase behind its name and a dot");
  }
  return *out;
}

json case_to_json(const CaseRecord& record) {
  json out = {
      {"phases", json::object()}, {"metrics", json::object()}, {"revisions", json::array()}};
  for (const auto& [phase, part] : record.phases) {
    out["phases"][std::string(name_of(phase))] = {{"protocol", to_json(part.protocol)}};
  }
  for (const auto& [metric, described] : record.metrics) {
    out["metrics"][text_of(metric)] = to_json(described);
  }
  for (const auto& revision : record.revisions) {
    out["revisions"].push_back(to_json(revision));
  }
  return out;
}

CaseRecord case_from_json(const JsonCursor& cursor, const Baseline& baseline) {
  cursor.allow_only({"phases", "metrics", "revisions"});
  CaseRecord out;
  for (const auto& [name, item] : cursor.at("phases").members()) {
    const auto phase = from_name<Phase>(name);
    if (!phase) {
      item.fail("none of " + all_names<Phase>());
    }
    item.allow_only({"protocol"});
    out.phases[*phase].protocol = protocol_from_json(item.at("protocol"));
  }
  for (const auto& [name, item] : cursor.at("metrics").members()) {
    const Metric metric = metric_from_json(item, name);
    if (out.phases.count(metric.phase) == 0) {
      item.fail("\"phases\" does not describe its phase");
    }
    out.metrics[metric] = metric_record_from(item);
  }
  for (const auto& item : cursor.at("revisions").elements()) {
    out.revisions.push_back(revision_from(item, baseline, out));
  }
  if (out.metrics.empty() || out.revisions.empty()) {
    cursor.fail("a case needs at least one metric and one revision");
  }
  require_judged(cursor.at("revisions"), out);
  require_agreement(cursor.at("revisions"), baseline, out);
  return out;
}

}  // namespace perfgate
