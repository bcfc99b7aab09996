#pragma once
// What may change a measurement though LibTorch, driver and compiler are the same.

#include <map>
#include <string>

#include "perfgate/model/worker_report.h"

namespace perfgate {

/// What a session records of it: the versions of LibTorch's libraries, the instruction set that it
/// chose and the device's limits, as far as `facts` has them, and the variables of `environment`
/// ("NAME=VALUE", ended by a null) that such libraries read, characters that cannot be shown as
/// "?". Variables that say where things lie or hold a secret, and those that perfgate sets itself
/// for its workers, are not among them.
std::map<std::string, std::string> session_settings(const std::map<std::string, std::string>& facts,
                                                    const char* const* environment);

/// Adds what a case's worker says beyond that: the version of Triton that compiled its kernels.
void add_case_settings(const WorkerReport& report, std::map<std::string, std::string>& settings);

}  // namespace perfgate
