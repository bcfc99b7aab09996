#pragma once
// What a case ran when its baseline was recorded beside what it ran tonight, kernel by kernel. On a
// CPU a kernel is an operator, or the implementation that a library chose for it.

#include <optional>
#include <string>
#include <vector>

#include "perfgate/baseline/baseline.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

/// One of them is null where a kernel is new or gone. Borrows both.
struct KernelPair {
  const KernelRecord* before = nullptr;
  const KernelRecord* now = nullptr;
};

/// By name: kernels that are launched alike, then what is left in the order of busy time.
std::vector<KernelPair> paired_kernels(const std::vector<KernelRecord>& before,
                                       const std::vector<KernelRecord>& now);

/// Whether other kernels ran, or the same ones launched otherwise: slower or faster alone does not
/// count. False where one side was not traced.
bool other_kernels(const std::vector<KernelRecord>& before, const std::vector<KernelRecord>& now);

/// Why the kernels of a case cannot be compared, where they cannot: none are recorded of a phase
/// that ran some, tonight's could not be traced, or none of them is in the trace.
std::optional<std::string> why_not_comparable(const CaseRecord& record, const WorkerReport& now);

/// The phases of a case that ran other kernels than when they were recorded.
std::vector<Phase> phases_with_other_kernels(const CaseRecord& record, const WorkerReport& now);

}  // namespace perfgate
