#include "perfgate/workloads/compiled_package.h"

#include <c10/util/hash.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/core/folders.h"
#include "perfgate/core/json.h"
#include "perfgate/workloads/libtorch_build.h"

namespace perfgate {
namespace {

constexpr std::size_t kMaxPackageBytes = std::size_t{1} << 30;

[[noreturn]] void refuse(const std::string& why, const PrepareContext& context) {
  throw Unsupported("compiled package " + why + "; make it: " + context.packages.make_command);
}

// A package is code that this process runs, so whoever may write it is whoever may run it.
void refuse_writable(const std::filesystem::path& path, const PrepareContext& context) {
  const auto permissions = std::filesystem::status(path).permissions();
  if ((permissions & std::filesystem::perms::others_write) != std::filesystem::perms::none) {
    refuse("that anybody may write (" + path.string() + ")", context);
  }
}

std::string sha256_of_program(const std::string& source, const PrepareContext& context) {
  const auto found = context.packages.programs.find(source);
  return found == context.packages.programs.end() ? "unknown" : found->second;
}

nlohmann::json arguments_of(const Package& package) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [name, value] : package.arguments) {
    std::visit([&out, &name = name](const auto& v) { out[name] = v; }, value);
  }
  return out;
}

bool makes_the_same(const Package& one, const Package& other) {
  return one.source == other.source && one.arguments == other.arguments && one.timed == other.timed;
}

// The note says what the package was made for, from what, and which file it is of.
void refuse_foreign(const std::filesystem::path& file, const std::filesystem::path& note,
                    const Package& package, const PrepareContext& context) {
  std::map<std::string, std::string> here = package_environment(context);
  here["source"] = package.source;
  here["program_sha256"] = sha256_of_program(package.source, context);
  here["arguments"] = arguments_of(package).dump();
  here["package_sha1"] = c10::sha1(read_file(file, kMaxPackageBytes)).str();
  try {
    const auto document = parse_strict(read_file(note), note.string());
    const JsonCursor cursor(document, note.string());
    for (const auto& [what, expected] : here) {
      const auto item = cursor.at(what);
      const std::string there = what == "arguments" ? item.raw().dump() : item.text();
      if (there != expected) {
        refuse("with another " + what + " (" + there + ", here " + expected + ")", context);
      }
    }
  } catch (const UsageError& error) {
    refuse("with a damaged note (" + error.problem() + ")", context);
  } catch (const SystemError& error) {
    refuse("with a damaged note (" + error.problem() + ")", context);
  }
}

// LibTorch unpacks a package into a folder of its own there, and loads it as a library.
void require_loadable(const std::filesystem::path& unpacked_in) {
  if (is_noexec(unpacked_in)) {
    throw SystemError("compiled packages are unpacked in " + unpacked_in.string() +
                          ", which is mounted noexec, so that none can be loaded",
                      "name a folder that is not with TMPDIR=...");
  }
}

}  // namespace

std::string package_name(const std::string& case_key) {
  return case_key.substr(0, case_key.rfind('/'));
}

std::map<std::string, std::string> package_environment(const PrepareContext& context) {
  return {{"libtorch", libtorch_build().version},
          {"device", context.device.is_cpu() ? "cpu" : "cuda"},
          {"architecture", context.architecture}};
}

std::map<std::string, CompiledOutputs> load_programs(const PrepareContext& context,
                                                     const Package& package,
                                                     const std::vector<std::string>& names) {
  const auto file = context.packages.folder / (package.name + ".pt2");
  const auto note = context.packages.folder / (package.name + ".json");
  if (!std::filesystem::exists(file) || !std::filesystem::exists(note)) {
    throw Unsupported("no compiled package " + package.name +
                      "; make it: " + context.packages.make_command);
  }
  for (const auto& path : {file, note, file.parent_path()}) {
    refuse_writable(path, context);
  }
  refuse_foreign(file, note, package, context);
  require_loadable(folder_for_temporary_files());
  const auto index = context.device.is_cpu() ? c10::DeviceIndex{-1} : context.device.index();
  std::map<std::string, CompiledOutputs> out;
  for (const auto& name : names) {
    // Single-threaded running: one caller, and no lock around each call.
    auto loader = std::make_shared<torch::inductor::AOTIModelPackageLoader>(
        file.string(), name, /*run_single_threaded=*/true, /*num_runners=*/1, index);
    out[name] = [loader](const std::vector<at::Tensor>& inputs) { return loader->run(inputs); };
  }
  return out;
}

Seconds compile_time(const PrepareContext& context, const Package& package) {
  const auto note = context.packages.folder / (package.name + ".json");
  try {
    const auto document = parse_strict(read_file(note), note.string());
    return Seconds(JsonCursor(document, note.string()).at("compile_processor_s").positive_number());
  } catch (const UsageError& error) {
    refuse("whose note does not say what it took to compile (" + error.problem() + ")", context);
  } catch (const SystemError& error) {
    refuse("without a note (" + error.problem() + ")", context);
  }
}

std::string triton_version(const PrepareContext& context, const Package& package) {
  const auto note = context.packages.folder / (package.name + ".json");
  if (!std::filesystem::exists(note)) {
    return "";
  }
  const auto document = parse_strict(read_file(note), note.string());
  const auto version = JsonCursor(document, note.string()).find("triton");
  return version ? version->text() : "";
}

CompiledOutputs load_package_of_outputs(const PrepareContext& context, const Package& package) {
  constexpr const char* kOnlyProgram = "model";  // as the exporter calls it
  return load_programs(context, package, {kOnlyProgram}).at(kOnlyProgram);
}

CompiledFunction load_package(const PrepareContext& context, const Package& package) {
  return [call = load_package_of_outputs(context, package)](const std::vector<at::Tensor>& inputs) {
    return call(inputs).at(0);
  };
}

nlohmann::json package_request(const std::vector<Case>& cases, const PrepareContext& context,
                               const PackageTunings& tunings) {
  nlohmann::json packages = nlohmann::json::array();
  std::map<std::string, const Case*> first;
  for (const auto& item : cases) {
    if (!item.package) {
      continue;
    }
    const auto [asked, is_new] = first.emplace(item.package->name, &item);
    if (!is_new) {
      if (!makes_the_same(*asked->second->package, *item.package)) {
        throw std::invalid_argument("the package " + item.package->name + " of " +
                                    asked->second->key + " is another one than that of " +
                                    item.key);
      }
      continue;
    }
    packages.push_back({{"name", item.package->name},
                        {"case", item.key},
                        {"source", item.package->source},
                        {"program_sha256", sha256_of_program(item.package->source, context)},
                        {"arguments", arguments_of(*item.package)},
                        {"timed", item.package->timed}});
    if (const auto tuning = tunings.find(item.package->name); tuning != tunings.end()) {
      packages.back()["tuning"] = to_json(tuning->second);
    }
  }
  return {{"environment", package_environment(context)}, {"packages", packages}};
}

}  // namespace perfgate
