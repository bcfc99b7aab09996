// A build without CUDA, which has no GPU's ceilings.

#include "perfgate/workloads/ceilings/ceilings.h"

namespace perfgate::ceilings {

std::vector<Case> all(at::DeviceType /*device*/) { return {}; }

}  // namespace perfgate::ceilings
