#pragma once
// The second look at a device that the baseline does not know. While a night runs, each case is
// compared with other devices by itself; when it is over, all cases together have shown what this
// device does to cases of a kind (gate/device_effect.h), and each that has not failed is judged
// once more beside its siblings. The two looks share the metric's part of the false-alarm budget.

#include <optional>
#include <string>
#include <vector>

#include "perfgate/gate/judge.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// How far `tonight` lies from the reference less what recorded devices do to all. Nothing where
/// the device is known, or no effects of the case's group are. As judge() for what else is expected
/// of the arguments.
std::optional<LogChange> change_less_effects(const Judge& judge, const std::string& case_key,
                                             Metric metric, const SessionMeasurements& tonight,
                                             const std::string& device_id);

/// Of all that was judged. None of a case that others may have disturbed.
SiblingChanges sibling_changes(const Judge& judge, const std::vector<Outcome>& outcomes);

/// Whether siblings tell something of this case that the first look did not know: it was compared
/// with other devices, and has not failed by that. `judge`: at the second look.
bool has_second_look(const Judge& judge, const Outcome& outcome);

}  // namespace perfgate
