#include "perfgate/core/utc_time.h"

#include <ctime>
#include <iomanip>
#include <sstream>

namespace perfgate {

std::optional<std::chrono::sys_seconds> utc_time(const std::string& text) {
  std::tm parts{};
  std::istringstream stream(text);
  return stream >> std::get_time(&parts, "%Y-%m-%dT%H:%M:%S")
             ? std::optional(std::chrono::sys_seconds(std::chrono::seconds(timegm(&parts))))
             : std::nullopt;
}

}  // namespace perfgate
