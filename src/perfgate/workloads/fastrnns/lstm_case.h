#pragma once
// What the LSTM cases of fastrnns have in common: their keys, their work in closed form and how far
// off they may be.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/workloads/case.h"
#include "perfgate/workloads/fastrnns/executor.h"
#include "perfgate/workloads/fastrnns/lstm_network.h"
#include "perfgate/workloads/fastrnns/lstm_shape.h"
#include "perfgate/workloads/fastrnns/training.h"

namespace perfgate::fastrnns {

/// A way to run a network.
struct LstmRunner {
  std::string name;
  std::optional<ScriptSettings> script = std::nullopt;  ///< of scripted ones

  /// Whether cuDNN runs it, which multiplies in TF32.
  [[nodiscard]] bool by_cudnn() const { return name.find("cudnn") != std::string::npos; }
};

/// The scripted runner of that name, once for each fuser and executor.
std::vector<LstmRunner> in_all_settings(const std::string& name);

/// All but how it is prepared. `beside`: the runner whose time over this one's is shown; its own
/// name where there is none.
Case lstm_case(const LstmShape& shape, const LstmRunner& runner, const std::string& beside,
               at::DeviceType device);

/// Phases forward and backward; scripts have been run until they are settled.
Prepared train_lstm(const LstmRunner& runner, const Network& network,
                    const std::function<Network(Phase)>& exact,
                    const TrainingTolerances& tolerances);

Outputs outputs_of(const LstmResult& result);

/// Of what an LSTM gives, for fp32 sums or TF32's factors (cuDNN's).
Tolerance state_tolerance(const LstmShape& shape, bool tf32);

/// Of the gradient of the network's input, and of those of its weights and biases.
Tolerance input_gradient_tolerance(const LstmShape& shape, bool tf32);
Tolerance weight_gradient_tolerance(const LstmShape& shape, bool tf32);

}  // namespace perfgate::fastrnns
