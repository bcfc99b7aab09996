#include "perfgate/measure/control_loops.h"

#include "perfgate/measure/control_loop_bodies.h"

namespace perfgate {

const ControlLoops& base_control_loops() { return kLoops<4>; }

}  // namespace perfgate
