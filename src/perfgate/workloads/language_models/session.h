#pragma once
// A language model in memory, ready to be run, timed and checked.

#include <functional>

#include "perfgate/workloads/language_models/generation.h"
#include "perfgate/workloads/language_models/run.h"
#include "perfgate/workloads/language_models/transformer.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::language_models {

/// Makes the model by which `pass_of` makes the pass. Where the run replays a graph, the graph is
/// captured from that pass. The phases hold all of it.
Prepared prepare_generation(const Run& run, at::Device device,
                            const std::function<ModelPass(const Transformer&)>& pass_of);

}  // namespace perfgate::language_models
