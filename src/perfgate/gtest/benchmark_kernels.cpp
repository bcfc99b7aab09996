// Each kernel of compiled packages by itself: Python's work, for only Triton can run them alone.

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>

#include "perfgate/core/errors.h"
#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/run_on_device.h"
#include "perfgate/gtest/selected_cases.h"
#include "perfgate/run/machine/device_lock.h"
#include "perfgate/worker/worker_process.h"
#include "perfgate/workloads/catalogue.h"

namespace perfgate {
namespace {

std::vector<std::string> compiled_packages(const std::vector<std::string>& keys) {
  std::vector<std::string> out;
  for (const auto& key : keys) {
    const auto& package = find_case(key)->package;
    if (package && std::find(out.begin(), out.end(), package->name) == out.end()) {
      out.push_back(package->name);
    }
  }
  return out;
}

}  // namespace

int kernels_command(const Options& options, const Backend& backend) {
  if (at::Device(backend.torch_device).is_cpu()) {
    throw UsageError("--kernels times the Triton kernels of a GPU",
                     "name it with --device=cuda; --profile shows what a CPU's cases run");
  }
  require_first_gpu(options, backend);
  if (options.suite.python.empty()) {
    throw UsageError("this build knows no Python of LibTorch's",
                     "configure with -DPERFGATE_PYTHON=... naming one that has this LibTorch");
  }
  const auto packages = compiled_packages(selected_cases(options, backend));
  if (packages.empty()) {
    throw UsageError("no selected case is compiled", "select some: --case='*/compiled'");
  }
  std::vector<std::string> command = {options.suite.python,
                                      options.suite.exporter / "benchmark_kernels.py",
                                      options.workers.program,
                                      device_lock_path(backend.device->identity().device_id),
                                      packages_for(packages_of(options), backend).folder,
                                      options.command.kernels};
  command.insert(command.end(), packages.begin(), packages.end());
  std::vector<char*> arguments;
  for (auto& word : command) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  std::cout.flush();
  ::execv(arguments.front(), arguments.data());
  throw UsageError("cannot start the Python of LibTorch (" + options.suite.python.string() +
                       "): " + std::string(std::strerror(errno)),
                   "configure with -DPERFGATE_PYTHON=... naming a Python that has this LibTorch");
}

}  // namespace perfgate
