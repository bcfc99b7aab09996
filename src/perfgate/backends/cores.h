#pragma once
// Which cores this thread, and those that it starts from now on, may run on.

#include <sched.h>

#include "perfgate/measure/host_pass.h"

namespace perfgate {

/// The cores that this thread may use; none where that cannot be read.
cpu_set_t allowed_cores();

/// From now on this core alone; does nothing where that is refused.
void pin_to(int core);

/// Keeps to the core that this thread runs on then, and releases it to those that it may use now.
OneCore one_core_for_a_while();

}  // namespace perfgate
