#include "perfgate/gate/policy.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/core/errors.h"
#include "perfgate/gate/policy_parts.h"

namespace perfgate {
namespace {

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

double PairedPolicy::prior_degrees_of(const std::string& device_kind) const {
  const auto found = prior_degrees.find(device_kind);
  return found == prior_degrees.end() ? std::numeric_limits<double>::infinity() : found->second;
}

double GlobalPolicy::tolerance_of(const std::string& device_kind) const {
  return find(tolerance, device_kind, "tolerance of global changes for device kind");
}

double CreepPolicy::tolerance_of(const std::string& device_kind) const {
  return find(tolerance, device_kind, "tolerance of creeps for device kind");
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
                     "creep",
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
  out.creep = creep_policy(cursor.at("creep"));
  for (const auto& [name, item] : cursor.at("classes").members()) {
    item.allow_only({"session", "device", "dram", "device_effect", "process_multiple", "source"});
    const auto multiple = item.find("process_multiple");
    out.classes[name] = {prior(item.at("session")),  prior(item.at("device")),
                         item.at("source").text(),   dram_policy(item),
                         device_effect_policy(item), multiple ? multiple->positive_number() : 0};
  }
  return out;
}

}  // namespace perfgate
