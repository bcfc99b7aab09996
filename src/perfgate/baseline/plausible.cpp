#include "perfgate/baseline/plausible.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

// By what factor sessions of one state of a case may differ on one device, and devices of one
// model. Of 40 H200s and a Xeon the most are 1.37 and 1.63, both of what launching costs; on an
// EPYC that others use one of three sessions, minutes apart, lay a factor of 1.8 from their median.
constexpr double kMostBetweenSessions = 1.5;
constexpr double kMostBetweenSessionsOfCpus = 2.5;
constexpr double kMostBetweenDevices = 2.5;

// The session whose median is farthest from `middle`, by the factor between them.
struct Farthest {
  std::string session;
  double factor = 1;
};

Farthest farthest_from(double middle, const std::map<std::string, double>& values) {
  Farthest out;
  for (const auto& [id, value] : values) {
    const double factor = std::max(value / middle, middle / value);
    if (factor > out.factor) {
      out = {id, factor};
    }
  }
  return out;
}

double median_of(const std::map<std::string, double>& values) {
  std::vector<double> out;
  for (const auto& [name, value] : values) {
    out.push_back(value);
  }
  return median(out);
}

}  // namespace

void require_times_of_cycles(const JsonCursor& cursor, const Revision& revision) {
  for (const auto& [metric, sessions] : revision.measurements) {
    if (metric.quantity != Quantity::kCycles) {
      continue;
    }
    const Metric time = kNetTime.in(metric.phase);
    for (const auto& [id, measurements] : sessions) {
      const SessionMeasurements session = measurements_of(revision, id);
      const auto times = session.find(time);
      if (times == session.end() || times->second.size() != measurements.size()) {
        cursor.fail(text_of(metric) + " of session \"" + id + "\" need as many measurements of " +
                    text_of(time));
      }
    }
  }
}

void require_agreement(const JsonCursor& cursor, const Baseline& file, const CaseRecord& record) {
  const auto& revision = record.revisions.back();
  const double most_between_sessions =
      file.device.kind == "cpu" ? kMostBetweenSessionsOfCpus : kMostBetweenSessions;
  for (const auto& [metric, described] : record.metrics) {
    if (!described.judged) {
      continue;
    }
    const std::string name = text_of(metric);
    std::map<std::string, std::map<std::string, double>> by_device;
    for (const auto& [id, measurements] : revision.measurements.at(metric)) {
      by_device[file.sessions.at(id).device_id][id] = median(measurements);
    }
    for (const auto& [device, on_device] : revision.later) {
      if (const auto later = on_device.metrics.find(metric); later != on_device.metrics.end()) {
        by_device[device][on_device.last + " and those before it"] = later->second.mean;
      }
    }
    std::map<std::string, double> devices;
    for (const auto& [device, sessions] : by_device) {
      devices[device] = median_of(sessions);
      if (const auto far = farthest_from(devices[device], sessions);
          far.factor > most_between_sessions) {
        cursor.fail("session \"" + far.session + "\" of \"" + name + "\" is a factor of " +
                    fmt::format("{:f}", far.factor) +
                    " from the others on its device: remove it, or " + "record the case anew");
      }
    }
    if (const auto far = farthest_from(median_of(devices), devices);
        far.factor > kMostBetweenDevices) {
      cursor.fail("device \"" + far.session + "\" is a factor of " +
                  fmt::format("{:f}", far.factor) + " from the others in \"" + name +
                  "\": remove its sessions, or record the case anew");
    }
  }
}

void require_judged(const JsonCursor& cursor, const CaseRecord& record) {
  for (const auto& [phase, part] : record.phases) {
    if (std::none_of(record.metrics.begin(), record.metrics.end(),
                     [phase = phase](const auto& metric) {
                       return metric.first.phase == phase && metric.second.judged;
                     })) {
      cursor.fail(prefix_of(phase) + "no metric is judged: it would pass whatever it takes");
    }
  }
  for (const auto& [metric, described] : record.metrics) {
    if (described.judged && references_with(record.revisions.back(), metric).empty()) {
      cursor.fail(
          "no reference session of the newest revision has measurements of the judged metric \"" +
          text_of(metric) + "\"");
    }
  }
}

}  // namespace perfgate
