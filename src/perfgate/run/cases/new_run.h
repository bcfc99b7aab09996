#pragma once
// A run before its first case: where, with what and by which command it is made.

#include <filesystem>

#include "perfgate/device/device.h"
#include "perfgate/report/run.h"
#include "perfgate/run/cases/gate_settings.h"

namespace perfgate {

/// `baseline`: the folder that it is compared with; `device`: what that one says of the model.
/// Partial until it has ended.
Run new_run(const GateSettings& settings, const DeviceIdentity& identity,
            const std::filesystem::path& baseline, const DeviceRecord& device);

}  // namespace perfgate
