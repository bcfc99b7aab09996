#include "perfgate/run/cases/case_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "perfgate/gate/interference.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/report/wording.h"
#include "perfgate/run/cases/trace_folder.h"
#include "perfgate/run/machine/tuned_launch.h"

namespace perfgate {
namespace {

bool is_change(Verdict verdict) {
  return verdict == Verdict::kRegressed || verdict == Verdict::kUnsteady ||
         verdict == Verdict::kSuspect || verdict == Verdict::kImproved;
}

// A body that slows its control as well would look so.
bool looks_unchanged(Verdict verdict) {
  return verdict == Verdict::kPass || verdict == Verdict::kSuspect;
}

// A change that others on the machine may have made. A machine that is unfit is not judged at all.
bool may_be_interference(const Outcome& outcome) {
  return outcome.verdict == Verdict::kMachineInvalid && !outcome.judgements.empty();
}

// Five more workers of one that never reported would be killed as well.
bool deserves_a_session(const Outcome& outcome) {
  if (outcome.judgements.empty() && outcome.reports.back().status != WorkerStatus::kMeasured) {
    return false;
  }
  return is_change(outcome.verdict) || may_be_interference(outcome) ||
         std::any_of(outcome.judgements.begin(), outcome.judgements.end(),
                     [](const Judgement& judgement) { return judgement.worth_a_session; });
}

}  // namespace

std::optional<std::string> CaseGate::why_not_exclusive() {
  tools_.launcher.stop_workers();
  return tools_.device.health(/*exclusive=*/true).why_unfit;
}

WorkerRequest CaseGate::request_for(const std::string& case_key, bool check) {
  const std::string trace =
      check && !traces_.empty() ? trace_path(traces_, case_key).string() : std::string();
  return {.case_key = case_key,
          .check = check,
          .inject_slowdown = inject_percent_,
          .ceilings = ceilings_,
          .tuning = tunings_.try_emplace(case_key, tuning_of(baseline_, case_key)).first->second,
          .chrome_trace = trace};
}

WorkerReport CaseGate::launch(const std::string& case_key, bool check) {
  const WorkerRequest request = request_for(case_key, check);
  return launch_tuned(tools_.launcher, request, tunings_.at(case_key));
}

void CaseGate::expect_another(const std::string& case_key) {
  tools_.launcher.expect(request_for(case_key, false));
}

void CaseGate::expect_case_behind(const std::string& case_key) {
  const auto ours = std::find(expected_.begin(), expected_.end(), case_key);
  if (ours != expected_.end() && std::next(ours) != expected_.end()) {
    tools_.launcher.expect(request_for(*std::next(ours), true));
  }
}

std::vector<WorkerReport> CaseGate::session(const std::string& case_key, Until until) {
  const auto workers = static_cast<std::size_t>(tools_.policy.workers_a_session);
  std::vector<WorkerReport> out;
  std::size_t noisy = 0;
  while (out.size() < workers && (until == Until::kFull || 2 * noisy <= workers)) {
    if (out.size() + 1 < workers) {
      expect_another(case_key);
    } else {
      expect_case_behind(case_key);
    }
    out.push_back(launch(case_key, out.empty()));
    if (out.back().status != WorkerStatus::kMeasured) {
      break;  // it alone decides
    }
    noisy += is_noisy(out.back()) ? 1 : 0;
  }
  return out;
}

Outcome CaseGate::judged(const std::vector<WorkerReport>& reports) {
  Outcome out = tools_.judge(reports);
  const bool changed = is_change(out.verdict) && reports.size() > 1;
  if (const auto why = changed ? why_not_exclusive() : std::nullopt) {
    out.verdict = Verdict::kMachineInvalid;
    out.message = "it looks changed, but the device was not fit: " + *why;
    out.judgements.clear();
  }
  return out;
}

Outcome CaseGate::screened(const std::string& case_key) {
  expect_case_behind(case_key);
  Outcome out = judged({launch(case_key, true)});
  return deserves_a_session(out) && !interrupted_by() ? judged(session(case_key, Until::kFull))
                                                      : out;
}

// One disturbed session of three leaves the median of all processes where the others are, so three
// it is: of two, the median would lie between a disturbed one and a quiet one.
Outcome CaseGate::with_more_sessions(const Outcome& suspect) {
  std::vector<WorkerReport> all = suspect.reports;
  for (int attempt = 1; attempt < tools_.policy.attempts && !interrupted_by(); ++attempt) {
    tools_.wait(suspect.message);
    const auto more = session(suspect.case_key, Until::kFull);
    if (more.back().status != WorkerStatus::kMeasured) {
      return judged(more);
    }
    all.insert(all.end(), more.begin(), more.end());
  }
  return judged(all);
}

// A body can slow its control as well as itself, and their ratio then shows nothing. The machine's
// control by itself, measured in turn with the case, tells such a body from a slow machine.
Outcome CaseGate::beside_its_control(Outcome passed) {
  const double limit = tools_.policy.machine_of(baseline_.device.kind).interference_limit;
  if (!looks_unchanged(passed.verdict) ||
      check_control(baseline_, passed.reports.front(), ceilings_, limit) == ControlCheck::kHolds) {
    return passed;
  }
  std::vector<WorkerReport> reports;
  std::vector<ControlCheck> checks;
  while (static_cast<int>(reports.size()) < tools_.policy.workers_a_session && !interrupted_by()) {
    const WorkerReport machine = measure_machine(tools_.launcher);
    reports.push_back(launch(passed.case_key, reports.empty()));
    if (reports.back().status != WorkerStatus::kMeasured) {
      break;
    }
    checks.push_back(check_control(baseline_, reports.back(), machine.ceilings, limit));
  }
  if (reports.empty()) {
    return passed;  // interrupted
  }
  Outcome out = judged(reports);
  if (!looks_unchanged(out.verdict) ||
      static_cast<int>(checks.size()) < tools_.policy.workers_a_session ||
      std::count(checks.begin(), checks.end(), ControlCheck::kHolds) > 0) {
    return out;
  }
  const bool others = std::count(checks.begin(), checks.end(), ControlCheck::kUnknown) > 0;
  out.verdict = others ? Verdict::kMachineInvalid : Verdict::kRegressed;
  out.message = fmt::format(
      "its control, measured beside it, is slower by {} or more in each of {} processes, and {}",
      percent_text(limit), checks.size(),
      others ? "others kept taking the core: whether the case slows both cannot be told"
             : "the machine's own in turn with them is not: the case slows both");
  return out;
}

Outcome CaseGate::gate(const std::string& case_key) {
  Outcome out = screened(case_key);
  for (int attempt = 1;
       attempt < tools_.policy.attempts && out.verdict == Verdict::kMachineInvalid &&
       !may_be_interference(out) && !interrupted_by();
       ++attempt) {
    tools_.wait(out.message);
    out = screened(case_key);
  }
  return may_be_interference(out) && !interrupted_by() ? with_more_sessions(out)
                                                       : beside_its_control(std::move(out));
}

Outcome CaseGate::look_again(const Outcome& before) {
  Outcome out = tools_.judge(before.reports);
  const bool one_worker = before.reports.size() == 1;
  if (one_worker && deserves_a_session(out) && !interrupted_by()) {
    out = judged(session(before.case_key, Until::kFull));
  } else if (is_change(out.verdict) && out.verdict != before.verdict) {
    out = judged(before.reports);
  }
  if (may_be_interference(out) && !interrupted_by()) {
    out = with_more_sessions(out);
  } else if (one_worker) {
    out = beside_its_control(std::move(out));
  }
  if (out.verdict != Verdict::kMachineInvalid || !out.judgements.empty()) {
    return out;
  }
  Outcome kept = before;
  kept.message = "the second look says nothing: " + out.message;
  return kept;
}

Outcome CaseGate::record(const std::string& case_key) {
  const auto unless_disturbed = [](Outcome out) {
    const auto disturbed = why_unfit_to_record(out.reports);
    if (disturbed && out.reports.back().status == WorkerStatus::kMeasured) {
      out.verdict = Verdict::kMachineInvalid;
      out.message = *disturbed;
    }
    return out;
  };
  const auto measured = [&] {
    return unless_disturbed(tools_.judge(session(case_key, Until::kDisturbed)));
  };
  Outcome out = measured();
  if (out.verdict == Verdict::kMachineInvalid && !interrupted_by()) {
    tools_.wait(out.message);
    out = measured();
  }
  return looks_unchanged(out.verdict) ? unless_disturbed(beside_its_control(std::move(out))) : out;
}

}  // namespace perfgate
