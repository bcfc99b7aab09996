#include "perfgate/worker/compile_time.h"

#include "perfgate/core/units.h"
#include "perfgate/workloads/compiled_package.h"

namespace perfgate {

void add_compile_time(const Package& package, const PrepareContext& context,
                      const std::string& device_kind, WorkerReport& report) {
  constexpr double kTolerance = 0.15;  // chosen: less is no reason to look into a compiler
  const Microseconds took = compile_time(context, package);
  Measurement time = {took.count(), true, device_kind + "/compile"};
  time.tolerance = kTolerance;
  report.metrics[kTime.in(Phase::kCompile)] = time;
  report.phases[Phase::kCompile].protocol = {{"caches", "empty"}};
}

}  // namespace perfgate
