#include "perfgate/worker/own_metrics.h"

#include <algorithm>

#include "perfgate/core/errors.h"
#include "perfgate/model/measured_range.h"

namespace perfgate {

void add_own_metrics(Phase phase, const Work& work, const PreparedPhase& prepared,
                     const std::string& device_kind, WorkerReport& report) {
  const auto values = prepared.own_values ? prepared.own_values() : std::map<std::string, double>{};
  for (const auto& [name, value] : values) {
    if (std::none_of(work.own_metrics.begin(), work.own_metrics.end(),
                     [&name = name](const OwnMetric& declared) { return declared.name == name; })) {
      throw SystemError(prefix_of(phase) + "own_values gives \"" + name +
                            "\", which own_metrics does not declare",
                        "declare it there, or give it the name that is declared");
    }
  }
  for (const auto& declared : work.own_metrics) {
    const auto found = values.find(declared.name);
    if (found == values.end() || !is_measurable(found->second)) {
      throw SystemError(
          prefix_of(phase) + "the case's own metric \"" + declared.name + "\" " +
              (found == values.end() ? "has no value" : unmeasurable_text(found->second)),
          "have own_values give one of each that own_metrics declares, in a unit in which it is "
          "neither next to nothing nor beyond everything");
    }
    Measurement measurement{found->second, true, device_kind + "/own"};
    measurement.tolerance = declared.tolerance;
    report.metrics[{phase, Quantity::kOwn,
                    own_quantity(declared.name, declared.unit, declared.better)}] = measurement;
  }
}

}  // namespace perfgate
