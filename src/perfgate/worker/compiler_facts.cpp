#include "perfgate/worker/compiler_facts.h"

#include <variant>

#include "perfgate/core/errors.h"
#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/package_kernels.h"

namespace perfgate {
namespace {

void add_recorded_facts(const Package& package, const PrepareContext& context,
                        Executions& executions, WorkerReport& report) {
  const auto version = triton_version(context, package);
  if (!version.empty()) {
    report.environment["triton"] = version;
  }
  const auto compiled = compiled_kernels(context.packages.folder / (package.name + ".pt2"));
  if (!version.empty() && !compiled.empty()) {
    report.package_tunings[package.name] = {package_environment(context).at("libtorch"), version,
                                            tuning_of(compiled)};
  }
  for (auto& [phase, part] : report.phases) {
    auto* const traced =
        part.trace ? std::get_if<std::vector<KernelRecord>>(&*part.trace) : nullptr;
    if (traced != nullptr) {
      describe(*traced, compiled);
      report.kernel_sources.merge(sources_of(*traced, compiled));
    }
  }
  for (auto& [phase, activities] : executions) {
    for (auto& activity : activities) {
      describe(activity.kernel, compiled);
    }
  }
}

}  // namespace

void add_compiler_facts(const Package& package, const PrepareContext& context,
                        Executions& executions, WorkerReport& report) {
  try {
    add_recorded_facts(package, context, executions, report);
  } catch (const Error& error) {
    report.environment["no_compiler_facts"] = error.what();
  }
}

}  // namespace perfgate
