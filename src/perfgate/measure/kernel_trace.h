#pragma once
// What a body really ran, from a trace. On a GPU: which kernels, copies and sets, how long it was
// busy with them, and how long it idled in between. Events see busy and idle time together, and the
// idle part of many small kernels varies from process to process. On a CPU: which operators, and
// which implementations libraries chose for them. Pure but for the seam.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/core/units.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

/// One activity of the device.
struct Activity {
  KernelRecord kernel;  ///< count 1; a GPU's copies and sets are named "memcpy" and "memset"
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t inner_ns = 0;   ///< of that in operators that this one calls
  bool start_is_known = true;  ///< false: only its length is, from 0 ns
};

/// Its length without that of the operators that it calls.
std::int64_t own_ns(const Activity& activity);

/// There is no trace, for a reason that says nothing of the body.
class TraceError : public SystemError {
 public:
  using SystemError::SystemError;
};

/// The seam to the tracer; what it refuses is a TraceError with its own words.
class KernelTracer {
 public:
  virtual ~KernelTracer() = default;
  virtual void start() = 0;
  /// Everything that ended since the last call, in no order.
  virtual std::vector<Activity> collect() = 0;
  /// Also after a start that failed.
  virtual void stop() noexcept = 0;
};

/// A trace that runs while this lives.
class Tracing {
 public:
  explicit Tracing(KernelTracer& tracer);
  ~Tracing() { tracer_.stop(); }
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;

 private:
  KernelTracer& tracer_;
};

/// Of one execution: what lies between the last activity called `before` and the first one after it
/// called `after`, in order of start. Throws TraceError when either is not there.
std::vector<Activity> body_of(std::vector<Activity> activities, const std::string& before,
                              const std::string& after);

/// Length of the union of the activities' intervals: kernels side by side count once.
Seconds busy_time(const std::vector<Activity>& activities);

struct TraceSummary {
  Seconds busy{0};                    ///< median over the executions
  Seconds gap{0};                     ///< idle between first start and last end; median, too
  std::int64_t launches = 0;          ///< of one execution
  std::vector<KernelRecord> kernels;  ///< of one execution, by name and shape, longest first
};

/// Of several executions of one body; throws std::invalid_argument on none.
TraceSummary summarise(const std::vector<std::vector<Activity>>& executions);

/// A kernel's name without what changes from build to build: demangled, without return type and
/// parameters, anonymous namespaces, addresses and hashes.
std::string normalised_kernel_name(const std::string& name);

}  // namespace perfgate
