#pragma once
// Which cores this process may run on: all its threads, and those that it starts from now on.

#include <sched.h>

#include <functional>

#include "perfgate/core/units.h"

namespace perfgate {

/// The cores that this thread may use; none where that cannot be read.
cpu_set_t allowed_cores();

/// From now on these alone; does nothing where that is refused.
void keep_to(const cpu_set_t& cores);
void keep_to(int core);

/// From now on the one of these cores on which the median of some runs of `code` takes the least: a
/// neighbour on the same processor slows a core by a half and more, for seconds.
void keep_to_quietest(const cpu_set_t& cores, const std::function<void()>& code);

}  // namespace perfgate
