#include "perfgate/gate/kernel_pairs.h"

#include <algorithm>
#include <map>
#include <string>

namespace perfgate {
namespace {

bool are_alike(const KernelRecord& a, const KernelRecord& b) {
  return launch_differences(a, b).empty();
}

bool is_open(const KernelPair& pair) { return pair.now == nullptr; }

}  // namespace

std::vector<KernelPair> paired_kernels(const std::vector<KernelRecord>& before,
                                       const std::vector<KernelRecord>& now) {
  std::map<std::string, std::vector<KernelPair>> by_name;
  for (const auto& kernel : before) {
    by_name[kernel.name].push_back({&kernel, nullptr});
  }
  std::vector<const KernelRecord*> left;
  for (const auto& kernel : now) {
    auto& pairs = by_name[kernel.name];
    const auto alike = std::find_if(pairs.begin(), pairs.end(), [&kernel](const KernelPair& pair) {
      return is_open(pair) && are_alike(*pair.before, kernel);
    });
    if (alike != pairs.end()) {
      alike->now = &kernel;
    } else {
      left.push_back(&kernel);
    }
  }
  for (const KernelRecord* kernel : left) {
    auto& pairs = by_name[kernel->name];
    const auto open = std::find_if(pairs.begin(), pairs.end(), is_open);
    if (open != pairs.end()) {
      open->now = kernel;
    } else {
      pairs.push_back({nullptr, kernel});
    }
  }
  std::vector<KernelPair> out;
  for (const auto& [name, pairs] : by_name) {
    out.insert(out.end(), pairs.begin(), pairs.end());
  }
  return out;
}

bool other_kernels(const std::vector<KernelRecord>& before, const std::vector<KernelRecord>& now) {
  if (before.empty() || now.empty()) {
    return false;
  }
  const auto pairs = paired_kernels(before, now);
  return std::any_of(pairs.begin(), pairs.end(), [](const KernelPair& pair) {
    return pair.before == nullptr || pair.now == nullptr || !are_alike(*pair.before, *pair.now);
  });
}

std::optional<std::string> why_not_comparable(const CaseRecord& record, const WorkerReport& now) {
  for (const auto& [phase, part] : now.phases) {
    if (phase == Phase::kCompile) {  // nothing of it runs
      continue;
    }
    if (!part.trace || why_untraced(part)) {
      return prefix_of(phase) + "its kernels were not traced: " +
             why_untraced(part).value_or("nothing here traces them");
    }
    const auto recorded = record.phases.find(phase);
    const bool has_record = recorded != record.phases.end() && !recorded->second.kernels.empty();
    if (!has_record && !kernels_of(part).empty()) {
      return prefix_of(phase) + "the baseline has no kernels of it: record a session";
    }
    if (has_record && kernels_of(part).empty()) {
      return prefix_of(phase) + "its trace shows nothing that ran";
    }
  }
  return std::nullopt;
}

std::vector<Phase> phases_with_other_kernels(const CaseRecord& record, const WorkerReport& now) {
  std::vector<Phase> out;
  for (const auto& [phase, part] : record.phases) {
    const auto found = now.phases.find(phase);
    if (found != now.phases.end() && other_kernels(part.kernels, kernels_of(found->second))) {
      out.push_back(phase);
    }
  }
  return out;
}

}  // namespace perfgate
