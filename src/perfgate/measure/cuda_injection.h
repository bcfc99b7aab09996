#pragma once
// A slowdown on purpose, on a GPU: a kernel behind the body, sized beforehand. It keeps every
// multiprocessor busy with work of the body's kind. One that leaves most of them idle draws less
// power than the body, so that the clock rises and hides up to half of what was injected.

#include <functional>

#include "perfgate/core/units.h"
#include "perfgate/measure/gpu.h"
#include "perfgate/measure/sample_taker.h"

namespace perfgate {

/// What injected work is sized for.
struct InjectionRequest {
  double percent = 0;            ///< of the body's own time
  Bound bound = Bound::kMemory;  ///< of the body
  Seconds expected{0};           ///< the body's rough length, to begin with
  Seconds floor{0};              ///< of a sample, without any body
  int samples = 0;  ///< a round takes, of the body with the injected work and as many without
};

/// `run` with the injected work behind it. A kernel cannot be shorter than its launch, so short
/// bodies get more than was asked for. Borrows `gpu`. Throws as SampleTaker does.
std::function<void()> with_injection(SampleTaker& taker, Gpu& gpu, const std::function<void()>& run,
                                     const InjectionRequest& request);

}  // namespace perfgate
