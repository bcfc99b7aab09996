#include "perfgate/workloads/language_models/routes.h"

#include <ATen/ops/cat.h>

namespace perfgate::language_models {

std::vector<at::Tensor> joined_by_layer(const std::vector<at::Tensor>& noted, std::size_t layers) {
  std::vector<at::Tensor> out;
  for (std::size_t layer = 0; layer < layers && !noted.empty(); ++layer) {
    std::vector<at::Tensor> of_layer;
    for (std::size_t i = layer; i < noted.size(); i += layers) {
      of_layer.push_back(noted[i]);
    }
    out.push_back(at::cat(of_layer));
  }
  return out;
}

at::Tensor Routes::take(const at::Tensor& chosen) {
  if (follows_) {
    return noted_.at(next_++);
  }
  noted_.push_back(chosen);
  return chosen;
}

Routes Routes::of_one_pass(std::size_t layers, double slack) const {
  Routes out;
  out.follows_ = true;
  out.slack_ = slack;
  out.noted_ = joined_by_layer(noted_, layers);
  return out;
}

}  // namespace perfgate::language_models
