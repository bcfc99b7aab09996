#include "perfgate/run/machine/run_folder.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <fstream>
#include <optional>

#include "perfgate/core/ascii.h"
#include "perfgate/core/errors.h"
#include "perfgate/run/machine/host.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;

std::string stamp(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H-%M-%SZ", &parts);
  return text.data();
}

// When a process began, by /proc/<pid>/stat: its 22nd field, in ticks since the machine's start.
std::optional<std::time_t> start_of(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), {});
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) {
    return std::nullopt;
  }
  const auto fields = words_of(text.substr(name_end + 1));
  constexpr std::size_t kStartTime = 22 - 3;  // the third is the first behind the name
  std::ifstream kernel("/proc/stat");
  for (std::string line; fields.size() > kStartTime && std::getline(kernel, line);) {
    if (line.rfind("btime ", 0) == 0) {
      return std::stoll(line.substr(6)) + std::stoll(fields[kStartTime]) / sysconf(_SC_CLK_TCK);
    }
  }
  return std::nullopt;
}

bool is_ctest(pid_t process) {
  std::ifstream name("/proc/" + std::to_string(process) + "/comm");
  std::string text;
  return std::getline(name, text) && text == "ctest";
}

}  // namespace

std::string run_name() {
  const pid_t whose = is_ctest(getppid()) ? getppid() : getpid();
  return stamp(start_of(whose).value_or(std::time(nullptr))) + "-" + name_part(host_name()) + "-" +
         std::to_string(whose);
}

fs::path newest_run(const fs::path& results) {
  fs::path newest;
  if (fs::is_directory(results)) {
    for (const auto& entry : fs::directory_iterator(results)) {
      const auto name = entry.path().filename().string();
      const bool is_run =
          is_digit(name[0]) && !entry.path().has_extension();  // not traces or sources of one
      if (entry.is_directory() && is_run && name > newest.filename().string()) {
        newest = entry.path();
      }
    }
  }
  if (newest.empty()) {
    throw UsageError("no run in " + results.string(),
                     "name the folder that the night wrote to with --results");
  }
  return newest;
}

}  // namespace perfgate
