#include "perfgate/gate/decide.h"

#include <algorithm>
#include <utility>

#include "perfgate/gate/comparable.h"
#include "perfgate/gate/interference.h"

namespace perfgate {
namespace {

Verdict verdict_of(WorkerStatus status) {
  switch (status) {
    case WorkerStatus::kWrong:
      return Verdict::kWrong;
    case WorkerStatus::kUnsupported:
      return Verdict::kUnsupported;
    case WorkerStatus::kError:
    case WorkerStatus::kMeasured:
      return Verdict::kError;
  }
  return Verdict::kError;
}

// What one run of all phases took in the median of the sessions; 0 where that is not recorded.
double recorded_run_us(const CaseRecord& record) {
  double out = 0;
  for (const auto& [phase, part] : record.phases) {
    out += recorded_median(record, kTime.in(phase)).value_or(0);
  }
  return out;
}

// What did not come to be measured, or not on a fit machine; kPass where all of it did.
Finding unmeasured(const Judge& judge, const std::vector<WorkerReport>& reports,
                   const CaseRecord* record) {
  const bool recorded = record != nullptr;
  for (const auto& report : reports) {
    if (report.status == WorkerStatus::kMeasured) {
      continue;
    }
    const Verdict verdict = verdict_of(report.status);
    const double recorded_us = recorded ? recorded_run_us(*record) : 0;
    if (auto slow = far_too_slow(report, recorded_us, "when it was recorded")) {
      return std::move(*slow);
    }
    if (recorded && verdict == Verdict::kUnsupported) {
      return {Verdict::kLost, "in the baseline, and no longer runs: " + report.message};
    }
    return {verdict, report.message};
  }
  const auto machine = judge.policy().machine_of(judge.baseline().device.kind);
  for (const auto& report : reports) {
    if (report.why_unfit) {
      return {Verdict::kMachineInvalid, "the device was not fit: " + *report.why_unfit};
    }
    for (const auto& [phase, part] : report.phases) {
      if (const auto why =
              why_unlike_recorded(judge.baseline(), machine.tolerance, part.ceilings)) {
        return {Verdict::kMachineInvalid, prefix_of(phase) + "beside it " + *why};
      }
    }
  }
  return {recorded ? Verdict::kPass : Verdict::kNoBaseline, recorded ? "" : "no baseline"};
}

std::vector<Judgement> judgements_of(const Judge& judge, const std::string& case_key,
                                     const std::vector<WorkerReport>& reports,
                                     const std::string& device_id,
                                     const std::map<Metric, std::string>& not_judged) {
  const auto has = [&reports](Metric metric) {
    return std::all_of(reports.begin(), reports.end(),
                       [metric](const WorkerReport& report) { return has_metric(report, metric); });
  };
  const SessionMeasurements tonight = measurements_of(reports);
  std::vector<Judgement> out;
  for (const auto& [metric, described] : judge.baseline().cases.at(case_key).metrics) {
    if (described.judged && has(metric) && not_judged.count(metric) == 0) {
      out.push_back(judgement_of(judge, case_key, metric, tonight, device_id));
    }
  }
  return out;
}

Verdict worst_of(const std::vector<Judgement>& judgements) {
  Verdict out = Verdict::kPass;
  for (const auto& judgement : judgements) {
    out = worse(out, judgement.verdict);
  }
  return out;
}

// Whether the processes still disagree once those that others disturbed are left out.
bool disagree_undisturbed(const Judge& judge, const Outcome& outcome) {
  return std::any_of(
      outcome.judgements.begin(), outcome.judgements.end(), [&](const Judgement& judgement) {
        if (judgement.verdict != Verdict::kUnsteady) {
          return false;
        }
        const auto left = undisturbed(judge, outcome, judgement.metric);
        if (left.size() < static_cast<std::size_t>(judge.policy().undisturbed_workers)) {
          return false;
        }
        const auto again = judgement_of(judge, outcome.case_key, judgement.metric,
                                        measurements_of(left), outcome.device_id);
        return again.verdict == Verdict::kUnsteady || again.verdict == Verdict::kRegressed;
      });
}

// Why what looks changed is not believed, where it is not.
std::optional<std::string> interference_with(const Judge& judge, const Outcome& outcome) {
  if (outcome.verdict == Verdict::kUnsteady) {
    return disagree_undisturbed(judge, outcome)
               ? std::nullopt
               : std::optional<std::string>(
                     "others disturbed the processes that differ from the rest");
  }
  std::vector<Judgement> findings;
  std::copy_if(outcome.judgements.begin(), outcome.judgements.end(), std::back_inserter(findings),
               [&](const Judgement& judgement) { return judgement.verdict == outcome.verdict; });
  return interference(judge, outcome, findings);
}

// A change of the host that others on its processor explain: what is judged of the device stands.
void leave_out_disturbed_hosts(const Judge& judge, Outcome& outcome) {
  std::vector<Judgement> kept;
  for (const auto& judgement : outcome.judgements) {
    std::optional<std::string> why;
    if (is_of_host_pass(judgement.metric.quantity) && judgement.verdict != Verdict::kPass) {
      Outcome alone = outcome;
      alone.judgements = {judgement};
      alone.verdict = judgement.verdict;
      why = interference_with(judge, alone);
    }
    if (why) {
      outcome.not_judged[judgement.metric] = "it looks changed, but " + *why;
    } else {
      kept.push_back(judgement);
    }
  }
  outcome.judgements = std::move(kept);
}

// A case whose MDE is larger than the policy allows has not passed, whatever improved beside its
// time.
void look_for_blindness(const Judge& judge, Outcome& outcome) {
  for (const auto& [phase, part] : outcome.reports.front().phases) {
    const Judgement* best = outcome.steadiest(phase);
    const bool as_its_host_allows = phase == Phase::kCompile;  // not measured tonight
    if (as_its_host_allows || best == nullptr || best->verdict != Verdict::kPass) {
      continue;  // or nothing of it is judged, or it improved
    }
    const double allowed =
        judge.policy().mde_limit_of(judge.baseline().device.kind).at(best->known_device);
    if (const auto why = why_blind(*best, allowed)) {
      outcome.verdict = Verdict::kBlind;
      outcome.message = *why;
      return;
    }
  }
}

}  // namespace

SessionMeasurements measurements_of(const std::vector<WorkerReport>& reports) {
  SessionMeasurements out;
  for (const auto& report : reports) {
    for (const auto& [metric, measurement] : report.metrics) {
      out[metric].push_back(measurement.value);
    }
  }
  return out;
}

Outcome decide(const Judge& judge, const std::vector<WorkerReport>& reports,
               const std::string& device_id) {
  Outcome out;
  out.case_key = reports.front().case_key;
  out.device_id = device_id;
  out.reports = reports;
  const auto conclude = [&out](const Finding& finding) {
    out.verdict = finding.verdict;
    out.message = finding.message;
    return out;
  };
  const auto found = judge.baseline().cases.find(out.case_key);
  const Finding nothing =
      unmeasured(judge, reports, found == judge.baseline().cases.end() ? nullptr : &found->second);
  if (nothing.verdict != Verdict::kPass) {
    return conclude(nothing);
  }
  if (const auto obstacle = obstacle_to_judging(found->second, reports)) {
    out.other_protocol = obstacle->verdict == Verdict::kNoBaseline;
    return conclude(*obstacle);
  }
  out.not_judged = metrics_not_judged(judge.baseline(), found->second, reports, device_id);
  out.judgements = judgements_of(judge, out.case_key, reports, device_id, out.not_judged);
  if (out.judgements.empty()) {
    return conclude({Verdict::kLost, "nothing that is judged is measured any more"});
  }
  leave_out_disturbed_hosts(judge, out);
  if (const auto behaviour = changed_behaviour(found->second, reports);
      behaviour && behaviour->verdict != Verdict::kPass) {
    out.verdict = worse(worst_of(out.judgements), behaviour->verdict);
    out.message = behaviour->message;
    return out;  // no neighbour makes a body wait for its host
  }
  out.verdict = worst_of(out.judgements);
  if (out.verdict != Verdict::kPass) {
    if (const auto why = interference_with(judge, out)) {
      return conclude({Verdict::kMachineInvalid, "it looks changed, but " + *why});
    }
  }
  if (out.verdict == Verdict::kPass || out.verdict == Verdict::kImproved) {
    look_for_blindness(judge, out);
  }
  return out;
}

}  // namespace perfgate
