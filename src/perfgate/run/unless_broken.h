#pragma once
// A worker that could not even be started costs one case, not the night.

#include <functional>
#include <string>

#include "perfgate/gate/outcome.h"

namespace perfgate {

/// What `measured` returns, or an ERROR of this case that says why, where it throws SystemError.
Outcome unless_broken(const std::string& case_key, const std::string& device_id,
                      const std::function<Outcome()>& measured);

}  // namespace perfgate
