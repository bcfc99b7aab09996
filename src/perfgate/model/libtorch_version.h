#pragma once
// When two recorded versions of LibTorch are of one. Sessions before 2026-11-28 recorded "2.11.0"
// of what is "2.11.0+cu130", and what they recorded still holds for it.

#include <string_view>

namespace perfgate {

/// Whether `a` and `b` may be versions of one LibTorch: they are equal, or one of them is the other
/// without what it was built for ("+cu130", "+cpu").
bool is_one_libtorch(std::string_view a, std::string_view b);

}  // namespace perfgate
