// The custom JSON of github-action-benchmark: a flat list of named values.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "perfgate/core/readable_json.h"
#include "perfgate/gate/mde_text.h"
#include "perfgate/report/export.h"
#include "perfgate/report/wording.h"

namespace perfgate {

std::string github_action_benchmark_text(const ExportInput& input) {
  const Run& night = input.night;
  using nlohmann::json;
  json out = json::array();
  for (const auto& outcome : night.outcomes) {
    for (const Phase phase : phases_of(outcome)) {
      const auto time_us = median_measurement(outcome, kTime.in(phase));
      if (!time_us) {
        continue;  // the format has no word for a case without a value
      }
      json row = {
          {"name", key_of_phase(outcome.case_key, phase)}, {"unit", "us"}, {"value", *time_us}};
      std::string extra(name_of(outcome.verdict));
      if (const auto* judgement = outcome.deciding(phase)) {
        row["range"] = fmt::format("± {:.3g}", *time_us * outcome.of_time(phase)->half_width);
        extra += fmt::format("\n{} against the baseline, MDE {}",
                             change_in_words(judgement->metric, judgement->change),
                             mde_text(judgement->mde));
      }
      row["extra"] =
          extra + "\n" + night.info.device.model + ", LibTorch " + night.info.session.libtorch;
      out.push_back(row);
    }
  }
  return dump_plain(std::move(out), 2) + "\n";
}

}  // namespace perfgate
