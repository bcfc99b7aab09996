#include "perfgate/report/kernel_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "perfgate/model/metric.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

constexpr std::size_t kNameWidth = 44;

struct Pair {
  const KernelRecord* before = nullptr;
  const KernelRecord* now = nullptr;
};

struct Change {
  double microseconds = 0;
  std::string text;
};

double busy_of(const KernelRecord* kernel) { return kernel == nullptr ? 0 : kernel->busy_us; }

std::string extents(const std::array<std::int64_t, 3>& e) {
  return e[1] == 1 && e[2] == 1 ? fmt::format("{}", e[0])
                                : fmt::format("{}x{}x{}", e[0], e[1], e[2]);
}

// How a kernel is launched, by name.
std::array<std::pair<std::string_view, std::string>, 6> launch_of(const KernelRecord& kernel) {
  return {{{"launches", std::to_string(kernel.count)},
           {"grid", extents(kernel.grid)},
           {"block", extents(kernel.block)},
           {"registers", std::to_string(kernel.registers)},
           {"shared", std::to_string(kernel.shared_bytes)},
           {"local", std::to_string(kernel.local_bytes)}}};
}

// What of it differs.
std::string launch_changes(const KernelRecord& before, const KernelRecord& now) {
  const auto then = launch_of(before);
  const auto today = launch_of(now);
  std::string out;
  for (std::size_t i = 0; i < then.size(); ++i) {
    if (then[i] != today[i]) {
      out += fmt::format("   {} {} -> {}", then[i].first, then[i].second, today[i].second);
    }
  }
  return out;
}

// Kernels of one name: those that are launched alike, then what is left in the order of busy time.
std::map<std::string, std::vector<Pair>> paired(const std::vector<KernelRecord>& before,
                                                const std::vector<KernelRecord>& now) {
  std::map<std::string, std::vector<Pair>> out;
  for (const auto& kernel : before) {
    out[kernel.name].push_back({&kernel, nullptr});
  }
  std::vector<const KernelRecord*> left;
  for (const auto& kernel : now) {
    auto& pairs = out[kernel.name];
    const auto alike = std::find_if(pairs.begin(), pairs.end(), [&kernel](const Pair& pair) {
      return pair.now == nullptr && launch_of(*pair.before) == launch_of(kernel);
    });
    if (alike != pairs.end()) {
      alike->now = &kernel;
    } else {
      left.push_back(&kernel);
    }
  }
  for (const KernelRecord* kernel : left) {
    auto& pairs = out[kernel->name];
    const auto open = std::find_if(pairs.begin(), pairs.end(),
                                   [](const Pair& pair) { return pair.now == nullptr; });
    if (open != pairs.end()) {
      open->now = kernel;
    } else {
      pairs.push_back({nullptr, kernel});
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> kernel_changes(const std::vector<KernelRecord>& before,
                                        const std::vector<KernelRecord>& now, std::size_t limit) {
  if (before.empty() || now.empty()) {
    return {};
  }
  double total_us = 0;
  for (const auto& kernel : before) {
    total_us += kernel.busy_us;
  }
  std::vector<Change> changes;
  for (const auto& [name, pairs] : paired(before, now)) {
    for (const auto& [old_kernel, new_kernel] : pairs) {
      const double difference = busy_of(new_kernel) - busy_of(old_kernel);
      std::string text;
      if (old_kernel == nullptr) {
        text = fmt::format("new, {}   grid {}", time_text(new_kernel->busy_us),
                           extents(new_kernel->grid));
      } else if (new_kernel == nullptr) {
        text = fmt::format("gone, was {}", time_text(old_kernel->busy_us));
      } else {
        if (launch_of(*old_kernel) == launch_of(*new_kernel) &&
            std::abs(difference) < 0.01 * total_us) {
          continue;
        }
        text =
            fmt::format("{} -> {}{}", time_text(old_kernel->busy_us),
                        time_text(new_kernel->busy_us), launch_changes(*old_kernel, *new_kernel));
      }
      changes.push_back({std::abs(difference),
                         fmt::format("{:<{}}  {}", clipped(name, kNameWidth), kNameWidth, text)});
    }
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.microseconds > b.microseconds;
  });
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(limit, changes.size()); ++i) {
    out.push_back(changes[i].text);
  }
  return out;
}

bool other_kernels(const std::vector<KernelRecord>& before, const std::vector<KernelRecord>& now) {
  if (before.empty() || now.empty()) {
    return false;
  }
  const auto pairs_by_name = paired(before, now);
  return std::any_of(pairs_by_name.begin(), pairs_by_name.end(), [](const auto& item) {
    return std::any_of(item.second.begin(), item.second.end(), [](const Pair& pair) {
      return pair.before == nullptr || pair.now == nullptr ||
             launch_of(*pair.before) != launch_of(*pair.now);
    });
  });
}

std::string other_kernels_text(const std::vector<Outcome>& outcomes, const Baseline* baseline) {
  constexpr std::size_t kKernels = 4;
  std::string out;
  for (const auto& outcome : outcomes) {
    const bool good = outcome.verdict == Verdict::kPass || outcome.verdict == Verdict::kImproved;
    if (baseline == nullptr || !good || outcome.reports.empty()) {
      continue;
    }
    const auto record = baseline->cases.find(outcome.case_key);
    if (record == baseline->cases.end()) {
      continue;
    }
    for (const auto& [phase, part] : record->second.phases) {
      const auto& now = kernels_of(outcome.reports.front().phase(phase));
      if (!other_kernels(part.kernels, now)) {
        continue;
      }
      out += fmt::format("    {}   {}\n", key_of_phase(outcome.case_key, phase),
                         name_of(outcome.verdict));
      for (const auto& line : kernel_changes(part.kernels, now, kKernels)) {
        out += "      " + line + "\n";
      }
    }
  }
  return out.empty() ? "" : "\n  other kernels than when recorded\n" + out;
}

}  // namespace perfgate
