#pragma once
// Text from a language model, its weights random: the time to the first token (prefill), and how
// fast tokens follow (decode).

#include <vector>

#include "perfgate/workloads/case.h"

namespace perfgate::language_models {

/// language_models/<model>/<precision>/<execution>. On GPUs the benchmark's three models, on CPUs
/// tiny ones.
std::vector<Case> generate(at::DeviceType device);

}  // namespace perfgate::language_models
