#include "perfgate/worker/out_of_memory.h"

#include <sstream>

namespace perfgate {

bool says_out_of_memory(const std::string& text) {
  return text.find("can't allocate memory") != std::string::npos ||
         text.find("out of memory") != std::string::npos ||
         text.find("ALLOC_FAILED") != std::string::npos;
}

std::string out_of_memory_text(double wanted, double available) {
  std::ostringstream out;
  out << "out of memory: the case needs " << static_cast<long long>(wanted) << " bytes, "
      << static_cast<long long>(available) << " are available";
  return out.str();
}

}  // namespace perfgate
