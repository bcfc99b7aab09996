#pragma once
// The parts of policy.json, each read strictly. All throw UsageError naming the place of what is
// missing, unknown, of the wrong type or without meaning.

#include <map>
#include <optional>
#include <string>

#include "perfgate/core/json.h"
#include "perfgate/gate/policy.h"

namespace perfgate {

/// Above 0 and below 1.
double probability(const JsonCursor& cursor);
/// From 1 to 10000.
int count(const JsonCursor& cursor);
/// By device kind.
void read_tolerances(const JsonCursor& cursor, std::map<std::string, double>& out);
/// Of each member, a kind of device or a class, what `read` makes of it.
template <class Part>
void read_by_kind(const JsonCursor& cursor, Part (*read)(const JsonCursor&),
                  std::map<std::string, Part>& out) {
  for (const auto& [kind, item] : cursor.members()) {
    out[kind] = read(item);
  }
}

ClockPolicy clock_policy(const JsonCursor& cursor);
MachinePolicy machine_policy(const JsonCursor& cursor);
HostPolicy host_policy(const JsonCursor& cursor);
SpreadPolicy spread_policy(const JsonCursor& cursor);
MdeLimits mde_limits_from(const JsonCursor& cursor);
PairedPolicy paired_policy(const JsonCursor& cursor);
EffectsPolicy effects_policy(const JsonCursor& cursor);
ClassPolicy class_policy(const JsonCursor& cursor);
CanaryPolicy canary_policy(const JsonCursor& cursor);
GlobalPolicy global_policy(const JsonCursor& cursor);
CreepPolicy creep_policy(const JsonCursor& cursor);

}  // namespace perfgate
