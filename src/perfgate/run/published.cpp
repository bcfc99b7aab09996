#include "perfgate/run/published.h"

#include <filesystem>

#include "perfgate/baseline/store.h"

namespace perfgate {

std::vector<Baseline> load_published() {
  namespace fs = std::filesystem;
  std::vector<Baseline> out;
  for (const auto& entry : fs::directory_iterator(fs::path(PERFGATE_SOURCE_DIR) / "baselines")) {
    const auto name = entry.path().filename();
    if (entry.path().extension() == ".json" && name != "policy.json" && name != "schema.json") {
      auto baseline = load_baseline(entry.path());
      if (baseline && baseline->published) {
        out.push_back(std::move(*baseline));
      }
    }
  }
  return out;
}

}  // namespace perfgate
