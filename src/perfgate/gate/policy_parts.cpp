#include "perfgate/gate/policy_parts.h"

#include "perfgate/baseline/baseline.h"

namespace perfgate {
namespace {

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

// Of a class's member; nothing where it has none.
std::optional<DramPolicy> dram_policy(const JsonCursor& of_class) {
  const auto cursor = of_class.find("dram");
  if (!cursor) {
    return std::nullopt;
  }
  cursor->allow_only({"device", "slope_sd"});
  return DramPolicy{prior(cursor->at("device")), cursor->at("slope_sd").positive_number()};
}

// Of a class's member; nothing where it has none.
std::optional<DeviceEffectPolicy> device_effect_policy(const JsonCursor& of_class) {
  const auto cursor = of_class.find("device_effect");
  if (!cursor) {
    return std::nullopt;
  }
  cursor->allow_only({"degrees", "second_look"});
  return DeviceEffectPolicy{cursor->at("degrees").positive_number(),
                            probability(cursor->at("second_look"))};
}

}  // namespace

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

ClockPolicy clock_policy(const JsonCursor& cursor) {
  cursor.allow_only({"slope", "slope_sd", "jitter", "worker", "source"});
  return {probability(cursor.at("slope")), cursor.at("slope_sd").positive_number(),
          probability(cursor.at("jitter")), prior(cursor.at("worker")), cursor.at("source").text()};
}

MachinePolicy machine_policy(const JsonCursor& cursor) {
  cursor.allow_only({"tolerance", "interference_limit", "within_process_spread", "largest_ratio",
                     "own_spread_ratio", "largest_noise", "source"});
  MachinePolicy out{cursor.at("tolerance").positive_number(),
                    cursor.at("interference_limit").positive_number(),
                    cursor.at("within_process_spread").positive_number(),
                    cursor.at("largest_ratio").positive_number(),
                    cursor.at("own_spread_ratio").positive_number(),
                    cursor.at("largest_noise").positive_number(),
                    cursor.at("source").text()};
  if (out.interference_limit >= out.tolerance) {
    cursor.at("interference_limit").fail("no less than the tolerance, it would never be asked");
  }
  if (out.largest_noise <= kMaxTolerance) {
    cursor.at("largest_noise")
        .fail("no more than a tolerance may be: it would fail what that allows");
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

PairedPolicy paired_policy(const JsonCursor& cursor) {
  cursor.allow_only(
      {"first_pairs", "most_pairs", "tolerance", "prior_degrees", "bisect", "source"});
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
  if (const auto degrees = cursor.find("prior_degrees")) {
    for (const auto& [kind, item] : degrees->members()) {
      out.prior_degrees[kind] = item.positive_number();
    }
  }
  return out;
}

EffectsPolicy effects_policy(const JsonCursor& cursor) {
  cursor.allow_only({"least_links", "least_devices", "outside", "source"});
  EffectsPolicy out{count(cursor.at("least_links")), count(cursor.at("least_devices")),
                    probability(cursor.at("outside")), cursor.at("source").text()};
  if (out.least_devices < 2) {
    cursor.at("least_devices").fail("expected two or more: one device has no effect");
  }
  return out;
}

ClassPolicy class_policy(const JsonCursor& cursor) {
  cursor.allow_only({"session", "device", "dram", "device_effect", "process_multiple", "source"});
  const auto multiple = cursor.find("process_multiple");
  return {prior(cursor.at("session")),  prior(cursor.at("device")),
          cursor.at("source").text(),   dram_policy(cursor),
          device_effect_policy(cursor), multiple ? multiple->positive_number() : 0};
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

CreepPolicy creep_policy(const JsonCursor& cursor) {
  cursor.allow_only({"false_alarms_a_night", "allowance", "clip", "least_nights", "newest_nights",
                     "tolerance", "source"});
  CreepPolicy out{probability(cursor.at("false_alarms_a_night")),
                  cursor.at("allowance").positive_number(),
                  cursor.at("clip").positive_number(),
                  count(cursor.at("least_nights")),
                  count(cursor.at("newest_nights")),
                  {},
                  cursor.at("source").text()};
  if (out.clip <= out.allowance) {
    cursor.at("clip").fail("expected more than the allowance: no night would ever count");
  }
  read_tolerances(cursor.at("tolerance"), out.tolerance);
  return out;
}

}  // namespace perfgate
