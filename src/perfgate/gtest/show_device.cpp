#include <iostream>

#include "perfgate/baseline/baseline_folder.h"
#include "perfgate/baseline/store.h"
#include "perfgate/core/errors.h"
#include "perfgate/gtest/commands.h"

namespace perfgate {

int show_device_command(const Options& options, const Backend& backend) {
  const auto identity = backend.device->identity();
  const auto path = baseline_path(options.paths.baselines, identity.model);
  std::cout << "model     " << identity.model << "\ndevice_id " << identity.device_id
            << (identity.why_not_kept ? " (of this boot alone: " + *identity.why_not_kept + ")"
                                      : "")
            << "\nbaseline  " << path.string() << (read_folder(path) ? "" : " (none)") << "\n";
  return static_cast<int>(ExitCode::kOk);
}

}  // namespace perfgate
