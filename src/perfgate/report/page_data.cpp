#include "perfgate/report/page_data.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

#include "perfgate/core/plain_text.h"
#include "perfgate/core/version.h"
#include "perfgate/gate/kernel_pairs.h"
#include "perfgate/model/case_key.h"
#include "perfgate/report/canary_text.h"
#include "perfgate/report/creep_text.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/report/failure.h"
#include "perfgate/report/failure_commands.h"
#include "perfgate/report/global_text.h"
#include "perfgate/report/history_data.h"
#include "perfgate/report/session_changes.h"
#include "perfgate/report/speedups.h"
#include "perfgate/report/wording.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

using nlohmann::json;

template <class Value>
json or_null(const std::optional<Value>& value) {
  return value ? json(*value) : json(nullptr);
}

// Cycles are measured at tonight's clock, and judged at the reference's.
std::vector<double> processes_of(const Outcome& outcome, const Judgement& judgement) {
  std::vector<double> out = measurements_of(outcome, judgement.metric);
  if (judgement.clock_mhz && !out.empty()) {
    const double scale = judgement.now / median(out);
    std::transform(out.begin(), out.end(), out.begin(), [&](double one) { return one * scale; });
  }
  return out;
}

json judgement_data(const Outcome& outcome, const Judgement& judgement) {
  const Unit unit = unit_of(judgement.metric);
  const auto processes = processes_of(outcome, judgement);
  return {{"metric", text_of(judgement.metric)},
          {"change", judgement.change},
          {"half_width", judgement.half_width},
          {"mde", judgement.mde},
          {"tolerance", judgement.tolerance},
          {"now", value_text(judgement.now, unit)},
          {"before", value_text(judgement.before, unit)},
          {"before_value", judgement.before},
          {"processes", processes},
          {"processes_text", values_text(processes, unit)}};
}

// The kernels that differ most come first.
json kernels_data(const std::vector<KernelRecord>& before, const std::vector<KernelRecord>& now) {
  constexpr std::size_t kMost = 12;
  if (before.empty() || now.empty()) {  // one side was not traced
    return json::array();
  }
  struct Row {
    double by_us;
    json data;
  };
  std::vector<Row> rows;
  for (const auto& [old_kernel, new_kernel] : paired_kernels(before, now)) {
    const KernelRecord* const either = new_kernel == nullptr ? old_kernel : new_kernel;
    if (either == nullptr) {
      continue;
    }
    const auto busy = [](const KernelRecord* kernel) {
      return kernel == nullptr ? 0 : kernel->busy_us;
    };
    std::string launch;
    if (old_kernel != nullptr && new_kernel != nullptr) {
      for (const auto& difference : launch_differences(*old_kernel, *new_kernel)) {
        launch += (launch.empty() ? "" : ", ") + difference.what + " " + difference.before +
                  " -> " + difference.now;
      }
    }
    rows.push_back({std::abs(busy(new_kernel) - busy(old_kernel)),
                    {{"name", plain(either->name)},
                     {"before", old_kernel == nullptr ? json(nullptr) : json(old_kernel->busy_us)},
                     {"now", new_kernel == nullptr ? json(nullptr) : json(new_kernel->busy_us)},
                     {"launch", launch}}});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.by_us > b.by_us; });
  json out = json::array();
  for (std::size_t i = 0; i < std::min(kMost, rows.size()); ++i) {
    out.push_back(std::move(rows[i].data));
  }
  return out;
}

json phase_data(const Outcome& outcome, Phase phase, const CaseRecord* record) {
  const Columns columns = columns_of(outcome, phase);
  const Judgement* judgement = outcome.deciding(phase);
  json out = {
      {"phase", name_of(phase)},
      {"time", columns.time},
      {"rate", columns.rate},
      {"remarks", remarks(outcome, phase)},
      {"judgement", judgement == nullptr ? json(nullptr) : judgement_data(outcome, *judgement)}};
  if (record != nullptr && !outcome.reports.empty()) {
    out["kernels"] = kernels_data(record->phase(phase).kernels,
                                  kernels_of(outcome.reports.front().phase(phase)));
  }
  return out;
}

json case_data(const ExportInput& input, const Outcome& outcome) {
  const RunInfo& info = input.night.info;
  const CaseRecord* record = nullptr;
  if (input.baseline != nullptr) {
    const auto found = input.baseline->cases.find(outcome.case_key);
    record = found == input.baseline->cases.end() ? nullptr : &found->second;
  }
  json phases = json::array();
  for (const Phase phase : phases_of(outcome)) {
    phases.push_back(phase_data(outcome, phase, record));
  }
  const ExitCode code = exit_code_of(outcome, input.baseline_required);
  return {{"key", outcome.case_key},
          {"family", family_of(outcome.case_key)},
          {"device", outcome.device_id},
          {"verdict", verdict_text(outcome)},
          {"exit", static_cast<int>(code)},
          {"message", plain(outcome.message)},
          {"text", code != ExitCode::kOk ? plain(failure_text(outcome, info, input.baseline))
                                         : plain(command_lines(outcome, info, false))},
          {"phases", phases}};
}

json ceilings_data(const ExportInput& input) {
  json out = json::array();
  for (const auto& [ceiling, now] : input.night.info.session.ceilings) {
    const auto before =
        input.baseline == nullptr ? std::nullopt : recorded_ceiling(*input.baseline, ceiling);
    out.push_back(
        {{"text", ceiling_text(ceiling, now)}, {"now", now}, {"before", or_null(before)}});
  }
  return out;
}

// What the night is compared with, but for what a refresh recorded itself; null without a baseline.
const SessionRecord* last_session(const ExportInput& input) {
  const RunInfo& info = input.night.info;
  return input.baseline == nullptr
             ? nullptr
             : newest_session(*input.baseline, info.session.device_id, info.started);
}

// What differs from that session, in words.
std::string changed_text(const SessionRecord* before, const RunInfo& info) {
  if (before == nullptr) {
    return "";
  }
  const std::string changes = session_changes(*before, info.session);
  return changes.empty() ? "nothing that perfgate records" : plain(changes);
}

json speedups_data(const Run& night) {
  json out = json::array();
  for (const auto& speedup : speedups(night.outcomes)) {
    out.push_back({{"key", speedup.case_key},
                   {"over", speedup.over},
                   {"ratio", speedup.ratio},
                   {"half_width", or_null(speedup.half_width)}});
  }
  return out;
}

json findings_data(const Run& night) {
  json out = json::array();
  for (const auto& change : night.global) {
    if (is_found(change)) {
      out.push_back({{"kind", "GLOBAL"}, {"text", plain(global_change_text(change))}});
    }
  }
  for (const auto& creep : night.creeps) {
    out.push_back({{"kind", "CREEP"}, {"text", plain(creep_text(creep))}});
  }
  for (const auto& canary : night.canaries) {
    if (makes_unfit(canary.result)) {
      out.push_back({{"kind", "UNFIT"}, {"text", plain(canary_sentence(canary))}});
    }
  }
  if (!night.info.selection.empty()) {
    out.push_back(
        {{"kind", "PARTIAL"}, {"text", "the environment selects: " + plain(night.info.selection)}});
  }
  return out;
}

}  // namespace

json page_data(const ExportInput& input) {
  const Run& night = input.night;
  const RunInfo& info = night.info;
  json cases = json::array();
  for (const auto& outcome : night.outcomes) {
    cases.push_back(case_data(input, outcome));
  }
  const auto history =
      input.history == nullptr ? std::span<const CaseNight>() : std::span(*input.history);
  const SessionRecord* before = last_session(input);
  std::map<std::string, std::string> environment;
  for (const auto& [name, value] : info.environment) {
    environment[name] = plain(value);
  }
  return {{"perfgate", kVersion},
          {"model", info.device.model},
          {"device_id", info.session.device_id},
          {"host", info.session.host},
          {"started", info.started},
          {"elapsed_s", night.elapsed_s},
          {"libtorch", info.session.libtorch},
          {"commit", info.session.commit},
          {"driver", info.session.driver.value_or("")},
          {"partial", night.partial},
          {"refresh", is_refresh(night)},
          {"exit", static_cast<int>(night.exit_code)},
          {"changed", changed_text(before, info)},
          {"changed_since", before == nullptr ? "" : before->date},
          {"moved", plain(night.moved)},
          {"findings", findings_data(night)},
          {"cases", cases},
          {"speedups", speedups_data(night)},
          {"ceilings", ceilings_data(input)},
          {"environment", environment},
          {"history", history_data(night, history)}};
}

}  // namespace perfgate
