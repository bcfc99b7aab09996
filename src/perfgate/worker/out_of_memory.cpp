#include "perfgate/worker/out_of_memory.h"

#include <locale>
#include <sstream>

namespace perfgate {

bool says_out_of_memory(const std::string& text) {
  return text.find("can't allocate memory") != std::string::npos ||
         text.find("out of memory") != std::string::npos ||
         text.find("ALLOC_FAILED") != std::string::npos;
}

std::string out_of_memory_text(double wanted, double available) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << "out of memory: the case ";
  if (wanted > 0) {
    out << "needs " << static_cast<long long>(wanted) << " bytes";
  } else {
    out << "does not declare what it needs";
  }
  out << ", " << static_cast<long long>(available) << " bytes are available";
  return out.str();
}

}  // namespace perfgate
