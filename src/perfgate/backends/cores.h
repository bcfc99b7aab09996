#pragma once
// Which cores this thread, and those that it starts from now on, may run on.

#include <sched.h>

namespace perfgate {

/// The cores that this thread may use; none where that cannot be read.
cpu_set_t allowed_cores();

/// From now on this core alone; does nothing where that is refused.
void pin_to(int core);

}  // namespace perfgate
