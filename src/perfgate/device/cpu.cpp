#include "perfgate/device/cpu.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "perfgate/core/ascii.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/numbers.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/device/cgroup.h"
#include "perfgate/device/machine_id.h"

namespace perfgate {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  const auto last = text.find_last_not_of(" \t\n");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// Plain: it becomes a model's name, an id, a setting.
std::string slurp(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return plain(std::string(std::istreambuf_iterator<char>(stream), {}));
}

// The value of the first "key : value" line.
std::optional<std::string> field(std::string_view text, const std::string& key) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (colon != std::string::npos && trimmed(line.substr(0, colon)) == key) {
      return trimmed(line.substr(colon + 1));
    }
  }
  return std::nullopt;
}

bool has_flag(const std::string& flags, const std::string& flag) {
  const auto words = words_of(flags);
  return std::find(words.begin(), words.end(), flag) != words.end();
}

std::string vector_isa(const std::string& flags) {
  if (has_flag(flags, "avx512f")) {
    return has_flag(flags, "amx_bf16")      ? "avx512-amx"
           : has_flag(flags, "avx512_bf16") ? "avx512-bf16"
                                            : "avx512";
  }
  return has_flag(flags, "avx2") ? "avx2" : has_flag(flags, "avx") ? "avx" : "sse2";
}

// "Intel(R) Xeon(R) Processor" and "Intel Xeon Processor" are one name.
std::string plain_name(std::string name) {
  for (const std::string mark : {"(R)", "(TM)", "(r)", "(tm)"}) {
    for (auto at = name.find(mark); at != std::string::npos; at = name.find(mark)) {
      name.erase(at, mark.size());
    }
  }
  return name;
}

int count_processors(std::string_view cpuinfo) {
  std::istringstream lines{std::string(cpuinfo)};
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    count += line.rfind("processor", 0) == 0 ? 1 : 0;
  }
  return count;
}

}  // namespace

std::string cpu_model(std::string_view cpuinfo) {
  const std::string cores = std::to_string(count_processors(cpuinfo)) + "c";
  const auto name = field(cpuinfo, "model name");
  if (!name) {  // ARM's cpuinfo has no name; its part numbers say as much
    return "CPU " + field(cpuinfo, "CPU implementer").value_or("unknown") + "-" +
           field(cpuinfo, "CPU part").value_or("unknown") + " " + cores;
  }
  return plain_name(*name) + " " + field(cpuinfo, "cpu family").value_or("0") + "-" +
         field(cpuinfo, "model").value_or("0") + "-" + field(cpuinfo, "stepping").value_or("0") +
         " " + vector_isa(field(cpuinfo, "flags").value_or("")) + " " + cores;
}

DeviceIdentity CpuDevice::identity() const {
  const std::string cpuinfo = slurp(root_ / "proc/cpuinfo");
  DeviceIdentity out;
  out.kind = "cpu";
  out.model = cpu_model(cpuinfo);
  MachineId machine = machine_id(root_);
  out.device_id = std::move(machine.id);
  out.why_not_kept = std::move(machine.why_not_kept);
  const auto cpu0 = root_ / "sys/devices/system/cpu/cpu0";
  const std::string governor = trimmed(slurp(cpu0 / "cpufreq/scaling_governor"));
  out.details["governor"] = governor.empty() ? "unknown" : governor;
  out.details["cpu_mhz"] = field(cpuinfo, "cpu MHz").value_or("unknown");
  out.details["llc"] = trimmed(slurp(cpu0 / "cache/index3/size"));
  out.details["transparent_hugepage"] =
      trimmed(slurp(root_ / "sys/kernel/mm/transparent_hugepage/enabled"));
  if (const auto quota = cpu_quota(root_)) {
    out.details["cpu_quota"] = *quota;
  }
  return out;
}

std::size_t available_memory_bytes(const std::filesystem::path& root) {
  const auto value = field(slurp(root / "proc/meminfo"), "MemAvailable");
  if (!value) {
    throw SystemError("no MemAvailable in " + (root / "proc/meminfo").string(),
                      "mount /proc: perfgate needs it to refuse what would not fit");
  }
  const std::size_t of_machine = std::stoull(*value) * 1024;
  return std::min(of_machine, cgroup_limits(root).available_bytes.value_or(of_machine));
}

std::optional<std::string> cpu_quota(const std::filesystem::path& root) {
  const auto cores = cgroup_limits(root).cores;
  if (!cores || *cores >= count_processors(slurp(root / "proc/cpuinfo"))) {
    return std::nullopt;
  }
  return rounded_text(*cores, 6) + " cores";
}

}  // namespace perfgate
