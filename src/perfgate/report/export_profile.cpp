// What each case is made of: the kernels of its trace, by category.

#include <fmt/format.h>

#include <map>
#include <string>

#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/report/export.h"
#include "perfgate/report/kernel_category.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

constexpr std::size_t kNameWidth = 60;

// Of one execution of a phase.
struct Profile {
  std::string key;
  double time_us = 0;             // as it is measured, without a trace
  std::optional<double> busy_us;  // of a GPU
  double whole_us = 0;            // what shares are of
  const std::vector<KernelRecord>* kernels = nullptr;
};

std::string share_text(double microseconds, const Profile& of) {
  return fmt::format("{:.1f} %", 100 * microseconds / of.whole_us);
}

// Of a kernel whose compiler said what it moves.
std::string rate_text(const KernelRecord& kernel) {
  return kernel.bytes_a_launch && kernel.busy_us > 0
             ? fmt::format("{:.0f}", *kernel.bytes_a_launch * static_cast<double>(kernel.count) /
                                         kernel.busy_us * 1e-3)
             : "";
}

// Behind name, category, count, time and share: of a GPU's kernel what it moves and how it is
// launched, on a CPU what was dispatched.
std::string row(const KernelRecord& kernel, const Profile& of) {
  std::string out = fmt::format("    {:<{}} {:<20} {:>6} {:>9} {:>7}",
                                clipped(plain_line(kernel.name), kNameWidth), kNameWidth,
                                name_of(category_of(kernel)), kernel.count,
                                time_text(kernel.busy_us), share_text(kernel.busy_us, of));
  if (kernel.grid[0] > 0) {
    out += fmt::format(" {:>6} {:>9} {:>6} {:>6}  {} of {}", rate_text(kernel), kernel.registers,
                       kernel.local_bytes, kernel.shared_bytes, text_of(kernel.grid),
                       text_of(kernel.block));
  }
  for (const auto& known : {kernel.implementation, kernel.configuration}) {
    out += known.empty() ? "" : "  " + plain_line(known);
  }
  return out + "\n";
}

struct Total {
  std::int64_t count = 0;
  double microseconds = 0;
};

std::map<KernelCategory, Total> totals_of(const std::vector<KernelRecord>& kernels) {
  std::map<KernelCategory, Total> out;
  for (const auto& kernel : kernels) {
    auto& total = out[category_of(kernel)];
    total.count += kernel.count;
    total.microseconds += kernel.busy_us;
  }
  return out;
}

std::string heading(const Profile& profile) {
  std::string out = fmt::format("{}\n  {} a run", profile.key, time_text(profile.time_us));
  const bool on_gpu = profile.busy_us.has_value();
  out += on_gpu ? ", GPU busy for " + share_text(*profile.busy_us, profile)
                : ", " + time_text(profile.whole_us) + " under the trace";
  return out + fmt::format(
                   "\n    {:<{}} {:<20} {:>6} {:>9} {:>7}{}\n", "kernel", kNameWidth, "category",
                   "count", "time", "share",
                   on_gpu ? "   GB/s registers spills shared  grid of blocks" : "  implementation");
}

// A line to collect from many runs.
std::string tabulated(const Profile& profile, const std::map<KernelCategory, Total>& totals) {
  std::string out = "  tabulate: " + profile.key;
  for (const auto& [category, name] : kNames<KernelCategory>) {
    const auto found = totals.find(category);
    out += fmt::format(", {:.2f}%", found == totals.end()
                                        ? 0.0
                                        : 100 * found->second.microseconds / profile.whole_us);
  }
  return out +
         (profile.busy_us ? fmt::format(", {:.2f}%", 100 * *profile.busy_us / profile.time_us)
                          : ", -") +
         fmt::format(", {:.3f}ms\n", profile.time_us / 1000);
}

std::string text_of(const Profile& profile) {
  std::string out = heading(profile);
  for (const auto& kernel : *profile.kernels) {
    out += row(kernel, profile);
  }
  const auto totals = totals_of(*profile.kernels);
  out += '\n';
  for (const auto& [category, total] : totals) {
    out += fmt::format("    {:<{}} {:<20} {:>6} {:>9} {:>7}\n", "all", kNameWidth,
                       name_of(category), total.count, time_text(total.microseconds),
                       share_text(total.microseconds, profile));
  }
  return out + "\n" + tabulated(profile, totals);
}

std::vector<Profile> profiles_of(const Outcome& outcome) {
  std::vector<Profile> out;
  for (const Phase phase : phases_of(outcome)) {
    const auto net_us = median_measurement(outcome, kNetTime.in(phase));
    const auto time_us = net_us ? net_us : median_measurement(outcome, kTime.in(phase));
    const auto& part = outcome.reports.front().phases.find(phase);
    if (!time_us || part == outcome.reports.front().phases.end() ||
        kernels_of(part->second).empty()) {
      continue;
    }
    const auto& kernels = kernels_of(part->second);
    const auto busy_us = median_measurement(outcome, kBusyTime.in(phase));
    // Of a CPU, under a trace, which costs time of its own.
    const double operators_us = totals_of(kernels)[KernelCategory::kOperator].microseconds;
    out.push_back({plain_line(key_of_phase(outcome.case_key, phase)), *time_us, busy_us,
                   busy_us || operators_us == 0 ? *time_us : operators_us, &kernels});
  }
  return out;
}

std::string legend() {
  std::string out =
      "Shares are of a run's time; on a CPU of the operators' time under the trace, of which a "
      "library's calls are part.\nGB/s: of "
      "compiled kernels, by the bytes that Inductor expects a launch to move.\nBehind "
      "\"tabulate:\" stand the shares of";
  for (const auto& [category, name] : kNames<KernelCategory>) {
    out += fmt::format(" {},", name);
  }
  return out + " that of a busy GPU, and the time of a run.\n\n";
}

}  // namespace

std::string profile_text(const std::vector<Outcome>& outcomes) {
  std::string out;
  for (const auto& outcome : outcomes) {
    if (outcome.reports.empty()) {
      continue;
    }
    for (const auto& profile : profiles_of(outcome)) {
      out += text_of(profile) + "\n";
    }
  }
  return out.empty() ? "" : legend() + plain_lines(out);
}

std::string profile_text(const ExportInput& input) {
  std::string out = profile_text(input.night.outcomes);
  if (out.empty()) {
    throw UsageError("no case of the results has a kernel trace",
                     "measure some, and see in the table's heading why there is none");
  }
  return out;
}

}  // namespace perfgate
