#include "perfgate/baseline/plausible.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "perfgate/model/measurement_json.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

// What perfgate's own metrics are: a file that says otherwise was damaged, and would call a
// slowdown an improvement. Metrics of other names are compared with what their case reports.
struct MetricMeaning {
  std::string_view name;
  std::string_view unit;
  Better better;
};
constexpr std::array<MetricMeaning, 6> kMeanings = {{{"time", "us", Better::kLower},
                                                     {kNetTime, "us", Better::kLower},
                                                     {"busy_time", "us", Better::kLower},
                                                     {"host_time", "us", Better::kLower},
                                                     {kCycles, "cycles", Better::kLower},
                                                     {"utilisation", "ratio", Better::kHigher}}};

// By what factor sessions of one state of a case may differ on one device, and devices of one
// model. Of 40 H200s and a Xeon the most are 1.37 and 1.63, both of what launching costs.
constexpr double kMostBetweenSessions = 1.5;
constexpr double kMostBetweenUnits = 2.5;

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

void require_meaning(const JsonCursor& cursor, const std::string& name,
                     const MetricRecord& metric) {
  for (const auto& meaning : kMeanings) {
    if (name == meaning.name && (metric.unit != meaning.unit || metric.better != meaning.better)) {
      cursor.fail("\"" + name + "\" is in " + std::string(meaning.unit) + ", and " +
                  to_string(meaning.better) + " is better");
    }
  }
}

void require_times_of_cycles(const JsonCursor& cursor, const Epoch& epoch) {
  const auto cycles = epoch.figures.find(kCycles);
  if (cycles == epoch.figures.end()) {
    return;
  }
  for (const auto& [id, figures] : cycles->second) {
    const SessionFigures session = figures_of(epoch, id);
    const auto times = session.find(kNetTime);
    if (times == session.end() || times->second.size() != figures.size()) {
      cursor.fail(std::string(kCycles) + " of session \"" + id + "\" need as many figures of " +
                  kNetTime);
    }
  }
}

void require_agreement(const JsonCursor& cursor, const Baseline& file, const CaseRecord& record) {
  const auto& epoch = record.epochs.back();
  for (const auto& [name, metric] : record.metrics) {
    if (!metric.judged) {
      continue;
    }
    std::map<std::string, std::map<std::string, double>> by_unit;
    for (const auto& [id, figures] : epoch.figures.at(name)) {
      by_unit[file.sessions.at(id).unit][id] = median(figures);
    }
    std::map<std::string, double> units;
    for (const auto& [unit, sessions] : by_unit) {
      units[unit] = median_of(sessions);
      if (const auto far = farthest_from(units[unit], sessions);
          far.factor > kMostBetweenSessions) {
        cursor.fail("session \"" + far.session + "\" of \"" + name + "\" is a factor of " +
                    std::to_string(far.factor) + " from the others on its device: remove it, or " +
                    "record the case anew");
      }
    }
    if (const auto far = farthest_from(median_of(units), units); far.factor > kMostBetweenUnits) {
      cursor.fail("device \"" + far.session + "\" is a factor of " + std::to_string(far.factor) +
                  " from the others in \"" + name +
                  "\": remove its sessions, or record the case "
                  "anew");
    }
  }
}

void require_judged(const JsonCursor& cursor, const CaseRecord& record) {
  if (std::none_of(record.metrics.begin(), record.metrics.end(),
                   [](const auto& metric) { return metric.second.judged; })) {
    cursor.fail("no metric of the case is judged: it would pass whatever it takes");
  }
  for (const auto& [name, metric] : record.metrics) {
    if (metric.judged && anchors_with(record.epochs.back(), name).empty()) {
      cursor.fail("no anchor session of the newest epoch has figures of the judged metric \"" +
                  name + "\"");
    }
  }
}

}  // namespace perfgate
