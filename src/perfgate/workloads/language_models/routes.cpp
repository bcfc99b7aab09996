#include "perfgate/workloads/language_models/routes.h"

#include <ATen/ops/cat.h>

namespace perfgate::language_models {

at::Tensor Routes::take(const at::Tensor& chosen) {
  if (follows_) {
    return noted_.at(next_++);
  }
  noted_.push_back(chosen);
  return chosen;
}

Routes Routes::of_one_pass(std::size_t layers) const {
  Routes out;
  out.follows_ = true;
  for (std::size_t layer = 0; layer < layers && !noted_.empty(); ++layer) {
    std::vector<at::Tensor> of_layer;
    for (std::size_t i = layer; i < noted_.size(); i += layers) {
      of_layer.push_back(noted_[i]);
    }
    out.noted_.push_back(at::cat(of_layer));
  }
  return out;
}

}  // namespace perfgate::language_models
