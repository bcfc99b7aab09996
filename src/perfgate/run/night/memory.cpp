#include "perfgate/run/night/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "perfgate/baseline/store.h"
#include "perfgate/core/errors.h"
#include "perfgate/gate/decide.h"

namespace perfgate {
namespace {

constexpr const char* kUnrecordedSession = "not recorded";

std::string day(const std::string& time) { return time.substr(0, 10); }

// Whether the improvement is still one on what is recorded, and has all that is judged; of host
// passes not every session has one.
bool keeps(const CaseRecord& record, const Improvement& item) {
  return record.revisions.back().reference.front() == item.revision &&
         std::all_of(record.metrics.begin(), record.metrics.end(), [&](const auto& metric) {
           return !metric.second.judged || is_optional(metric.first.quantity) ||
                  item.measurements.count(metric.first) > 0;
         });
}

// The baseline with each improvement as the newest state of its case; nothing where there is none.
std::optional<Judge> with_improvements(const Judge& recorded,
                                       const std::map<std::string, Improvement>& improvements,
                                       const std::string& device, const Policy& policy) {
  if (improvements.empty()) {
    return std::nullopt;  // mostly, and a baseline is megabytes
  }
  Baseline out = recorded.baseline();
  bool any = false;
  for (const auto& [key, item] : improvements) {
    const auto record = out.cases.find(key);
    if (record == out.cases.end() || !keeps(record->second, item)) {
      continue;
    }
    any = true;
    Revision revision{
        "improved, not recorded", day(item.date), {kUnrecordedSession}, {}, {}, {}, {}};
    for (const auto& [metric, measurements] : item.measurements) {
      if (record->second.metrics.count(metric) > 0) {
        revision.measurements[metric][kUnrecordedSession] = measurements;
      }
    }
    revision.tuning = record->second.revisions.back().tuning;
    record->second.revisions.push_back(std::move(revision));
  }
  if (!any) {
    return std::nullopt;
  }
  out.sessions[kUnrecordedSession].device_id = device;
  return Judge(std::move(out), policy, recorded.night());
}

// That the file can be written is known before an hour is spent.
NightLog load_writable(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (!std::filesystem::is_directory(path.parent_path())) {
    throw UsageError(
        "--history=" + path.parent_path().string() + " is no folder, nor can it be made",
        "name another one");
  }
  const FileLock writable(lock_path(path));
  return load_night_log(path);
}

SessionMeasurements measurements_of_reports(const Outcome& outcome) {
  SessionMeasurements out;
  for (const auto& report : outcome.reports) {
    for (const auto& [name, measurement] : report.metrics) {
      if (!measurement.derived && measurement.value > 0) {
        out[name].push_back(measurement.value);
      }
    }
  }
  std::erase_if(
      out, [&outcome](const auto& item) { return item.second.size() != outcome.reports.size(); });
  return out;
}

// By other kernels than recorded, it may be, or beside another phase that is SUSPECT.
bool has_improved(const Outcome& outcome) {
  const auto improved = [](const Judgement& judgement) {
    return judgement.verdict == Verdict::kImproved;
  };
  return outcome.verdict == Verdict::kImproved
             ? !outcome.judgements.empty()
             : (outcome.verdict == Verdict::kOtherKernels ||
                outcome.verdict == Verdict::kSuspect) &&
                   std::any_of(outcome.judgements.begin(), outcome.judgements.end(), improved);
}

}  // namespace

Memory::Memory(std::filesystem::path path, const Judge& recorded, const Policy& policy,
               std::string device, FileCalls& files)
    : path_(std::move(path)),
      recorded_(recorded),
      policy_(policy),
      device_(std::move(device)),
      files_(files),
      log_(load_writable(path_)),
      improved_(with_improvements(recorded, log_.improvements[device_], device_, policy)) {}

Outcome Memory::judge(const std::vector<WorkerReport>& reports, const CeilingRates& ceilings,
                      const SiblingChanges* siblings) const {
  Outcome out = decide(recorded_.of_device(ceilings).of_two_looks(siblings), reports, device_);
  const auto& improvements = log_.improvements.at(device_);
  const auto item = improvements.find(out.case_key);
  const bool is_blind = out.verdict == Verdict::kBlind;  // of its time; a metric beside may show it
  if (!improved_ || item == improvements.end() || !(passes(out.verdict) || is_blind)) {
    return out;
  }
  const auto record = improved_->baseline().cases.find(out.case_key);
  if (record == improved_->baseline().cases.end() ||
      record->second.revisions.back().reference.front() != kUnrecordedSession) {
    return out;
  }
  Outcome again = decide(improved_->of_device(ceilings).of_two_looks(siblings), reports, device_);
  if (again.verdict != Verdict::kRegressed && again.verdict != Verdict::kUnsteady &&
      (is_blind || again.verdict != Verdict::kMachineInvalid)) {
    const bool worth_a_session =
        std::any_of(again.judgements.begin(), again.judgements.end(),
                    [](const Judgement& judgement) { return judgement.worth_a_session; });
    for (auto& judgement : out.judgements) {
      judgement.worth_a_session = judgement.worth_a_session || worth_a_session;
    }
    return out;
  }
  if (again.verdict != Verdict::kMachineInvalid) {
    again.message = fmt::format(
        "it had improved on {} (LibTorch {}, commit {}), and that is lost again; no slower than "
        "its "
        "baseline",
        day(item->second.date), item->second.libtorch, item->second.commit);
  }
  return again;
}

void Memory::look_back(Outcome& outcome, const std::string& now) const {
  if (outcome.verdict != Verdict::kMachineInvalid) {
    return;
  }
  const auto device = log_.unjudged.find(device_);
  Unjudged before;
  if (device != log_.unjudged.end() && device->second.count(outcome.case_key) > 0) {
    before = device->second.at(outcome.case_key);
  }
  const Unjudged so_far = one_night_more(before, now);
  if (so_far.nights >= policy_.unjudged_nights) {
    outcome.overdue = true;
    outcome.message = fmt::format("nothing has judged it in {} nights, since {}: {}", so_far.nights,
                                  day(so_far.first), outcome.message);
  }
}

void Memory::remember(const std::vector<Outcome>& outcomes, const SessionRecord& tonight) const {
  update_night_log(
      path_,
      [&](NightLog& log) {
        auto& improvements = log.improvements[device_];
        auto& unjudged = log.unjudged[device_];
        std::erase_if(improvements, [&](const auto& item) {
          const auto record = recorded_.baseline().cases.find(item.first);
          return record == recorded_.baseline().cases.end() || !keeps(record->second, item.second);
        });
        for (const auto& outcome : outcomes) {
          if (outcome.verdict == Verdict::kMachineInvalid) {
            unjudged[outcome.case_key] = one_night_more(unjudged[outcome.case_key], tonight.date);
          } else {
            unjudged.erase(outcome.case_key);
          }
          if (has_improved(outcome) && improvements.count(outcome.case_key) == 0) {
            const auto& record = recorded_.baseline().cases.at(outcome.case_key);
            improvements[outcome.case_key] = {tonight.date, tonight.libtorch, tonight.commit,
                                              record.revisions.back().reference.front(),
                                              measurements_of_reports(outcome)};
          }
        }
      },
      files_);
}

}  // namespace perfgate
