#include "perfgate/gtest/selected_cases.h"

#include "perfgate/baseline/store.h"
#include "perfgate/run/cli/selection.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/workloads/catalogue.h"

namespace perfgate {
namespace {

std::vector<DeclaredCase> declared_cases() {
  std::vector<DeclaredCase> out;
  for (const auto& item : catalogue()) {
    out.push_back({item.key, item.by_default});
  }
  return out;
}

bool selects_by_baseline(const Selection& selection) {
  return selection.missing || selection.recorded || selection.learning;
}

// Of these cases.
std::vector<std::string> selected_of(const std::vector<DeclaredCase>& declared,
                                     const Options& options, const Backend& backend) {
  auto families = options.suite.families;  // those that have a case, if not on this device
  std::erase_if(families, [&](const std::string& family) {
    return family == options.selection.family && !is_declared_family(family);
  });
  auto out = selected_keys(options.selection, declared, families);
  if (!selects_by_baseline(options.selection)) {
    return out;
  }
  const auto identity = backend.device->identity();
  const auto baseline =
      baseline_of(baseline_path(options.paths.baselines, identity.model), identity);
  const int enough = load_policy(options.paths.baselines).known_device_sessions;
  std::erase_if(out, [&](const std::string& key) {
    const auto found = baseline.cases.find(key);
    if (options.selection.missing || found == baseline.cases.end()) {
      return options.selection.missing == (found != baseline.cases.end());
    }
    const int own = sessions_on(baseline, found->second.revisions.back(), identity.device_id);
    return options.selection.learning && (own == 0 || own >= enough);
  });
  return out;
}

}  // namespace

std::string compared_with(const std::string& key) {
  const Case* item = find_case(key);
  return item == nullptr ? "" : item->shown.compared_with;
}

std::vector<std::string> selected_cases(const Options& options, const Backend& backend) {
  return selected_of(declared_cases(), options, backend);
}

std::vector<std::string> listed_cases(const Options& options, const Backend& backend) {
  auto declared = declared_cases();
  if (options.selection.case_glob.empty() && !selects_by_baseline(options.selection)) {
    for (auto& item : declared) {
      item.nightly = true;
    }
  }
  return selected_of(declared, options, backend);
}

}  // namespace perfgate
