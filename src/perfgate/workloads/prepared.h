#pragma once
// A case in memory, as the worker that measures it holds it: its phases, ready to be timed and
// checked. What declares cases (case.h) needs no tensors.

#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/measure/sampler.h"
#include "perfgate/workloads/accuracy.h"

namespace perfgate {

/// The tensors that one run gives back, without a heap of their own: what is timed makes them.
struct Outputs : c10::SmallVector<at::Tensor, 4> {
  using c10::SmallVector<at::Tensor, 4>::SmallVector;
  Outputs(at::Tensor only) { push_back(std::move(only)); }  // most cases give one
};

/// One phase of a case in memory, ready to be timed and checked.
struct PreparedPhase {
  std::function<Outputs()> run;        ///< the timed body
  std::function<Outputs()> reference;  ///< the right outputs in float64, on any device
  std::vector<Tolerance> tolerances;   ///< one an output; says at the case where it comes from
  /// What a cold run has to fetch. Dense in any memory format: contiguous, channels_last, permuted.
  std::vector<at::Tensor> operands;
  /// Called before each run, outside of what is timed: a backward's graph, say, is made there.
  std::function<void()> before_each = {};
  /// The values of the own metrics that the phase declares, by name, each above 0: what its runs so
  /// far came to. Called once a process, behind the phase's last run that is timed.
  std::function<std::map<std::string, double>()> own_values = {};

  /// One run, with what comes before it.
  Outputs run_once() const {
    if (before_each) {
      before_each();
    }
    return run();
  }
};

/// A case in memory.
struct Prepared {
  Prepared() = default;
  Prepared(PreparedPhase whole) { phases[Phase::kWhole] = std::move(whole); }

  std::map<Phase, PreparedPhase> phases;
  Tuning tuning = {};  ///< what preparing searched for, or was told and took

  [[nodiscard]] PreparedPhase& phase(Phase which = Phase::kWhole) { return phases.at(which); }
  [[nodiscard]] const PreparedPhase& phase(Phase which = Phase::kWhole) const {
    return phases.at(which);
  }
};

}  // namespace perfgate
