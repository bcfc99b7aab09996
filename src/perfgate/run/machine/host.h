#pragma once
// What is recorded about this host and build beside every measurement.

#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/device/device.h"
#include "perfgate/run/machine/suite.h"

namespace perfgate {

/// Now in UTC: 2026-11-21T07:04:05Z.
std::string utc_now();

/// The name of this host, or "unknown".
std::string host_name();

/// A host's name as part of a file's or folder's: letters, digits, '-' and '_', and no dots, behind
/// which an extension would begin.
std::string name_part(std::string host);

/// "0.1.0 (git 1fdc32e32f1e)": of perfgate.
std::string perfgate_version();

/// "perfgate 0.1.0 (git 1fdc32e32f1e), GNU 12.2.0": what perfgate itself is, and its compiler.
std::string program_text();

/// What --device is without it: cuda where the LibTorch of this build serves GPUs, else cpu.
std::string default_device();

/// Date, device, host, compiler, and the commit and workloads of the suite; LibTorch and ceilings
/// are the machine worker's to say.
SessionRecord describe_session(const DeviceIdentity& identity, const Suite& suite);

}  // namespace perfgate
