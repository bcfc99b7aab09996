#include "perfgate/workloads/fastrnns/resnet_trace.h"

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/frontend/tracer.h>

#include <memory>
#include <string>
#include <vector>

namespace perfgate::fastrnns {

std::function<at::Tensor()> traced(const ResnetNetwork& network) {
  using torch::jit::Stack;
  const auto tensors = network.tensors();
  const Stack arguments(tensors.begin(), tensors.end());
  const auto run = [&network](const Stack& given) {
    std::vector<at::Tensor> out;
    for (const auto& value : given) {
      out.push_back(value.toTensor());
    }
    return Stack{run_resnet(network.with(out))};
  };
  const auto no_name = [](const at::Tensor&) { return std::string(); };
  const auto [state, results] = torch::jit::tracer::trace(arguments, run, no_name);
  const auto function =
      std::make_shared<torch::jit::GraphFunction>("resnet", state->graph, nullptr);
  return [function, arguments] {
    Stack stack = arguments;
    return (*function)(std::move(stack)).toTensor();
  };
}

}  // namespace perfgate::fastrnns
