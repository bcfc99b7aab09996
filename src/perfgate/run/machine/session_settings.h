#pragma once
// What may change a measurement though LibTorch, driver and compiler are the same.

#include <map>
#include <string>

namespace perfgate {

/// What a session records of it: the versions of LibTorch's libraries, the instruction set that it
/// chose, perfgate's version where another project's cases are measured, and the device's limits,
/// as far as `facts` has them, and the variables of `environment`
/// ("NAME=VALUE", ended by a null) that such libraries read, characters that cannot be shown as
/// "?". Variables that say where things lie or hold a secret, and those that perfgate sets itself
/// for its workers, are not among them.
std::map<std::string, std::string> session_settings(const std::map<std::string, std::string>& facts,
                                                    const char* const* environment);

}  // namespace perfgate
