#include "perfgate/worker/out_of_memory.h"

#include <cstdint>

namespace perfgate {

bool says_out_of_memory(const std::string& text) {
  return text.find("can't allocate memory") != std::string::npos ||
         text.find("out of memory") != std::string::npos ||
         text.find("ALLOC_FAILED") != std::string::npos;
}

std::string out_of_memory_text(double wanted, double available) {
  const auto bytes = [](double count) {
    return std::to_string(static_cast<std::int64_t>(count)) + " bytes";
  };
  return "out of memory: the case " +
         (wanted > 0 ? "needs " + bytes(wanted) : "does not declare what it needs") + ", " +
         bytes(available) + " are available";
}

}  // namespace perfgate
