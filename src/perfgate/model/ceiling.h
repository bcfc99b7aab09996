#pragma once
// A ceiling: a rate or cost of the device that a case can run into, such as DRAM reads. Its unit is
// part of it; files and flags write both as one word, "dram_read_gb_per_s".

#include <compare>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "perfgate/core/json.h"
#include "perfgate/core/units.h"

namespace perfgate {

struct Ceiling {
  std::string name;  ///< "dram_read"
  Unit unit = Unit::kGbPerS;

  friend auto operator<=>(const Ceiling&, const Ceiling&) = default;  // NOLINT: no 0
};

inline const Ceiling kDramRead{"dram_read", Unit::kGbPerS};

/// What ceilings were measured to be, each in its unit.
using CeilingRates = std::map<Ceiling, double>;

/// "dram_read_gb_per_s".
std::string text_of(const Ceiling& ceiling);
/// What text_of wrote, or nothing where no unit ends it.
std::optional<Ceiling> ceiling_from(std::string_view text);

nlohmann::json to_json(const CeilingRates& ceilings);
/// The ceiling that this member of a JSON object is named after. Throws UsageError naming the
/// place.
Ceiling ceiling_from_json(const JsonCursor& cursor, const std::string& name);
/// Throws UsageError naming the place of what is no ceiling, or not above 0.
CeilingRates ceilings_from_json(const JsonCursor& cursor);

}  // namespace perfgate
