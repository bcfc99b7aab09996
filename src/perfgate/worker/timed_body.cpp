#include "perfgate/worker/timed_body.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

std::vector<std::span<const std::byte>> spans_of(const std::vector<at::Tensor>& tensors) {
  std::vector<std::span<const std::byte>> out;
  for (const auto& tensor : tensors) {
    if (!tensor.is_nested() && !tensor.is_non_overlapping_and_dense()) {  // its bytes are elsewhere
      throw SystemError("operand " + std::to_string(&tensor - tensors.data() + 1) +
                            " of the case is a view with gaps, or one that repeats",
                        "name the tensor that it is a view of, or make it contiguous()");
    }
    if (tensor.is_cpu()) {
      out.emplace_back(static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes());
    }
  }
  return out;
}

}  // namespace

Body timed_body(const Work& work, const PreparedPhase& prepared, at::DeviceType device,
                Outputs& outputs) {
  Body out;
  out.run = [&prepared, &outputs] {
    outputs.clear();
    outputs = prepared.run();
  };
  out.traffic = work.traffic;
  out.expected = expected_length(work, device);
  out.operands = spans_of(prepared.operands);
  out.judged = work.judged;
  out.ceiling = ceiling_for(work);
  out.statistic = work.statistic;
  out.tolerance = work.tolerance;
  out.before_each = prepared.before_each;
  return out;
}

}  // namespace perfgate
