#include "perfgate/worker/output_check.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/equal.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

void mark_wrong(const std::string& why, WorkerReport& report) {
  report.message += (report.status == WorkerStatus::kWrong ? "; " : "") + why;
  report.status = WorkerStatus::kWrong;
}

// Which of a phase's outputs: "", "backward: ", "backward: output 2: ".
std::string which(Phase phase, std::size_t index, std::size_t outputs) {
  return prefix_of(phase) +
         (outputs > 1 ? "output " + std::to_string(index + 1) + ": " : std::string());
}

// A body whose result is its own reference would always be right.
void require_another(const std::string& which, const at::Tensor& output,
                     const at::Tensor& reference) {
  const bool have_storage =
      output.defined() && reference.defined() && output.has_storage() && reference.has_storage();
  if (have_storage && output.numel() > 0 && output.is_alias_of(reference)) {
    throw SystemError(which + "the reference lies in the memory of the output itself",
                      "compute it from the inputs, by exact() of workloads/inputs.h");
  }
}

Accuracy compared(const std::string& which, const at::Tensor& output, const at::Tensor& reference,
                  const Tolerance& tolerance) {
  try {
    return compare(output, reference, tolerance);
  } catch (const std::invalid_argument& error) {
    throw SystemError(which + error.what(),
                      "convert the reference's inputs with exact() of "
                      "workloads/inputs.h, and return its result as it is");
  }
}

// Which operand one more run changes, counted from 1, where nothing puts it back. Of what is wrong
// alone: it costs a run and the operands once more.
std::optional<std::size_t> changed_operand(const PreparedPhase& prepared) {
  if (prepared.before_each) {
    return std::nullopt;
  }
  std::vector<at::Tensor> before;
  for (const auto& operand : prepared.operands) {
    before.push_back(operand.detach().clone());
  }
  prepared.run();
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!before[i].equal(prepared.operands[i])) {
      return i + 1;
    }
  }
  return std::nullopt;
}

// The case is wrong already: what else fails now says nothing more of it.
std::optional<std::size_t> changed_operand_if_known(const PreparedPhase& prepared) {
  try {
    return changed_operand(prepared);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

void check_outputs(const Case& item, Phase phase, const PreparedPhase& prepared,
                   const Outputs& outputs, WorkerReport& report) {
  const Outputs references = prepared.reference();
  if (outputs.empty()) {
    throw SystemError(prefix_of(phase) + "the case has no output that could be checked",
                      "return what it computes: of a backward the gradients, say");
  }
  if (references.size() != outputs.size() || prepared.tolerances.size() != outputs.size()) {
    throw SystemError(prefix_of(phase) + "the case has " + std::to_string(outputs.size()) +
                          " outputs, " + std::to_string(references.size()) + " references and " +
                          std::to_string(prepared.tolerances.size()) + " tolerances",
                      "give each output one of both");
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    OutputReport& checked = report.phases[phase].outputs[i];
    if (item.contiguous && checked.contiguous != *item.contiguous) {
      mark_wrong(which(phase, i, outputs.size()) + "the output is " +
                     (*item.contiguous ? "not " : "") + "contiguous, and its case says otherwise",
                 report);
    }
    const at::NoGradGuard comparing_is_no_part_of_the_case;
    require_another(which(phase, i, outputs.size()), outputs[i], references[i]);
    checked.accuracy = compared(which(phase, i, outputs.size()), outputs[i], references[i],
                                prepared.tolerances[i]);
    if (checked.accuracy->wrong_elements > 0) {
      mark_wrong(which(phase, i, outputs.size()) +
                     std::to_string(checked.accuracy->wrong_elements) + " of " +
                     std::to_string(checked.accuracy->elements) +
                     " elements differ from the reference",
                 report);
      if (const auto operand = changed_operand_if_known(prepared)) {
        report.message += "; a run changes its operand " + std::to_string(*operand) +
                          " in place, and the next one finds that: put it back in "
                          "PreparedPhase::before_each";
      }
    }
  }
  const bool checks_nothing = std::all_of(
      outputs.begin(), outputs.end(), [](const at::Tensor& output) { return output.numel() == 0; });
  if (checks_nothing) {
    throw SystemError(prefix_of(phase) + "its outputs have no elements: nothing is checked",
                      "give it inputs that make some");
  }
}

}  // namespace perfgate
