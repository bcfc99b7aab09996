#include <iostream>
#include <nlohmann/json.hpp>

#include "perfgate/core/errors.h"
#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/selected_cases.h"
#include "perfgate/run/device_lock.h"
#include "perfgate/worker/worker_process.h"
#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/compiled_package.h"

namespace perfgate {

int list_packages_command(const Options& options, const Backend& backend) {
  const PrepareContext context{at::Device(backend.torch_device),
                               packages_for(options.workers.packages, backend),
                               backend.device->identity().model};
  std::vector<Case> cases;
  for (const auto& key : listed_cases(options, backend)) {
    cases.push_back(*find_case(key));
  }
  auto request = package_request(cases, context);
  request["lock"] = device_lock_path(backend.device->identity().device_id).string();
  std::cout << request.dump(1) << "\n";
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace perfgate
