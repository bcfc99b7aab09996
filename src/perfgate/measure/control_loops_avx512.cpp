#include "perfgate/measure/control_loops.h"

#include "perfgate/measure/control_loop_bodies.h"

namespace perfgate {

const ControlLoops& avx512_control_loops() { return kLoops<16>; }

}  // namespace perfgate
