#include "perfgate/gate/mde_text.h"

#include <fmt/format.h>

namespace perfgate {

std::string mde_text(double mde) {
  constexpr double kDoubling = 1;
  return mde > kDoubling ? "> 100 %" : fmt::format("{:.{}f} %", 100 * mde, mde < 0.9995 ? 1 : 0);
}

}  // namespace perfgate
