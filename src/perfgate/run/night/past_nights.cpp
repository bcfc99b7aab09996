#include "perfgate/run/night/past_nights.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "perfgate/gate/decide.h"
#include "perfgate/run/night/night_history.h"

namespace perfgate {
namespace {

constexpr const char* kUnrecordedSession = "not recorded";

std::string day(const std::string& time) { return time.substr(0, 10); }

// Whether the improvement is still one on what is recorded, and has all that is judged but for
// optional metrics.
bool keeps(const CaseRecord& record, const CaseNight& night) {
  return record.revisions.back().reference.front() == night.revision &&
         std::all_of(record.metrics.begin(), record.metrics.end(), [&](const auto& metric) {
           return !metric.second.judged || is_optional(metric.first.quantity) ||
                  night.improvement.count(metric.first) > 0;
         });
}

// The baseline with each improvement as the newest state of its case; nothing where there is none.
std::optional<Judge> with_improvements(const Judge& recorded,
                                       const std::map<std::string, CaseNight>& improvements,
                                       const std::string& device, const Policy& policy) {
  if (improvements.empty()) {
    return std::nullopt;  // mostly, and a baseline is megabytes
  }
  Baseline out = recorded.baseline();
  for (const auto& [key, night] : improvements) {
    CaseRecord& record = out.cases.at(key);
    Revision revision{
        "improved, not recorded", day(night.time), {kUnrecordedSession}, {}, {}, {}, {}};
    for (const auto& [metric, measurements] : night.improvement) {
      if (record.metrics.count(metric) > 0) {
        revision.measurements[metric][kUnrecordedSession] = measurements;
      }
    }
    revision.tuning = record.revisions.back().tuning;
    record.revisions.push_back(std::move(revision));
  }
  out.sessions[kUnrecordedSession].device_id = device;
  return Judge(std::move(out), policy, recorded.night());
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

PastNights::PastNights(const std::filesystem::path& path, const Judge& recorded,
                       const Policy& policy, std::string device, std::string now)
    : recorded_(recorded), policy_(policy), device_(std::move(device)), now_(std::move(now)) {
  static_cast<void>(for_each_night(path, [this](const CaseNight& night) { add(night); }));
  improved_ = with_improvements(recorded_, improvements_, device_, policy_);
}

void PastNights::add(const CaseNight& night) {
  if (night.device_id != device_) {
    return;
  }
  if (night.time <= now_) {  // behind one that is to come, no night would count
    Tries& tries = tries_[night.case_key];
    if (night.verdict == Verdict::kMachineInvalid) {
      tries.unjudged.insert(night.time);
    } else {
      tries.judged = std::max(tries.judged, night.time);
    }
  }
  const auto record = recorded_.baseline().cases.find(night.case_key);
  if (night.improvement.empty() || record == recorded_.baseline().cases.end() ||
      !keeps(record->second, night)) {
    return;
  }
  const auto [known, is_first] = improvements_.emplace(night.case_key, night);
  if (!is_first && night.time < known->second.time) {
    known->second = night;
  }
}

Outcome PastNights::judge(const std::vector<WorkerReport>& reports, const CeilingRates& ceilings,
                          const SiblingChanges* siblings) const {
  Outcome out = decide(recorded_.of_device(ceilings).of_two_looks(siblings), reports, device_);
  const auto improvement = improvements_.find(out.case_key);
  const bool is_blind = out.verdict == Verdict::kBlind;  // of its time; a metric beside may show it
  if (improvement == improvements_.end() || !(passes(out.verdict) || is_blind)) {
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
    const CaseNight& night = improvement->second;
    again.message = fmt::format(
        "it had improved on {} (LibTorch {}, commit {}), and that is lost again; no slower than "
        "its baseline",
        day(night.time), night.libtorch, night.commit);
  }
  return again;
}

std::set<std::string> PastNights::days_unjudged(const std::string& case_key) const {
  std::set<std::string> out;
  if (const auto tries = tries_.find(case_key); tries != tries_.end()) {
    const auto& [judged, unjudged] = tries->second;
    std::transform(unjudged.upper_bound(judged), unjudged.end(), std::inserter(out, out.end()),
                   day);
  }
  return out;
}

void PastNights::look_back(Outcome& outcome) const {
  if (outcome.verdict != Verdict::kMachineInvalid) {
    return;
  }
  auto days = days_unjudged(outcome.case_key);
  days.insert(day(now_));
  if (static_cast<int>(days.size()) >= policy_.unjudged_nights) {
    outcome.overdue = true;
    outcome.message = fmt::format("nothing has judged it in {} nights, since {}: {}", days.size(),
                                  *days.begin(), outcome.message);
  }
}

void PastNights::add_what_is_left(const std::vector<Outcome>& outcomes,
                                  const SessionRecord& tonight,
                                  std::vector<CaseNight>& judged) const {
  std::map<std::string, std::size_t> lines;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    lines.emplace(judged[i].case_key, i);
  }
  for (const auto& outcome : outcomes) {
    const std::string& key = outcome.case_key;
    const bool is_improvement = has_improved(outcome) && improvements_.count(key) == 0;
    if (!is_improvement && outcome.verdict != Verdict::kMachineInvalid &&
        days_unjudged(key).empty()) {
      continue;
    }
    const auto [line, is_new] = lines.emplace(key, judged.size());
    if (is_new) {
      judged.push_back(night_without_figures(recorded_.baseline(), tonight, outcome));
    }
    if (is_improvement) {
      judged[line->second].improvement = measurements_of_reports(outcome);
    }
  }
}

}  // namespace perfgate
