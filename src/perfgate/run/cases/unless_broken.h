#pragma once
// What goes wrong with one case costs that case and not the night: a worker that cannot be started,
// a number that cannot be judged, a text that no file takes.

#include <functional>
#include <string>

#include "perfgate/gate/outcome.h"

namespace perfgate {

/// What `measured` returns, or an ERROR of this case that says why, where it throws.
Outcome unless_broken(const std::string& case_key, const std::string& device_id,
                      const std::function<Outcome()>& measured);

}  // namespace perfgate
