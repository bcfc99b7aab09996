#include "perfgate/worker/output_check.h"

#include <ATen/core/grad_mode.h>

#include <string>

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
    if (references[i].scalar_type() != at::kDouble) {  // or a kernel is checked against itself
      throw SystemError(std::string("the case's reference is in ") +
                            c10::toString(references[i].scalar_type()) + ", not in float64",
                        "convert its inputs with exact() of workloads/inputs.h");
    }
    OutputReport& checked = report.phases[phase].outputs[i];
    if (item.contiguous && checked.contiguous != *item.contiguous) {
      mark_wrong(which(phase, i, outputs.size()) + "the output is " +
                     (*item.contiguous ? "not " : "") + "contiguous, and its case says otherwise",
                 report);
    }
    const at::NoGradGuard comparing_is_no_part_of_the_case;
    checked.accuracy = compare(outputs[i], references[i], prepared.tolerances[i]);
    if (checked.accuracy->wrong_elements > 0) {
      mark_wrong(which(phase, i, outputs.size()) +
                     std::to_string(checked.accuracy->wrong_elements) + " of " +
                     std::to_string(checked.accuracy->elements) +
                     " elements differ from the reference",
                 report);
    }
  }
}

}  // namespace perfgate
