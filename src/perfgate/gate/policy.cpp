#include "perfgate/gate/policy.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/baseline/baseline.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

double probability(const JsonCursor& cursor) {
  const double value = cursor.number();
  constexpr double kLeast = 1e-9;  // beyond it no quantile means anything
  if (!(value >= kLeast && value < 1)) {
    cursor.fail("expected a probability between 0 and 1");
  }
  return value;
}

int count(const JsonCursor& cursor) {
  constexpr int kMost = 10000;
  const auto value = cursor.integer();
  if (value < 1 || value > kMost) {
    cursor.fail("expected a whole number from 1 to 10000");
  }
  return static_cast<int>(value);
}

// Stored as a coefficient of variation, which people can picture; a CV is the standard deviation
// of the log to first order.
VariancePrior prior(const JsonCursor& cursor) {
  cursor.allow_only({"cv", "degrees"});
  const double cv = cursor.at("cv").positive_number();
  if (cv > 1) {
    cursor.at("cv").fail("more than 1: no measurement is as noisy");
  }
  return {cv * cv, cursor.at("degrees").positive_number()};
}

ClockPolicy clock_policy(const JsonCursor& cursor) {
  cursor.allow_only({"slope", "slope_sd", "jitter", "worker", "source"});
  return {probability(cursor.at("slope")), cursor.at("slope_sd").positive_number(),
          probability(cursor.at("jitter")), prior(cursor.at("worker")), cursor.at("source").text()};
}

std::optional<DramPolicy> dram_policy(const JsonCursor& of_class) {
  const auto cursor = of_class.find("dram");
  if (!cursor) {
    return std::nullopt;
  }
  cursor->allow_only({"device", "slope_sd"});
  return DramPolicy{prior(cursor->at("device")), cursor->at("slope_sd").positive_number()};
}

MachinePolicy machine_policy(const JsonCursor& cursor) {
  cursor.allow_only({"tolerance", "interference_limit", "within_process_spread", "largest_ratio",
                     "own_spread_ratio", "source"});
  MachinePolicy out{cursor.at("tolerance").positive_number(),
                    cursor.at("interference_limit").positive_number(),
                    cursor.at("within_process_spread").positive_number(),
                    cursor.at("largest_ratio").positive_number(),
                    cursor.at("own_spread_ratio").positive_number(),
                    cursor.at("source").text()};
  if (out.interference_limit >= out.tolerance) {
    cursor.at("interference_limit").fail("no less than the tolerance, it would never be asked");
  }
  return out;
}

HostPolicy host_policy(const JsonCursor& cursor) {
  cursor.allow_only({"interference_limit", "largest_ratio", "source"});
  return {cursor.at("interference_limit").positive_number(),
          cursor.at("largest_ratio").positive_number(), cursor.at("source").text()};
}

SpreadPolicy spread_policy(const JsonCursor& cursor) {
  cursor.allow_only({"multiple", "least", "unknown", "sessions", "source"});
  SpreadPolicy out{cursor.at("multiple").positive_number(), cursor.at("least").positive_number(),
                   cursor.at("unknown").positive_number(), count(cursor.at("sessions")),
                   cursor.at("source").text()};
  if (out.multiple <= 1) {
    cursor.at("multiple").fail("expected more than 1: what was recorded is no finding");
  }
  return out;
}

MdeLimits mde_limits_from(const JsonCursor& cursor) {
  cursor.allow_only({"known", "unknown", "source"});
  MdeLimits out{cursor.at("known").positive_number(), cursor.at("unknown").positive_number(),
                cursor.at("source").text()};
  for (const char* device : {"known", "unknown"}) {
    if (cursor.at(device).number() > 1) {
      cursor.at(device).fail("more than 1: a case that would miss a doubling must not pass");
    }
  }
  return out;
}

void read_tolerances(const JsonCursor& cursor, std::map<std::string, double>& out) {
  for (const auto& [kind, item] : cursor.members()) {
    out[kind] = probability(item);
    if (out[kind] > kMaxTolerance) {
      item.fail("more than 0.25 would pass anything");
    }
  }
}

BisectPolicy bisect_policy(const JsonCursor& cursor) {
  cursor.allow_only(
      {"confidence", "several", "first_most_pairs", "most_pairs", "build_cost_pairs", "source"});
  BisectPolicy out{probability(cursor.at("confidence")), probability(cursor.at("several")),
                   count(cursor.at("first_most_pairs")), count(cursor.at("most_pairs")),
                   count(cursor.at("build_cost_pairs")), cursor.at("source").text()};
  if (out.confidence <= 0.5) {
    cursor.at("confidence").fail("expected more than a half: two builds would have it");
  }
  return out;
}

PairedPolicy paired_policy(const JsonCursor& cursor) {
  cursor.allow_only({"first_pairs", "most_pairs", "tolerance", "bisect", "source"});
  PairedPolicy out{count(cursor.at("first_pairs")),
                   count(cursor.at("most_pairs")),
                   {},
                   cursor.at("source").text(),
                   bisect_policy(cursor.at("bisect"))};
  if (out.first_pairs < 2 || out.most_pairs < out.first_pairs) {
    cursor.fail("expected at least two pairs before the first look, and no fewer at most");
  }
  if (out.bisect.first_most_pairs < out.first_pairs) {
    cursor.at("bisect").fail("expected no fewer pairs at most than before the first look");
  }
  read_tolerances(cursor.at("tolerance"), out.tolerance);
  return out;
}

CanaryPolicy canary_policy(const JsonCursor& cursor) {
  cursor.allow_only({"missed_a_night", "source"});
  return {probability(cursor.at("missed_a_night")), cursor.at("source").text()};
}

GlobalPolicy global_policy(const JsonCursor& cursor) {
  cursor.allow_only({"least_cases", "tolerance", "source"});
  GlobalPolicy out{count(cursor.at("least_cases")), {}, cursor.at("source").text()};
  read_tolerances(cursor.at("tolerance"), out.tolerance);
  return out;
}

// Numbers that stand without a source of their own; "sources" has one for each.
constexpr const char* kNumbers[] = {"false_alarms_a_night",
                                    "suspect_p_value",
                                    "detection_probability",
                                    "workers_a_session",
                                    "screening_share",
                                    "attempts",
                                    "undisturbed_workers",
                                    "known_device_sessions",
                                    "fit_cases",
                                    "max_prior_degrees",
                                    "busy_spread_ratio",
                                    "busy_least_spread",
                                    "net_tolerance",
                                    "tolerance",
                                    "blind_share",
                                    "unjudged_nights"};

void require_sources(const JsonCursor& cursor) {
  const auto sources = cursor.at("sources");
  for (const char* number : kNumbers) {
    (void)sources.at(number).text();
  }
  for (const auto& [name, text] : sources.members()) {
    if (std::find(std::begin(kNumbers), std::end(kNumbers), name) == std::end(kNumbers)) {
      text.fail("the source of no number here");
    }
  }
}

template <class Value>
const Value& find(const std::map<std::string, Value>& map, const std::string& key,
                  const char* what) {
  const auto found = map.find(key);
  if (found == map.end()) {
    throw UsageError(fmt::format("policy.json knows no {} \"{}\"", what, key),
                     "add it to baselines/policy.json, with its source");
  }
  return found->second;
}

}  // namespace

double Policy::tolerance_of(const std::string& device_kind) const {
  return find(tolerance, device_kind, "tolerance for device kind");
}

double PairedPolicy::tolerance_of(const std::string& device_kind) const {
  return find(tolerance, device_kind, "tolerance of a paired comparison for device kind");
}

double GlobalPolicy::tolerance_of(const std::string& device_kind) const {
  return find(tolerance, device_kind, "tolerance of global changes for device kind");
}

const SpreadPolicy& Policy::spread_of(const std::string& device_kind) const {
  return find(spread, device_kind, "spread for device kind");
}

const MdeLimits& Policy::mde_limit_of(const std::string& device_kind) const {
  return find(mde_limits, device_kind, "MDE limits for device kind");
}

MachinePolicy Policy::machine_of(const std::string& device_kind) const {
  const auto found = machine.find(device_kind);
  return found == machine.end() ? MachinePolicy{} : found->second;
}

const ClassPolicy& Policy::class_of(const std::string& variance_class) const {
  return find(classes, variance_class, "class");
}

Policy policy_from_json(const JsonCursor& cursor) {
  cursor.allow_only({"schema_version",
                     "false_alarms_a_night",
                     "suspect_p_value",
                     "detection_probability",
                     "workers_a_session",
                     "screening_share",
                     "attempts",
                     "undisturbed_workers",
                     "known_device_sessions",
                     "fit_cases",
                     "max_prior_degrees",
                     "machine",
                     "host",
                     "busy_spread_ratio",
                     "busy_least_spread",
                     "net_tolerance",
                     "tolerance",
                     "spread",
                     "mde_limit",
                     "blind_share",
                     "unjudged_nights",
                     "clock",
                     "paired",
                     "canaries",
                     "global",
                     "sources",
                     "classes"});
  if (cursor.at("schema_version").integer() != 2) {
    cursor.at("schema_version")
        .fail("this perfgate reads schema version 2",
              "start from baselines/policy.json of this perfgate, which names every number");
  }
  require_sources(cursor);
  Policy out;
  out.false_alarms_a_night = probability(cursor.at("false_alarms_a_night"));
  out.suspect_p_value = probability(cursor.at("suspect_p_value"));
  out.detection_probability = probability(cursor.at("detection_probability"));
  if (out.detection_probability < 0.5) {
    cursor.at("detection_probability").fail("less than 0.5: what is seen would mostly be missed");
  }
  out.workers_a_session = count(cursor.at("workers_a_session"));
  out.screening_share = probability(cursor.at("screening_share"));
  out.attempts = count(cursor.at("attempts"));
  if (out.attempts % 2 == 0) {
    cursor.at("attempts")
        .fail("expected an odd number: of an even one a disturbed session moves the median");
  }
  out.undisturbed_workers = count(cursor.at("undisturbed_workers"));
  if (out.undisturbed_workers > out.workers_a_session) {
    cursor.at("undisturbed_workers").fail("more than a session has: none would ever be UNSTEADY");
  }
  out.known_device_sessions = count(cursor.at("known_device_sessions"));
  out.fit_cases = count(cursor.at("fit_cases"));
  out.max_prior_degrees = cursor.at("max_prior_degrees").positive_number();
  out.busy_spread_ratio = cursor.at("busy_spread_ratio").positive_number();
  out.busy_least_spread = probability(cursor.at("busy_least_spread"));
  out.net_tolerance = probability(cursor.at("net_tolerance"));
  read_tolerances(cursor.at("tolerance"), out.tolerance);
  for (const auto& [kind, item] : cursor.at("machine").members()) {
    if (out.tolerance.count(kind) == 0) {
      item.fail("no such kind of device has a tolerance");
    }
    out.machine[kind] = machine_policy(item);
  }
  out.host = host_policy(cursor.at("host"));
  for (const auto& [kind, item] : cursor.at("spread").members()) {
    out.spread[kind] = spread_policy(item);
  }
  for (const auto& [kind, item] : cursor.at("mde_limit").members()) {
    out.mde_limits[kind] = mde_limits_from(item);
  }
  out.blind_share = probability(cursor.at("blind_share"));
  out.unjudged_nights = count(cursor.at("unjudged_nights"));
  out.clock = clock_policy(cursor.at("clock"));
  out.paired = paired_policy(cursor.at("paired"));
  out.canaries = canary_policy(cursor.at("canaries"));
  out.global = global_policy(cursor.at("global"));
  for (const auto& [name, item] : cursor.at("classes").members()) {
    item.allow_only({"session", "device", "dram", "source"});
    out.classes[name] = {prior(item.at("session")), prior(item.at("device")),
                         item.at("source").text(), dram_policy(item)};
  }
  return out;
}

}  // namespace perfgate
