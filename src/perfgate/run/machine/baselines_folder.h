#pragma once
// The folder that --baselines names: the policy and the device's baseline, read or refused.

#include <filesystem>

#include "perfgate/baseline/baseline.h"
#include "perfgate/device/device.h"
#include "perfgate/gate/policy.h"
#include "perfgate/run/machine/suite.h"

namespace perfgate {

/// The folder's policy.json, else that which perfgate was built with: a folder of somebody's own
/// baselines need not repeat it. Throws UsageError when it is malformed.
Policy load_policy(const std::filesystem::path& baselines);

/// Throws UsageError when it is none.
void require_folder(const std::filesystem::path& folder);

/// `folder`, which a run reads and, where it is a refresh, writes. A refresh makes it, in a folder
/// that is there; and without one the suite's own need not be there yet. Otherwise throws
/// UsageError where there is none.
std::filesystem::path baselines_folder(const std::filesystem::path& folder, const Suite& suite,
                                       bool refresh);

/// The device's baseline, empty where there is none. Throws UsageError on a file that was copied
/// from another model, which would pass or fail every case for no reason.
Baseline baseline_of(const std::filesystem::path& path, const DeviceIdentity& identity);
/// The same, of classes that the policy knows. Throws UsageError on any other.
Baseline baseline_of(const std::filesystem::path& path, const DeviceIdentity& identity,
                     const Policy& policy);

}  // namespace perfgate
