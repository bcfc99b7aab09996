#include <iostream>
#include <nlohmann/json.hpp>

#include "perfgate/baseline/store.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/readable_json.h"
#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/run_on_device.h"
#include "perfgate/gtest/selected_cases.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/run/machine/device_lock.h"
#include "perfgate/worker/worker_process.h"
#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/compiled_package.h"

namespace perfgate {
namespace {

PackageTunings recorded_tunings(const Options& options, const DeviceIdentity& identity) {
  return baseline_of(baseline_path(options.paths.baselines, identity.model), identity)
      .package_tunings;
}

}  // namespace

int list_packages_command(const Options& options, const Backend& backend) {
  const auto identity = backend.device->identity();
  const PrepareContext context{at::Device(backend.torch_device),
                               packages_for(packages_of(options), backend), identity.model};
  std::vector<Case> cases;
  for (const auto& key : selected_cases(options, backend)) {
    cases.push_back(*find_or_make_case(key));
  }
  auto request = package_request(cases, context, recorded_tunings(options, identity));
  request["lock"] = device_lock_path(identity.device_id).string();
  request["device_id"] = identity.device_id;
  std::cout << dump_plain(request, 1) << "\n";
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace perfgate
