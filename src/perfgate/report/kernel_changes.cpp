#include "perfgate/report/kernel_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "perfgate/gate/kernel_pairs.h"
#include "perfgate/model/metric.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

constexpr std::size_t kNameWidth = 44;

struct Change {
  double microseconds = 0;
  bool alike = false;  // launched as it was: only its time differs
  std::string text;
};

double busy_of(const KernelRecord* kernel) { return kernel == nullptr ? 0 : kernel->busy_us; }

// A GPU's copies and sets have no grid.
std::string how_it_runs(const KernelRecord& kernel) {
  if (!kernel.implementation.empty()) {
    return "   implementation " + kernel.implementation;
  }
  return kernel.grid[0] == 0 ? "" : fmt::format("   grid {}", text_of(kernel.grid));
}

// What of its launch differs.
std::string launch_text(const std::vector<LaunchDifference>& differences) {
  std::string out;
  for (const auto& difference : differences) {
    out += fmt::format("   {} {} -> {}", difference.what, difference.before, difference.now);
  }
  return out;
}

// The largest difference of time first.
std::vector<Change> changes_of(const std::vector<KernelRecord>& before,
                               const std::vector<KernelRecord>& now) {
  if (before.empty() || now.empty()) {
    return {};
  }
  double total_us = 0;
  for (const auto& kernel : before) {
    total_us += kernel.busy_us;
  }
  std::vector<Change> changes;
  for (const auto& [old_kernel, new_kernel] : paired_kernels(before, now)) {
    const double difference = busy_of(new_kernel) - busy_of(old_kernel);
    const bool is_pair = old_kernel != nullptr && new_kernel != nullptr;
    const auto differences =
        is_pair ? launch_differences(*old_kernel, *new_kernel) : std::vector<LaunchDifference>{};
    const bool alike = is_pair && differences.empty();
    std::string text;
    if (old_kernel == nullptr) {
      text = fmt::format("new, {}{}", time_text(new_kernel->busy_us), how_it_runs(*new_kernel));
    } else if (new_kernel == nullptr) {
      text = fmt::format("gone, was {}", time_text(old_kernel->busy_us));
    } else {
      if (alike && std::abs(difference) < 0.01 * total_us) {
        continue;
      }
      text = fmt::format("{} -> {}{}", time_text(old_kernel->busy_us),
                         time_text(new_kernel->busy_us), launch_text(differences));
    }
    const auto& name = (new_kernel == nullptr ? old_kernel : new_kernel)->name;
    changes.push_back({std::abs(difference), alike,
                       fmt::format("{:<{}}  {}", clipped(name, kNameWidth), kNameWidth, text)});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.microseconds > b.microseconds;
  });
  return changes;
}

std::vector<std::string> texts_of(const std::vector<Change>& changes, std::size_t limit) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(limit, changes.size()); ++i) {
    out.push_back(changes[i].text);
  }
  if (changes.size() > limit) {
    out.push_back(fmt::format("and {} more", changes.size() - limit));
  }
  return out;
}

}  // namespace

std::vector<std::string> kernel_changes(const std::vector<KernelRecord>& before,
                                        const std::vector<KernelRecord>& now, std::size_t limit) {
  return texts_of(changes_of(before, now), limit);
}

bool was_not_found_slower(const Outcome& outcome) {
  return passes(outcome.verdict) || outcome.verdict == Verdict::kBlind ||
         outcome.verdict == Verdict::kOtherKernels;
}

std::map<Phase, std::vector<std::string>> other_kernels_of(const Outcome& outcome,
                                                           const Baseline* baseline,
                                                           std::size_t limit) {
  if (baseline == nullptr || !was_not_found_slower(outcome) || outcome.reports.empty()) {
    return {};
  }
  const auto record = baseline->cases.find(outcome.case_key);
  if (record == baseline->cases.end()) {
    return {};
  }
  const WorkerReport& now = outcome.reports.front();
  std::map<Phase, std::vector<std::string>> out;
  for (const Phase phase : phases_with_other_kernels(record->second, now)) {
    auto changes = changes_of(record->second.phase(phase).kernels, kernels_of(now.phase(phase)));
    std::erase_if(changes, [](const Change& change) { return change.alike; });
    out[phase] = texts_of(changes, limit);
  }
  return out;
}

std::string other_kernels_text(const std::vector<Outcome>& outcomes, const Baseline* baseline) {
  constexpr std::size_t kKernels = 4;
  std::string out;
  for (const auto& outcome : outcomes) {
    if (outcome.verdict == Verdict::kOtherKernels) {
      continue;  // its failure says it
    }
    const auto by_phase = other_kernels_of(outcome, baseline, kKernels);
    for (const auto& [phase, changes] : by_phase) {
      out += fmt::format("    {}   {}\n", key_of_phase(outcome.case_key, phase),
                         name_of(outcome.verdict));
      for (const auto& line : changes) {
        out += "      " + line + "\n";
      }
    }
    if (!by_phase.empty() && !outcome.source_diff.empty()) {
      out += "      sources " + outcome.source_diff + "\n";
    }
  }
  return out.empty() ? "" : "\n  other kernels than when recorded\n" + out;
}

}  // namespace perfgate
