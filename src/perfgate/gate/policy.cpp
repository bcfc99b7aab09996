#include "perfgate/gate/policy.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/core/errors.h"
#include "perfgate/gate/policy_parts.h"

namespace perfgate {
namespace {

// Each number that is no part of anything else. "sources" has a text for each.
struct Number {
  const char* name;
  void (*read)(const JsonCursor& cursor, Policy& out);
};

template <double Policy::*Member>
void read_probability(const JsonCursor& cursor, Policy& out) {
  out.*Member = probability(cursor);
}

template <double Policy::*Member>
void read_positive(const JsonCursor& cursor, Policy& out) {
  out.*Member = cursor.positive_number();
}

template <int Policy::*Member>
void read_count(const JsonCursor& cursor, Policy& out) {
  out.*Member = count(cursor);
}

constexpr Number kNumbers[] = {
    {"false_alarms_a_night", read_probability<&Policy::false_alarms_a_night>},
    {"suspect_p_value", read_probability<&Policy::suspect_p_value>},
    {"detection_probability", read_probability<&Policy::detection_probability>},
    {"workers_a_session", read_count<&Policy::workers_a_session>},
    {"screening_share", read_probability<&Policy::screening_share>},
    {"attempts", read_count<&Policy::attempts>},
    {"undisturbed_workers", read_count<&Policy::undisturbed_workers>},
    {"known_device_sessions", read_count<&Policy::known_device_sessions>},
    {"fit_cases", read_count<&Policy::fit_cases>},
    {"max_prior_degrees", read_positive<&Policy::max_prior_degrees>},
    {"dram_alike", read_probability<&Policy::dram_alike>},
    {"busy_spread_ratio", read_positive<&Policy::busy_spread_ratio>},
    {"busy_least_spread", read_probability<&Policy::busy_least_spread>},
    {"net_tolerance", read_probability<&Policy::net_tolerance>},
    {"tolerance",
     [](const JsonCursor& cursor, Policy& out) { read_tolerances(cursor, out.tolerance); }},
    {"blind_share", read_probability<&Policy::blind_share>},
    {"unjudged_nights", read_count<&Policy::unjudged_nights>}};

// What has several numbers, and says itself where they come from.
constexpr Number kParts[] = {
    {"machine", [](const JsonCursor& cursor,
                   Policy& out) { read_by_kind(cursor, machine_policy, out.machine); }},
    {"host", [](const JsonCursor& cursor, Policy& out) { out.host = host_policy(cursor); }},
    {"spread", [](const JsonCursor& cursor,
                  Policy& out) { read_by_kind(cursor, spread_policy, out.spread); }},
    {"mde_limit", [](const JsonCursor& cursor,
                     Policy& out) { read_by_kind(cursor, mde_limits_from, out.mde_limits); }},
    {"clock", [](const JsonCursor& cursor, Policy& out) { out.clock = clock_policy(cursor); }},
    {"effects",
     [](const JsonCursor& cursor, Policy& out) { out.effects = effects_policy(cursor); }},
    {"paired", [](const JsonCursor& cursor, Policy& out) { out.paired = paired_policy(cursor); }},
    {"canaries",
     [](const JsonCursor& cursor, Policy& out) { out.canaries = canary_policy(cursor); }},
    {"global", [](const JsonCursor& cursor, Policy& out) { out.global = global_policy(cursor); }},
    {"creep", [](const JsonCursor& cursor, Policy& out) { out.creep = creep_policy(cursor); }},
    {"classes", [](const JsonCursor& cursor, Policy& out) {
       read_by_kind(cursor, class_policy, out.classes);
     }}};

void require_known(const JsonCursor& cursor) {
  const auto is_known = [](const std::string& name) {
    const auto has = [&name](const auto& list) {
      return std::any_of(std::begin(list), std::end(list),
                         [&name](const Number& item) { return name == item.name; });
    };
    return name == "schema_version" || name == "sources" || has(kNumbers) || has(kParts);
  };
  for (const auto& [name, item] : cursor.members()) {
    if (!is_known(name)) {
      item.fail("unknown member");
    }
  }
  const auto sources = cursor.at("sources");
  for (const auto& number : kNumbers) {
    (void)sources.at(number.name).text();
  }
  for (const auto& [name, text] : sources.members()) {
    if (std::none_of(std::begin(kNumbers), std::end(kNumbers),
                     [&name = name](const Number& number) { return name == number.name; })) {
      text.fail("the source of no number here");
    }
  }
}

// What one number says of another.
void require_sense(const JsonCursor& cursor, const Policy& policy) {
  if (policy.detection_probability < 0.5) {
    cursor.at("detection_probability").fail("less than 0.5: what is seen would mostly be missed");
  }
  if (policy.attempts % 2 == 0) {
    cursor.at("attempts")
        .fail("expected an odd number: of an even one a disturbed session moves the median");
  }
  if (policy.undisturbed_workers > policy.workers_a_session) {
    cursor.at("undisturbed_workers").fail("more than a session has: none would ever be UNSTEADY");
  }
  for (const auto& [kind, item] : cursor.at("machine").members()) {
    if (policy.tolerance.count(kind) == 0) {
      item.fail("no such kind of device has a tolerance");
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
  if (cursor.at("schema_version").integer() != 3) {
    cursor.at("schema_version")
        .fail("this perfgate reads schema version 3",
              "start from baselines/policy.json of this perfgate, which names every number");
  }
  require_known(cursor);
  Policy out;
  for (const auto& number : kNumbers) {
    number.read(cursor.at(number.name), out);
  }
  for (const auto& part : kParts) {
    part.read(cursor.at(part.name), out);
  }
  require_sense(cursor, out);
  return out;
}

}  // namespace perfgate
