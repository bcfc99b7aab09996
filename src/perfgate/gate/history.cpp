#include "perfgate/gate/history.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "perfgate/baseline/folding.h"
#include "perfgate/baseline/session_value.h"
#include "perfgate/model/case_key.h"

namespace perfgate {
namespace {

// What a device's sessions of one revision make.
struct DeviceValues {
  std::vector<double> references;
  std::vector<double> log_mhz;        // of the references; of cycles
  std::vector<double> log_dram_read;  // of those references that have it
  Moments later;
};

struct RevisionValues {
  std::map<std::string, DeviceValues> devices;
  SumOfSquares of_values;
  std::optional<ClockResponse> clock;  // of cycles
};

// Of the sessions that have measurements of `metric`.
RevisionValues values_of(const Baseline& baseline, const Revision& revision, Metric metric,
                         const MetricRecord& description, const ClockPolicy& policy) {
  RevisionValues out;
  out.clock = clock_response(revision, metric, policy);
  const Better better = better_of(metric);
  for (const auto& [id, as_measured] : revision.measurements.at(metric)) {
    const SessionMeasurements session = measurements_of(revision, id);
    const auto measurements = judged_measurements(session, metric, out.clock);
    const SessionRecord& recorded = baseline.sessions.at(id);
    auto& device = out.devices[recorded.device_id];
    if (const auto rate = recorded.ceilings.find(kDramRead); rate != recorded.ceilings.end()) {
      device.log_dram_read.push_back(std::log(rate->second));
    }
    device.references.push_back(session_value(measurements, better, description.statistic));
    if (out.clock) {
      device.log_mhz.push_back(mean_log(clocks_mhz(session, metric.phase)));
    }
    if (as_measured.size() > 1) {
      out.of_values += {value_variance(measurements, better, description.statistic), 1};
    }
  }
  for (const auto& [device, on_device] : revision.later) {
    if (const auto later = on_device.metrics.find(metric); later != on_device.metrics.end()) {
      out.devices[device].later = moments_of(later->second, metric, out.clock);
      out.of_values += {later->second.within, static_cast<double>(later->second.several)};
    }
  }
  return out;
}

DeviceReference reference_of(const DeviceValues& device) {
  DeviceReference out;
  out.value = mean(device.references);
  out.sessions = static_cast<int>(device.references.size());
  out.all_sessions = out.sessions + static_cast<int>(device.later.count);
  if (!device.log_mhz.empty()) {
    out.log_mhz = mean(device.log_mhz);
  }
  if (device.log_dram_read.size() == device.references.size()) {
    out.log_dram_read = mean(device.log_dram_read);
  }
  return out;
}

}  // namespace

bool is_ceiling(const std::string& case_key) { return family_of(case_key) == "ceilings"; }

MetricHistory history_of(const Baseline& baseline, const CaseRecord& record, Metric metric,
                         const ClockPolicy& clock) {
  MetricHistory out;
  std::set<std::string> known_devices;
  for (auto revision = record.revisions.rbegin(); revision != record.revisions.rend(); ++revision) {
    if (references_with(*revision, metric).empty()) {
      continue;  // an older revision, from before this metric was judged
    }
    const bool in_force = revision == record.revisions.rbegin();
    const auto values = values_of(baseline, *revision, metric, record.metrics.at(metric), clock);
    out.of_values += values.of_values;
    std::vector<double> new_devices;  // the same devices in two revisions tell of their spread once
    std::vector<DevicePoint> new_points;
    for (const auto& [name, device] : values.devices) {
      Moments all = moments_of(device.references);
      all += device.later;
      out.between_sessions += all.deviations();
      if (device.references.empty()) {
        continue;
      }
      const DeviceReference reference = reference_of(device);
      if (known_devices.insert(name).second) {
        new_devices.push_back(reference.value);
        if (reference.log_dram_read) {
          new_points.push_back({*reference.log_dram_read, reference.value});
        }
      }
      if (in_force) {
        out.devices[name] = reference;
      }
    }
    out.between_devices += deviations(new_devices);
    out.device_points.push_back(std::move(new_points));
    if (in_force) {
      out.clock = values.clock;
    }
  }
  return out;
}

MetricHistories histories_of(const Baseline& baseline, const ClockPolicy& clock) {
  MetricHistories out;
  for (const auto& [key, record] : baseline.cases) {
    for (const auto& [metric, description] : record.metrics) {
      if (description.judged) {
        out[{key, metric}] = history_of(baseline, record, metric, clock);
      }
    }
  }
  return out;
}

}  // namespace perfgate
