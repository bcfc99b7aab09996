#include "perfgate/workloads/package_kernels.h"

#include <nlohmann/json.hpp>

#include "perfgate/core/files.h"
#include "perfgate/core/json.h"

namespace perfgate {
namespace {

CompiledKernel kernel_from(const JsonCursor& cursor) {
  CompiledKernel out;
  out.configuration = cursor.at("configuration").text();
  out.source = cursor.at("version").text();
  out.text = cursor.at("kernel").text();
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

bool may_be(const CompiledKernel& kernel, const KernelRecord& launched) {
  return (!kernel.threads || *kernel.threads == launched.block[0]) &&
         (!kernel.grid_x || *kernel.grid_x == launched.grid[0]);
}

const CompiledKernel* compiled_of(const KernelRecord& launched, const CompiledKernels& compiled) {
  const auto [first, last] = compiled.equal_range(launched.name);
  const CompiledKernel* out = nullptr;
  for (auto kernel = first; kernel != last; ++kernel) {
    if (may_be(kernel->second, launched)) {
      if (out != nullptr) {
        return nullptr;
      }
      out = &kernel->second;
    }
  }
  return out;
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
      out.emplace(name, kernel_from(kernel));
    }
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
      if (known->second.source == kernel.source) {
        out[kernel.source] = known->second.text;
      }
    }
  }
  return out;
}

}  // namespace perfgate
