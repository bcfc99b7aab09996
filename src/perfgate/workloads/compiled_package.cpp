#include "perfgate/workloads/compiled_package.h"

#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/version.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/core/json.h"

namespace perfgate {
namespace {

std::string make_command(const PrepareContext& context) {
  return "cmake --build " + context.packages.parent_path().parent_path().string() +
         " --target packages";
}

// What the package was made for, by the names of package_environment.
std::map<std::string, std::string> environment_of(const std::filesystem::path& note,
                                                  const PrepareContext& context) {
  std::map<std::string, std::string> out;
  try {
    const auto document = parse_strict(read_file(note), note.string());
    const JsonCursor cursor(document, note.string());
    for (const auto& [what, here] : package_environment(context)) {
      out[what] = cursor.at(what).text();
    }
  } catch (const UsageError& error) {
    throw Unsupported("compiled package with a damaged note (" + error.problem() +
                      "); make it: " + make_command(context));
  }
  return out;
}

void refuse_foreign(const std::filesystem::path& note, const PrepareContext& context) {
  const auto there_of = environment_of(note, context);
  for (const auto& [what, here] : package_environment(context)) {
    const std::string& there = there_of.at(what);
    if (there != here) {
      throw Unsupported("compiled package for another " + what + " (" + there + ", here " + here +
                        "); make it: " + make_command(context));
    }
  }
}

}  // namespace

std::map<std::string, std::string> package_environment(const PrepareContext& context) {
  return {{"libtorch", TORCH_VERSION},
          {"device", context.device.is_cpu() ? "cpu" : "cuda"},
          {"architecture", context.architecture}};
}

CompiledFunction load_package(const PrepareContext& context, const Package& package) {
  const auto file = context.packages / (package.name + ".pt2");
  const auto note = context.packages / (package.name + ".json");
  if (!std::filesystem::exists(file) || !std::filesystem::exists(note)) {
    throw Unsupported("no compiled package " + package.name +
                      "; make it: " + make_command(context));
  }
  refuse_foreign(note, context);
  const auto index = context.device.is_cpu() ? c10::DeviceIndex{-1} : context.device.index();
  // Single-threaded running: one caller, and no lock around each call.
  auto loader = std::make_shared<torch::inductor::AOTIModelPackageLoader>(
      file.string(), "model", /*run_single_threaded=*/true, /*num_runners=*/1, index);
  return [loader](const std::vector<at::Tensor>& inputs) { return loader->run(inputs).at(0); };
}

nlohmann::json package_request(const std::vector<Case>& cases, const PrepareContext& context) {
  nlohmann::json packages = nlohmann::json::array();
  for (const auto& item : cases) {
    if (!item.package) {
      continue;
    }
    nlohmann::json arguments = nlohmann::json::object();
    for (const auto& [name, value] : item.package->arguments) {
      std::visit([&arguments, &name = name](const auto& v) { arguments[name] = v; }, value);
    }
    packages.push_back({{"name", item.package->name},
                        {"case", item.key},
                        {"source", item.package->source},
                        {"arguments", arguments}});
  }
  return {{"environment", package_environment(context)}, {"packages", packages}};
}

}  // namespace perfgate
