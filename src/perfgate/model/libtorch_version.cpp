#include "perfgate/model/libtorch_version.h"

namespace perfgate {

bool is_one_libtorch(std::string_view a, std::string_view b) {
  const auto release = [](std::string_view version) {
    return version.substr(0, version.find('+'));
  };
  return a == b || (a == release(b)) || (b == release(a));
}

}  // namespace perfgate
