#include "perfgate/backends/cores.h"

namespace perfgate {

cpu_set_t allowed_cores() {
  cpu_set_t out;
  CPU_ZERO(&out);
  if (sched_getaffinity(0, sizeof out, &out) != 0) {
    CPU_ZERO(&out);
  }
  return out;
}

void pin_to(int core) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  sched_setaffinity(0, sizeof one, &one);
}

OneCore one_core_for_a_while() {
  const cpu_set_t allowed = allowed_cores();
  return {[] { pin_to(sched_getcpu()); },
          [allowed] { sched_setaffinity(0, sizeof allowed, &allowed); }};
}

}  // namespace perfgate
