#pragma once
// What could not be found out of a machine, among the facts of it that people read: such a fact is
// never to be taken for good.

#include <optional>
#include <string>

namespace perfgate {

/// The fact that says so, and why.
std::string unknown_fact(const std::string& why);

/// Why it is unknown; nothing of a fact that is known.
std::optional<std::string> why_unknown(const std::string& fact);

}  // namespace perfgate
