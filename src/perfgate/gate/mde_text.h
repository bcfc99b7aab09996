#pragma once
// An MDE in words. Above a doubling nobody wants the figure: nothing was seen.

#include <string>

namespace perfgate {

/// "8.2 %", and "> 100 %" above a doubling. `mde`: relative.
std::string mde_text(double mde);

}  // namespace perfgate
