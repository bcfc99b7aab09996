#pragma once
// The sizes of the recurrent networks of fastrnns, and how their keys name them.

#include <c10/core/DeviceType.h>

#include <cstdint>
#include <string>

namespace perfgate::fastrnns {

struct LstmShape {
  std::int64_t steps = 0;  ///< length of the sequence
  std::int64_t batch = 0;
  std::int64_t inputs = 0;  ///< width of a step's input
  std::int64_t units = 0;   ///< width of the hidden state
  std::int64_t layers = 1;
};

/// On GPUs the benchmark's own: 100 steps, a batch of 64, 512 inputs and units, one layer. On CPUs
/// 20 steps, a batch of 16, 128 inputs and units.
LstmShape lstm_shape(at::DeviceType device);

/// "100x64x512x512": steps, batch, inputs, units; "x2" behind it for two layers.
std::string text_of(const LstmShape& shape);

}  // namespace perfgate::fastrnns
