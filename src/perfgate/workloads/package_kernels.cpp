#include "perfgate/workloads/package_kernels.h"

#include <nlohmann/json.hpp>

#include "perfgate/core/files.h"
#include "perfgate/core/json.h"

namespace perfgate {
namespace {

CompiledKernel kernel_from(const JsonCursor& cursor, const std::string& program) {
  CompiledKernel out;
  out.program = program;
  out.configuration = cursor.at("configuration").text();
  out.source = cursor.at("version").text();
  if (const auto text = cursor.find("kernel")) {  // what was exported before does not have it
    out.text = text->text();
  }
  if (const auto bytes = cursor.find("bytes"); bytes && bytes->number() > 0) {
    out.bytes = bytes->number();
  }
  if (const auto threads = cursor.find("threads")) {
    out.threads = threads->integer();
  }
  if (const auto grid = cursor.find("grid_x")) {
    out.grid_x = grid->integer();
  }
  return out;
}

// Which of these are launched with that grid, as far as they have one.
std::vector<const CompiledKernel*> of_same_grid(const KernelRecord& launched,
                                                const CompiledKernels& compiled) {
  std::vector<const CompiledKernel*> out;
  const auto [first, last] = compiled.equal_range(launched.name);
  for (auto kernel = first; kernel != last; ++kernel) {
    if (!kernel->second.grid_x || *kernel->second.grid_x == launched.grid[0]) {
      out.push_back(&kernel->second);
    }
  }
  return out;
}

// Blocks only tell several apart: a launcher may add threads to those that were configured.
const CompiledKernel* compiled_of(const KernelRecord& launched, const CompiledKernels& compiled) {
  auto candidates = of_same_grid(launched, compiled);
  if (candidates.size() > 1) {
    std::erase_if(candidates, [&](const CompiledKernel* kernel) {
      return kernel->threads && *kernel->threads != launched.block[0];
    });
  }
  return candidates.size() == 1 ? candidates.front() : nullptr;
}

}  // namespace

CompiledKernels compiled_kernels(const std::filesystem::path& package) {
  auto file = package;
  file.replace_extension(".kernels.json");
  CompiledKernels out;
  if (!std::filesystem::exists(file)) {
    return out;
  }
  const auto document = parse_strict(read_file(file), file.string());
  for (const auto& [program, kernels] : JsonCursor(document, file.string()).members()) {
    for (const auto& [name, kernel] : kernels.members()) {
      out.emplace(name, kernel_from(kernel, program));
    }
  }
  return out;
}

std::map<std::string, ProgramTuning> tuning_of(const CompiledKernels& compiled) {
  std::map<std::string, ProgramTuning> out;
  for (const auto& [name, kernel] : compiled) {
    out[kernel.program][kernel.source] = kernel.configuration;
  }
  return out;
}

void describe(KernelRecord& traced, const CompiledKernels& compiled) {
  if (const auto* known = compiled_of(traced, compiled)) {
    traced.configuration = known->configuration;
    traced.source = known->source;
    traced.bytes_a_launch = known->bytes;
  }
}

void describe(std::vector<KernelRecord>& traced, const CompiledKernels& compiled) {
  for (auto& kernel : traced) {
    describe(kernel, compiled);
  }
}

std::map<std::string, std::string> sources_of(const std::vector<KernelRecord>& described,
                                              const CompiledKernels& compiled) {
  std::map<std::string, std::string> out;
  for (const auto& kernel : described) {
    const auto [first, last] = compiled.equal_range(kernel.name);
    for (auto known = first; known != last; ++known) {
      if (known->second.source == kernel.source && !known->second.text.empty()) {
        out[kernel.source] = known->second.text;
      }
    }
  }
  return out;
}

}  // namespace perfgate
