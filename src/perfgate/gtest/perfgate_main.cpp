#include "perfgate/gtest/perfgate_main.h"

#include <gtest/gtest.h>

#include <iostream>

#include "perfgate/backends/device_choice.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/run_on_device.h"
#include "perfgate/model/case_key.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/run/machine/host.h"
#include "perfgate/run/night/night.h"
#include "perfgate/worker/worker_process.h"
#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/libtorch_build.h"

namespace perfgate {
namespace {

int version_command(const Options& options) {
  const LibTorchBuild& libtorch = libtorch_build();
  if (options.suite.name != kOwnSuite) {
    std::cout << options.suite.name << " (git " << options.suite.commit << ")\n";
  }
  std::cout << program_text() << "\nLibTorch " << libtorch.version
            << (libtorch.commit.empty() ? "" : ", git " + libtorch.commit) << ", "
            << libtorch.folder.string() << "\n";
  return static_cast<int>(ExitCode::kOk);
}

// What needs neither device nor cases.
struct PlainCommand {
  bool (*asked_for)(const Command& command);
  int (*run)(const Options& options);
};
const PlainCommand kPlainCommands[] = {
    {[](const Command& command) { return command.version; }, version_command},
    {[](const Command& command) { return command.merge || !command.exports.empty(); },
     [](const Options& options) { return static_cast<int>(report_night(options)); }},
    {[](const Command& command) { return command.resource_spec; },
     [](const Options& /*options*/) {
       std::cout << resource_spec() << "\n";
       return static_cast<int>(ExitCode::kOk);
     }},
};

// What is asked of this device and its cases; the last is what runs without any of them.
struct DeviceCommand {
  bool (*asked_for)(const Options& options);
  int (*run)(const Options& options, const Backend& backend);
};
const DeviceCommand kDeviceCommands[] = {
    {[](const Options& options) { return options.command.repeat > 0; }, repeat_command},
    {[](const Options& options) { return !options.command.worker.empty(); }, worker_command},
    {[](const Options& options) { return !options.command.kernels.empty(); }, kernels_command},
    {[](const Options& options) { return options.command.list_cases; }, list_cases_command},
    {[](const Options& options) { return options.command.list_night; }, list_night_command},
    {[](const Options& options) { return options.command.list_packages; }, list_packages_command},
    {[](const Options& options) { return options.command.show_device; }, show_device_command},
    {[](const Options& options) { return options.command.show_history; }, show_history_command},
    {[](const Options& options) { return options.against.wanted(); }, against_command},
    {[](const Options& options) { return options.bisect.wanted(); }, bisect_command},
    {[](const Options& /*options*/) { return true; }, gate_command},
};

// GoogleTest instantiates its tables here: the catalogue is complete behind it.
void init_googletest(std::vector<std::string> flags) {
  std::vector<char*> arguments;
  for (auto& text : flags) {
    arguments.push_back(text.data());
  }
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  testing::InitGoogleTest(&count, arguments.data());
  if (count > 1) {
    throw UsageError(std::string("GoogleTest cannot read ") + arguments[1],
                     "write --gtest_flag=value; perfgate --help names its flags");
  }
}

int run(int argc, char** argv, const MakeBackend& make_backend, const Suite& suite) {
  const ParsedOptions parsed = parse_options(argc, argv, suite);
  if (parsed.help) {
    std::cout << *parsed.help << "\n";
    return static_cast<int>(ExitCode::kOk);
  }
  const Options& options = parsed.options;
  for (const auto& command : kPlainCommands) {
    if (command.asked_for(options.command)) {
      return command.run(options);
    }
  }
  const bool is_worker = options.command.worker_pipe >= 0;
  if (is_worker) {
    become_worker();
  }
  Backend backend = make_backend(options.device);
  if (!options.device_id.empty()) {
    backend.device = with_id(std::move(backend.device), options.device_id);
  }
  use_device_type(at::Device(backend.torch_device).type());
  allow_custom_cases(options.selection.case_glob);
  init_googletest(parsed.googletest);
  if (is_worker) {
    if (!wait_for_device()) {
      return static_cast<int>(ExitCode::kOk);
    }
    answer_parent(options.command.worker_pipe, backend, packages_of(options));
  }
  require_built(suite, options.selection.family);
  for (const auto& item : catalogue()) {
    require_gated(suite, family_of(item.key));
  }
  const auto* command = std::begin(kDeviceCommands);
  while (!command->asked_for(options)) {
    ++command;
  }
  return command->run(options, backend);
}

}  // namespace

int perfgate_main(int argc, char** argv, const MakeBackend& make_backend, const Suite& suite) {
  try {
    const int code = run(argc, argv, make_backend, suite);
    if (!std::cout.flush() && !interrupted_by()) {
      throw SystemError("standard output did not take all that was printed",
                        "free space where it goes, or send it elsewhere");
    }
    return code;
  } catch (const std::exception& error) {
    std::cerr << for_terminal(std::string("perfgate: ") + error.what() + "\n");
    if (const auto signal_number = interrupted_by()) {
      return 128 + *signal_number;
    }
    return static_cast<int>(ExitCode::kUsage);
  }
}

}  // namespace perfgate
