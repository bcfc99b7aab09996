#pragma once
// The seam between a case and the way it is timed. A Sampler turns a body into figures by a fixed
// protocol; it knows nothing of tensors, baselines or verdicts.

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perfgate/core/units.h"
#include "perfgate/core/worker_report.h"

namespace perfgate {

/// What is timed. Inputs exist already; `run` does the work once.
struct Body {
  std::function<void()> run;
  Traffic traffic;
  Seconds expected{0};  ///< rough length, from the case's closed form; chooses the sample count
  std::vector<std::span<const std::byte>> operands;  ///< memory that a cold run has to fetch
};

struct Measurement {
  std::map<std::string, Reading> metrics;
  Protocol protocol;
  std::map<std::string, std::vector<double>> samples;
  std::map<std::string, double> ceilings;
  std::optional<double> planted_percent;
  bool noisy = false;
  int discarded = 0;
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  /// Times the body. `inject_percent`: extra work inside the timed region that costs this much of
  /// the body's own time; 0 for none.
  virtual Measurement measure(const Body& body, double inject_percent) = 0;
  /// The device's rates right now, unit in the name; what utilisation is measured against.
  virtual std::map<std::string, double> ceilings() = 0;
};

}  // namespace perfgate
