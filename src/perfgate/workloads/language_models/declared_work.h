#pragma once
// What running a language model takes, in closed form.

#include "perfgate/workloads/case.h"
#include "perfgate/workloads/language_models/run.h"

namespace perfgate::language_models {

/// A pass over a prompt of so many tokens.
Work work_of_prefill(const Run& run, std::int64_t prompt);
/// A pass for each of the run's tokens.
Work work_of_decode(const Run& run);

/// Peak memory, of the model, of its caches and of a pass over a prompt of so many tokens.
Bytes footprint_of(const Run& run, std::int64_t prompt);

}  // namespace perfgate::language_models
