#include "perfgate/report/host_text.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "perfgate/gate/mde_text.h"
#include "perfgate/gate/paired_host.h"
#include "perfgate/report/failure_lines.h"
#include "perfgate/report/wording.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

std::optional<double> median_of(const std::vector<WorkerReport>& reports, Metric metric) {
  const auto out = measurements_of(reports, metric);
  return out.empty() ? std::nullopt : std::optional(median(out));
}

// What a phase takes host and device, in the middle of its processes.
struct HostAndDevice {
  double host_us = 0;
  double device_us = 0;

  [[nodiscard]] bool is_launch_bound() const { return host_us >= device_us; }
  [[nodiscard]] std::string text() const {
    return "host time " + time_text(host_us) + ", device " + time_text(device_us);
  }
};

std::optional<HostAndDevice> host_and_device(const std::vector<WorkerReport>& reports,
                                             Phase phase) {
  const auto host_us = median_of(reports, kEnqueueTime.in(phase));
  const auto device_us = median_of(reports, kNetTime.in(phase));
  return host_us && device_us ? std::optional(HostAndDevice{*host_us, *device_us}) : std::nullopt;
}

std::string who_slowed_it(const PairedReports& reports, Phase phase) {
  const auto control = control_change(reports, phase);
  if (!control) {
    return "";
  }
  if (*control == ControlChange::kSame) {
    return "; its control launches as fast as before, so it is not launching itself that is slower";
  }
  return fmt::format(
      "; its control takes {}, was {}: launching itself is slower (a library that is preloaded, "
      "the "
      "driver), whoever launches",
      time_text(median_of(reports.now, kHostControl.in(phase)).value_or(0)),
      time_text(median_of(reports.before, kHostControl.in(phase)).value_or(0)));
}

}  // namespace

std::string host_pass_remark(const Outcome& outcome, Phase phase) {
  const Metric metric = kRelativeEnqueueTime.in(phase);
  const auto* judgement = outcome.judgement_of(metric);
  const auto host_us = median_measurement(outcome, kEnqueueTime.in(phase));
  const std::string host = host_us ? "  host " + time_text(*host_us) : "  host";
  if (judgement != nullptr) {
    return host + ", MDE " + mde_text(judgement->mde);
  }
  return outcome.not_judged.count(metric) > 0 ? host + " not judged" : "";
}

std::string host_lines(const Outcome& outcome) {
  std::string out;
  const auto* decides = outcome.deciding();
  if (decides != nullptr && is_of_host_pass(decides->metric.quantity)) {
    if (const auto times = host_and_device(outcome.reports, decides->metric.phase)) {
      out += line(times->is_launch_bound() ? "launch-bound" : "host", times->text());
    }
  }
  for (const auto& [metric, why] : outcome.not_judged) {
    out += line("not judged", text_of(metric) + ": " + why);
  }
  return out;
}

std::string host_change_text(const PairedReports& reports, const PairedOutcome& outcome) {
  const auto* decides = outcome.deciding();
  if (decides == nullptr || !is_of_host_pass(decides->metric.quantity)) {
    return "";
  }
  const Phase phase = decides->metric.phase;
  const auto times = host_and_device(reports.now, phase);
  if (!times) {
    return "";
  }
  return times->text() + (times->is_launch_bound() ? ": launch-bound" : "") +
         (outcome.verdict == Verdict::kRegressed ? who_slowed_it(reports, phase) : "");
}

}  // namespace perfgate
