#include "perfgate/worker/out_of_memory.h"

#include <cstdint>

namespace perfgate {

bool says_out_of_memory(const std::string& text) {
  return text.find("can't allocate memory") != std::string::npos ||
         text.find("out of memory") != std::string::npos ||
         text.find("ALLOC_FAILED") != std::string::npos;
}

std::string out_of_memory_text(double wanted, double available) {
  const auto number = [](double bytes) { return std::to_string(static_cast<std::int64_t>(bytes)); };
  return wanted > 0 ? "out of memory: the case needs " + number(wanted) + " bytes, " +
                          number(available) + " are available"
                    : "out of memory: the case does not declare what it needs, " +
                          number(available) + " bytes are available";
}

}  // namespace perfgate
