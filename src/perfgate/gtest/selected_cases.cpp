#include "perfgate/gtest/selected_cases.h"

#include "perfgate/baseline/store.h"
#include "perfgate/run/baselines_folder.h"
#include "perfgate/run/selection.h"
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

}  // namespace

std::string compared_with(const std::string& key) {
  const Case* item = find_case(key);
  return item == nullptr ? "" : item->shown.compared_with;
}

std::vector<std::string> selected_cases(const Options& options, const Backend& backend) {
  auto out = selected_keys(options.selection, declared_cases());
  if (options.selection.missing) {
    const auto identity = backend.device->identity();
    const auto baseline =
        baseline_of(baseline_path(options.paths.baselines, identity.model), identity);
    std::erase_if(out, [&](const std::string& key) { return baseline.cases.count(key) > 0; });
  }
  return out;
}

std::vector<std::string> listed_cases(Options options, const Backend& backend) {
  if (options.selection.case_glob.empty() && !options.selection.missing) {
    options.selection.case_glob = "*";
  }
  return selected_cases(options, backend);
}

}  // namespace perfgate
