#include "perfgate/baseline/kept_tunings.h"

#include "perfgate/model/libtorch_version.h"

namespace perfgate {
namespace {

bool have_one_compiler(const PackageTuning& a, const PackageTuning& b) {
  return is_one_libtorch(a.libtorch, b.libtorch) && a.triton == b.triton;
}

void keep_what_is_recorded(const PackageTuning& recorded, PackageTuning& now) {
  for (auto& [name, program] : now.programs) {
    const auto known = recorded.programs.find(name);
    if (known == recorded.programs.end()) {
      continue;
    }
    for (auto& [source, configuration] : program) {
      if (const auto found = known->second.find(source); found != known->second.end()) {
        configuration = found->second;
      }
    }
  }
}

}  // namespace

void keep_tunings(const PackageTunings& tunings, bool changed, Baseline& baseline) {
  for (auto [package, now] : tunings) {
    const auto recorded = baseline.package_tunings.find(package);
    if (recorded != baseline.package_tunings.end() && !changed &&
        have_one_compiler(recorded->second, now)) {
      keep_what_is_recorded(recorded->second, now);
    }
    baseline.package_tunings[package] = now;
  }
}

}  // namespace perfgate
