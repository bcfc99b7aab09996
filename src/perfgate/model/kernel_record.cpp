#include "perfgate/model/kernel_record.h"

namespace perfgate {
namespace {

std::string text_of(std::int64_t number) { return std::to_string(number); }
std::string text_of(const std::string& text) { return text; }

// Baselines of before have none, nor has what was compiled elsewhere.
bool differ_where_known(const std::string& before, const std::string& now) {
  return !before.empty() && !now.empty() && before != now;
}

}  // namespace

std::string text_of(const Extents& e) {
  std::string out = std::to_string(e[0]);
  if (e[1] != 1 || e[2] != 1) {
    out += "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]);
  }
  return out;
}

std::vector<LaunchDifference> launch_differences(const KernelRecord& before,
                                                 const KernelRecord& now) {
  std::vector<LaunchDifference> out;
  const auto compare = [&](const char* what, auto member) {
    if (before.*member != now.*member) {
      out.push_back({what, text_of(before.*member), text_of(now.*member)});
    }
  };
  compare("implementation", &KernelRecord::implementation);
  if (differ_where_known(before.configuration, now.configuration)) {
    out.push_back({"configuration", before.configuration, now.configuration});
  }
  if (has_other_source(before, now)) {
    out.push_back({"source", before.source, now.source});
  }
  compare("launches", &KernelRecord::count);
  compare("grid", &KernelRecord::grid);
  compare("block", &KernelRecord::block);
  compare("registers", &KernelRecord::registers);
  compare("shared", &KernelRecord::shared_bytes);
  compare("local", &KernelRecord::local_bytes);
  return out;
}

bool has_other_source(const KernelRecord& before, const KernelRecord& now) {
  return differ_where_known(before.source, now.source);
}

}  // namespace perfgate
