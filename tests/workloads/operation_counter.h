#pragma once
// Counts the multiply-adds that LibTorch really dispatches, to compare closed forms with.

#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>

#include <map>
#include <string>

namespace perfgate::testing_support {

/// While alive, counts the operations (two a multiply-add) of matrix products, convolutions and
/// attention.
class OperationCounter {
 public:
  OperationCounter() {
    total() = 0;
    handle_ = at::addGlobalCallback(
        at::RecordFunctionCallback(&count).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
  }
  ~OperationCounter() { at::removeCallback(handle_); }
  OperationCounter(const OperationCounter&) = delete;
  OperationCounter& operator=(const OperationCounter&) = delete;
  [[nodiscard]] double operations() const { return total(); }

 private:
  static double& total() {
    static double the_total = 0;
    return the_total;
  }

  static at::Tensor tensor(const at::RecordFunction& function, std::size_t i) {
    return function.inputs()[i].toTensor();
  }

  // Only the innermost operators: linear and matmul end in one of these.
  static std::unique_ptr<at::ObserverContext> count(const at::RecordFunction& function) {
    const std::string name = function.name();
    const auto product = [&](std::size_t a, std::size_t b) {
      const auto left = tensor(function, a);
      const auto right = tensor(function, b);
      const double columns = right.dim() == 1 ? 1 : static_cast<double>(right.size(-1));
      return 2.0 * static_cast<double>(left.numel()) * columns;
    };
    if (name == "aten::mv" || name == "aten::mm" || name == "aten::bmm") {
      total() += product(0, 1);
    } else if ((name == "aten::addmm" || name == "aten::addmv") &&
               tensor(function, 1).layout() == at::kStrided) {  // a sparse mm ends in two addmm
      total() += product(1, 2);
    } else if (name == "aten::_weight_int8pack_mm") {  // by rows of the second
      total() +=
          2.0 * static_cast<double>(tensor(function, 0).numel() * tensor(function, 1).size(0));
    } else if (name.find("_scaled_dot_product_flash_attention_for_cpu") != std::string::npos) {
      total() +=
          4.0 * static_cast<double>(tensor(function, 0).numel() * tensor(function, 1).size(-2));
    }
    count_convolution(name, function);
    return nullptr;
  }

  static void count_convolution(const std::string& name, const at::RecordFunction& function) {
    const auto window = [&](std::size_t weight) {
      const auto sizes = tensor(function, weight).sizes();
      return 2.0 * static_cast<double>(sizes[1] * sizes[2] * sizes[3]);
    };
    if (name == "aten::convolution") {
      const auto input = tensor(function, 0);
      const auto weight = tensor(function, 1);
      const auto side = [&](std::int64_t dim) {
        const auto i = static_cast<std::size_t>(dim - 2);
        const auto stride = function.inputs()[3].toIntVector()[i];
        const auto padding = function.inputs()[4].toIntVector()[i];
        return (input.size(dim) + 2 * padding - weight.size(dim)) / stride + 1;
      };
      total() +=
          window(1) * static_cast<double>(input.size(0) * weight.size(0) * side(2) * side(3));
    } else if (name == "aten::convolution_backward") {
      const auto wanted = function.inputs()[10].toBoolList();
      total() += window(2) * static_cast<double>(tensor(function, 0).numel()) *
                 (int(wanted[0]) + int(wanted[1]));
    }
  }

  at::CallbackHandle handle_;
};

}  // namespace perfgate::testing_support
