#include "operators/swish.h"

#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <cmath>

namespace consumer {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// The elements of a run, and those that are done once more where somebody wants to see a slowdown.
template <class Element>
void for_each(std::int64_t count, const Element& element) {
  for (std::int64_t i = 0; i < count; ++i) {
    element(i);
  }
  for (std::int64_t i = 0; i < count * SWISH_EXTRA_PERCENT / 100; ++i) {
    element(i % count);
  }
}

at::Tensor forward_on_cpu(const at::Tensor& x) {
  auto out = at::empty_like(x);
  const float* in = x.const_data_ptr<float>();
  float* y = out.mutable_data_ptr<float>();
  for_each(x.numel(), [=](std::int64_t i) { y[i] = in[i] / (1 + std::exp(-in[i])); });
  return out;
}

at::Tensor backward_on_cpu(const at::Tensor& gradient, const at::Tensor& x) {
  auto out = at::empty_like(x);
  const float* dy = gradient.const_data_ptr<float>();
  const float* in = x.const_data_ptr<float>();
  float* dx = out.mutable_data_ptr<float>();
  for_each(x.numel(), [=](std::int64_t i) {
    const float sigmoid = 1 / (1 + std::exp(-in[i]));
    dx[i] = dy[i] * sigmoid * (1 + in[i] * (1 - sigmoid));
  });
  return out;
}

template <class... Arguments>
at::Tensor call(const char* name, const Arguments&... arguments) {
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow(name, "")
      .typed<at::Tensor(const Arguments&...)>()
      .call(arguments...);
}

class Swish : public torch::autograd::Function<Swish> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x) {
    context->save_for_backward({x});
    return call("consumer::swish_forward", x);
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    return {call("consumer::swish_backward", gradients[0].contiguous(),
                 context->get_saved_variables()[0])};
  }
};

}  // namespace

TORCH_LIBRARY(consumer, library) {
  library.def("swish_forward(Tensor x) -> Tensor");
  library.def("swish_backward(Tensor gradient, Tensor x) -> Tensor");
}
TORCH_LIBRARY_IMPL(consumer, CPU, library) {
  library.impl("swish_forward", forward_on_cpu);
  library.impl("swish_backward", backward_on_cpu);
}

at::Tensor swish(const at::Tensor& x) { return Swish::apply(x); }

}  // namespace consumer
