#include "perfgate/gate/paired_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

std::optional<double> value_of(const WorkerReport& report, Metric metric) {
  const auto found = report.metrics.find(metric);
  return found == report.metrics.end() ? std::nullopt : std::optional(found->second.value);
}

// As the processes propose, whose passes know what the device takes.
bool host_decides(const std::vector<WorkerReport>& reports, Phase phase) {
  const auto decides =
      std::count_if(reports.begin(), reports.end(), [phase](const WorkerReport& report) {
        const auto found = report.metrics.find(kRelativeEnqueueTime.in(phase));
        return found != report.metrics.end() && found->second.judged;
      });
  return 2 * static_cast<std::size_t>(decides) > reports.size();
}

double median_of(const std::vector<WorkerReport>& reports, Metric metric) {
  return median(measurements_of(reports, metric));
}

}  // namespace

bool host_decides_in_either(const PairedReports& reports, Phase phase) {
  const auto pass_of = [phase](const std::vector<WorkerReport>& side) {
    std::optional<std::string> out;
    for (const auto& report : side) {
      const auto pass = own_setting_of(report.phase(phase).protocol, Quantity::kEnqueueTime);
      out = pass ? pass : out;
    }
    return out;
  };
  const auto before = pass_of(reports.before);
  const auto now = pass_of(reports.now);
  if (before && now && before != now) {
    return false;  // builds of commits between which the pass has changed
  }
  return host_decides(reports.before, phase) || host_decides(reports.now, phase);
}

std::string why_launch_bound_now(const PairedReports& reports) {
  for (const auto& [phase, part] : reports.before.front().phases) {
    const auto all = [phase = phase](const std::vector<WorkerReport>& side, const auto& is_so) {
      return std::all_of(side.begin(), side.end(), [&](const WorkerReport& report) {
        const auto host_us = value_of(report, kHostTime.in(phase));
        const auto device_us = value_of(report, kNetTime.in(phase));
        return host_us && device_us && is_so(report, *host_us, *device_us);
      });
    };
    const Metric pass = kEnqueueTime.in(phase);
    const bool before = all(reports.before, [&](const auto& report, double host, double device) {
      return report.metrics.count(pass) == 0 && host < device / 2;
    });
    const bool now = all(reports.now, [&](const auto& report, double host, double device) {
      return report.metrics.count(pass) > 0 && host >= device;
    });
    if (before && now) {
      return prefix_of(phase) +
             fmt::format(
                 "launch-bound now: the host takes {:.3g} us to queue it, the device "
                 "{:.3g} us to run it; before, the host took {:.3g} us",
                 median_of(reports.now, kHostTime.in(phase)),
                 median_of(reports.now, kNetTime.in(phase)),
                 median_of(reports.before, kHostTime.in(phase)));
    }
  }
  return "";
}

std::optional<ControlChange> control_change(const PairedReports& reports, Phase phase) {
  constexpr double kOutsideOfInterval = 0.025;  // at either end
  const auto logs = paired_differences(reports, kHostControl.in(phase)).logs;
  if (logs.size() < 2) {
    return std::nullopt;
  }
  const SumOfSquares squares = deviations(logs);
  const double error = std::sqrt(squares.variance() / static_cast<double>(logs.size()));
  const double lowest =
      mean(logs) - student_t_quantile(kOutsideOfInterval, squares.degrees) * error;
  const double host = mean(paired_differences(reports, kEnqueueTime.in(phase)).logs);
  return lowest > 0 && mean(logs) > host / 10 ? ControlChange::kSlower : ControlChange::kSame;
}

}  // namespace perfgate
