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
VariancePrior prior(const JsonCursor& cursor);
/// By device kind.
void read_tolerances(const JsonCursor& cursor, std::map<std::string, double>& out);

ClockPolicy clock_policy(const JsonCursor& cursor);
/// Of a class's member; nothing where it has none.
std::optional<DramPolicy> dram_policy(const JsonCursor& of_class);
/// Of a class's member; nothing where it has none.
std::optional<DeviceEffectPolicy> device_effect_policy(const JsonCursor& of_class);
MachinePolicy machine_policy(const JsonCursor& cursor);
HostPolicy host_policy(const JsonCursor& cursor);
SpreadPolicy spread_policy(const JsonCursor& cursor);
MdeLimits mde_limits_from(const JsonCursor& cursor);
PairedPolicy paired_policy(const JsonCursor& cursor);
CanaryPolicy canary_policy(const JsonCursor& cursor);
GlobalPolicy global_policy(const JsonCursor& cursor);
CreepPolicy creep_policy(const JsonCursor& cursor);

}  // namespace perfgate
