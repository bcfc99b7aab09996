#include "perfgate/device/cgroup.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/core/ascii.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;

// A hierarchy as this process sees it: where its own cgroup lies, and how far up the mount goes.
struct Hierarchy {
  fs::path own;
  fs::path mount;
  bool version_2 = false;
};

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(out)
                                                                  : std::nullopt;
}

std::vector<std::string> words_in(const fs::path& path) {
  std::ifstream stream(path);
  return words_of(std::string(std::istreambuf_iterator<char>(stream), {}));
}

std::optional<std::int64_t> number_in(const fs::path& path) {
  const auto words = words_in(path);
  return words.empty() ? std::nullopt : number(words.front());  // "max" is none
}

// The number behind a name in a file of "name number" lines.
std::optional<std::int64_t> number_in(const fs::path& path, const std::string& name) {
  const auto words = words_in(path);
  const auto found = std::find(words.begin(), words.end(), name);
  return found == words.end() || found + 1 == words.end() ? std::nullopt : number(*(found + 1));
}

bool holds(const std::string& list, const std::string& item) {
  std::istringstream items(list);
  for (std::string text; std::getline(items, text, ',');) {
    if (text == item) {
      return true;
    }
  }
  return false;
}

// The cgroup that proc/self/cgroup names for a controller; with "" that of version 2.
std::optional<std::string> cgroup_of(const fs::path& root, const std::string& controller) {
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : holds(controllers, controller)) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

// Where a cgroup lies below a mount that shows the tree from `mounted` on. What is outside of it,
// as in a namespace of its own, cannot be seen: then the mount itself is what there is.
fs::path below_mount(const fs::path& cgroup, const fs::path& mounted, const fs::path& mount) {
  const auto within = cgroup.lexically_normal().lexically_relative(mounted.lexically_normal());
  return within.empty() || within == "." || *within.begin() == ".." ? mount : mount / within;
}

std::optional<Hierarchy> hierarchy_of(const fs::path& root, const std::string& controller,
                                      bool version_2) {
  const auto cgroup = cgroup_of(root, version_2 ? "" : controller);
  if (!cgroup) {
    return std::nullopt;
  }
  std::ifstream lines(root / "proc/self/mountinfo");
  for (std::string line; std::getline(lines, line);) {
    // "ID PARENT DEVICE MOUNTED MOUNT ... - TYPE SOURCE OPTIONS"
    const auto separator = line.find(" - ");
    const auto fields = words_of(line.substr(0, separator));
    const auto of_system = words_of(separator == std::string::npos ? "" : line.substr(separator));
    if (fields.size() < 5 || of_system.size() < 4) {
      continue;
    }
    const std::string& type = of_system[1];
    if (version_2 ? type == "cgroup2" : type == "cgroup" && holds(of_system[3], controller)) {
      const fs::path here = root / fs::path(fields[4]).relative_path();
      return Hierarchy{below_mount(*cgroup, fields[3], here), here, version_2};
    }
  }
  return std::nullopt;
}

// A controller is in one of both versions; in a mixed system most are in the first.
std::vector<Hierarchy> hierarchies_of(const fs::path& root, const std::string& controller) {
  std::vector<Hierarchy> out;
  for (const bool version_2 : {false, true}) {
    if (auto found = hierarchy_of(root, controller, version_2)) {
      out.push_back(std::move(*found));
    }
  }
  return out;
}

// The cgroup itself and all around it that can be seen.
std::vector<fs::path> and_around(const Hierarchy& hierarchy) {
  std::vector<fs::path> out = {hierarchy.own};
  while (out.back() != hierarchy.mount && out.back().has_relative_path()) {
    out.push_back(out.back().parent_path());
  }
  return out;
}

template <class Number>
void keep_smaller(std::optional<Number>& out, Number value) {
  out = out ? std::min(*out, value) : value;
}

void limit_memory(const fs::path& cgroup, bool version_2, CgroupLimits& out) {
  // Version 1 writes "no limit" as the largest multiple of a page.
  constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;
  const auto limit = number_in(cgroup / (version_2 ? "memory.max" : "memory.limit_in_bytes"));
  if (!limit || *limit < 0 || *limit >= kNoLimit) {
    return;
  }
  keep_smaller(out.memory_bytes, static_cast<std::size_t>(*limit));
  const auto used = number_in(cgroup / (version_2 ? "memory.current" : "memory.usage_in_bytes"));
  const std::string of_all = version_2 ? "" : "total_";
  const auto reclaimable = number_in(cgroup / "memory.stat", of_all + "inactive_file").value_or(0) +
                           number_in(cgroup / "memory.stat", of_all + "active_file").value_or(0);
  const std::int64_t kept = std::max<std::int64_t>(0, used.value_or(0) - reclaimable);
  keep_smaller(out.available_bytes,
               static_cast<std::size_t>(std::max<std::int64_t>(0, *limit - kept)));
}

void limit_cores(const fs::path& cgroup, bool version_2, CgroupLimits& out) {
  std::optional<std::int64_t> quota;
  std::optional<std::int64_t> period;
  if (version_2) {
    const auto words = words_in(cgroup / "cpu.max");
    quota = words.empty() ? std::nullopt : number(words.front());
    period = words.size() < 2 ? std::nullopt : number(words[1]);
  } else {
    quota = number_in(cgroup / "cpu.cfs_quota_us");
    period = number_in(cgroup / "cpu.cfs_period_us");
  }
  if (quota && period && *quota > 0 && *period > 0) {
    keep_smaller(out.cores, static_cast<double>(*quota) / static_cast<double>(*period));
  }
}

}  // namespace

CgroupLimits cgroup_limits(const fs::path& root) {
  CgroupLimits out;
  for (const auto& hierarchy : hierarchies_of(root, "memory")) {
    for (const auto& cgroup : and_around(hierarchy)) {
      limit_memory(cgroup, hierarchy.version_2, out);
    }
  }
  for (const auto& hierarchy : hierarchies_of(root, "cpu")) {
    for (const auto& cgroup : and_around(hierarchy)) {
      limit_cores(cgroup, hierarchy.version_2, out);
    }
  }
  return out;
}

std::optional<std::int64_t> memory_kills(const fs::path& root) {
  for (const auto& [own, mount, version_2] : hierarchies_of(root, "memory")) {
    if (const auto kills =
            number_in(own / (version_2 ? "memory.events" : "memory.oom_control"), "oom_kill")) {
      return kills;
    }
  }
  return number_in(root / "proc/vmstat", "oom_kill");
}

}  // namespace perfgate
