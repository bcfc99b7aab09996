#include "perfgate/run/refresh/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/baseline/joining.h"
#include "perfgate/baseline/kept_tunings.h"
#include "perfgate/gate/choose_metric.h"
#include "perfgate/gate/kernel_pairs.h"
#include "perfgate/gate/learned_baseline.h"
#include "perfgate/model/case_key.h"
#include "perfgate/report/tuning_changes.h"
#include "perfgate/run/refresh/same_build.h"

namespace perfgate {
namespace {

void refuse(Outcome& outcome, const std::string& reason) {
  outcome.recorded = Recorded::kRefused;
  outcome.message = reason;
}

// What becomes of a session by what the judge found; kNot where there is none to record.
Recorded becomes(Verdict verdict, bool known) {
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kSuspect:
    case Verdict::kBlind:
      return Recorded::kSession;
    case Verdict::kNoBaseline:
      return known ? Recorded::kRevision : Recorded::kFirst;
    case Verdict::kRegressed:
    case Verdict::kImproved:
      return Recorded::kRevision;
    case Verdict::kUnsupported:
      return Recorded::kNot;
    case Verdict::kUnsteady:
    case Verdict::kOtherKernels:  // of a gated run alone
    case Verdict::kWrong:
    case Verdict::kLost:
    case Verdict::kMachineInvalid:
    case Verdict::kError:
      break;
  }
  return Recorded::kRefused;
}

}  // namespace

// Why a session cannot be recorded. Of a case that was judged its record says what is judged.
std::optional<std::string> Recorder::why_refused(const CaseSession& session,
                                                 const Outcome& outcome) const {
  if (outcome.verdict != Verdict::kNoBaseline) {
    return std::nullopt;
  }
  for (const auto& report : outcome.reports) {
    for (const auto& [phase, part] : report.phases) {
      if (const auto why = why_untraced(part); why && needs_busy_time(session, phase, policy_)) {
        return prefix_of(phase) +
               "it is launch-bound, or its net time spreads so wide, that busy time "
               "may have to be judged, and there is no kernel trace: " +
               *why;
      }
    }
  }
  return std::nullopt;
}

const Acceptance* Recorder::acceptance_of(const std::string& case_key) const {
  const auto found =
      std::find_if(wanted_.accept.begin(), wanted_.accept.end(),
                   [&](const Acceptance& item) { return matches_glob(case_key, item.glob); });
  return found == wanted_.accept.end() ? nullptr : &*found;
}

// Slower cases are accepted one by one, or by a pattern that means them: a reason for the whole run
// would take every other regression of that night along.
std::optional<std::string> Recorder::reason_for(const Outcome& outcome) const {
  if (const auto* acceptance = acceptance_of(outcome.case_key)) {
    return acceptance->reason;
  }
  // Nor is one that is recorded under another protocol: its measurements cannot be compared.
  const bool by_name = outcome.verdict == Verdict::kRegressed || outcome.other_protocol;
  return by_name || wanted_.reason.empty() ? std::nullopt : std::optional(wanted_.reason);
}

// Why the session of a case that looks unchanged cannot be told from a slow drift.
std::optional<std::string> Recorder::new_device_with_a_new_build(const CaseSession& session) const {
  const auto known = baseline_.cases.find(session.case_key);
  if (session.changed || known == baseline_.cases.end()) {
    return std::nullopt;
  }
  const Revision& revision = known->second.revisions.back();
  if (joining(baseline_, revision, session.case_key, tonight_, policy_.known_device_sessions) !=
      Joining::kRefused) {
    return std::nullopt;
  }
  const auto text = [&session](const SessionRecord& of) {
    const Build build = build_of(of, session.case_key);
    return fmt::format("LibTorch {}, workload {}", build.libtorch,
                       build.workload.empty() ? "unknown" : build.workload);
  };
  return fmt::format(
      "this device is new to the baseline, and so is what it measured ({}; the baseline: {}): "
      "record it with the baseline's build first, or this build on a device that the baseline "
      "knows, or begin anew with --accept='{}:why'",
      text(tonight_), text(baseline_.sessions.at(revision.reference.front())), session.case_key);
}

bool Recorder::runs_recorded_kernels(const Outcome& outcome) const {
  const auto known = baseline_.cases.find(outcome.case_key);
  return known != baseline_.cases.end() &&
         !why_not_comparable(known->second, outcome.reports.front()) &&
         phases_with_other_kernels(known->second, outcome.reports.front()).empty();
}

// A search that chose something else, too little slower to be found, must not become what all
// nights compile from then on. Behind another compiler the kernels are others anyway.
bool Recorder::sets_tunings(const Outcome& outcome, const CaseSession& session) const {
  const auto& tunings = outcome.reports.front().package_tunings;
  const bool known = baseline_.cases.count(session.case_key) > 0 && !session.changed;
  return !known || runs_recorded_kernels(outcome) ||
         std::all_of(tunings.begin(), tunings.end(), [this](const auto& item) {
           return baseline_.package_tunings.count(item.first) > 0;
         });
}

// The session says nothing of speed, but what it ran is what is recorded, and how that is compiled
// where nothing says so yet.
void Recorder::keep_tunings_alone(Outcome& outcome) {
  for (const auto& [package, tuning] : outcome.reports.front().package_tunings) {
    if (baseline_.package_tunings.count(package) == 0 && runs_recorded_kernels(outcome)) {
      kept_tunings_[package] = tuning;
      outcome.message += "; it ran the recorded kernels, so what its package was tuned to is added";
    }
  }
}

RecordRules Recorder::rules() const { return {policy_.known_device_sessions, policy_.clock}; }

// One case that cannot be read would make all of the file unreadable.
std::optional<std::string> Recorder::unreadable_if_recorded(const CaseSession& session) const {
  Baseline alone{baseline_.device, {}, {}};
  if (const auto known = baseline_.cases.find(session.case_key); known != baseline_.cases.end()) {
    alone.cases.insert(*known);
    alone.sessions = baseline_.sessions;
  }
  record_session(alone, tonight_, {session}, rules());
  return unreadable(alone.device, session.case_key, alone.cases.at(session.case_key),
                    alone.sessions);
}

// Reads as a night would what is going to be written, and judges each recorded case once.
void Recorder::verify(const Baseline& file) const {
  const LearnedBaseline learned(file, policy_);
  for (const auto& session : kept_) {
    SessionMeasurements measurements;
    for (const auto& [name, metric] : session.metrics) {
      measurements[name] = metric.measurements;
    }
    for (const auto& [name, metric] : file.cases.at(session.case_key).metrics) {
      if (metric.judged && measurements.count(name) > 0) {
        judge(learned.context(tonight_.ceilings), session.case_key, name, measurements,
              tonight_.device_id);
      }
    }
  }
}

void Recorder::consider(Outcome& outcome) {
  const auto& reports = outcome.reports;
  outcome.recorded = becomes(outcome.verdict, baseline_.cases.count(outcome.case_key) > 0);
  if (outcome.accepted() && reports.back().status != WorkerStatus::kMeasured) {
    outcome.recorded = Recorded::kRefused;  // it is far too slow to be measured
  }
  if (!outcome.accepted()) {
    return;
  }
  const bool changed =
      outcome.verdict == Verdict::kRegressed || outcome.verdict == Verdict::kImproved;
  if (changed && is_noise(outcome, baseline_, tonight_, policy_.known_device_sessions)) {
    outcome.recorded = Recorded::kSession;
    outcome.message = "the same build on the same device: taken for noise";
  }
  CaseSession session;
  session.case_key = outcome.case_key;
  session.tuning = reports.front().tuning;
  const Tuning recorded_tuning = tuning_of(baseline_, outcome.case_key);
  if (outcome.recorded == Recorded::kSession && session.tuning != recorded_tuning) {
    outcome.recorded = Recorded::kRevision;
    outcome.message = "tuned anew: " + tuning_changes(recorded_tuning, session.tuning);
  }
  if (outcome.recorded == Recorded::kSession && acceptance_of(outcome.case_key) != nullptr) {
    outcome.recorded = Recorded::kRevision;  // asked for by name, changed or not
  }
  session.changed = outcome.recorded == Recorded::kRevision;
  if (const auto known = baseline_.cases.find(outcome.case_key); known != baseline_.cases.end()) {
    session.judged_against = known->second.revisions.back().reference.front();
  }
  const auto reason = reason_for(outcome);
  if (session.changed && !reason) {
    refuse(outcome, (outcome.message.empty() ? "changed" : outcome.message) +
                        (outcome.verdict == Verdict::kRegressed || outcome.other_protocol
                             ? ": accept it by name, --accept='" + outcome.case_key + ":why'"
                             : ": say why with --reason to start a new revision"));
    return;
  }
  session.reason = reason.value_or("first");
  if (const auto stranger = new_device_with_a_new_build(session)) {
    refuse(outcome, *stranger);
    keep_tunings_alone(outcome);
    return;
  }
  if (const auto why = outcome.verdict == Verdict::kSuspect && !session.changed
                           ? what_else_is_new(outcome, baseline_, tonight_)
                           : std::nullopt) {
    refuse(outcome, *why);
    return;
  }
  session.metrics = measured_metrics(reports);
  session.phases = measured_phases(reports);
  session.kernel_sources = reports.front().kernel_sources;
  if (sets_tunings(outcome, session)) {
    session.package_tunings = reports.front().package_tunings;
  }
  if (const auto why = why_refused(session, outcome)) {
    refuse(outcome, *why);
    return;
  }
  choose_judged_metrics(session, policy_);
  if (const auto why = unreadable_if_recorded(session)) {
    refuse(outcome, "what it would record could not be read again: " + *why);
    return;
  }
  kept_.push_back(std::move(session));
}

void Recorder::refuse_all(const std::string& reason, std::vector<Outcome>& outcomes) {
  for (auto& outcome : outcomes) {
    if (outcome.accepted()) {
      refuse(outcome, reason);
    }
  }
  kept_.clear();
  kept_tunings_.clear();
}

void Recorder::write() {
  if (keeps_nothing()) {
    return;
  }
  update_baseline(
      path_, baseline_.device,
      [&](Baseline& file) {
        keep_tunings(kept_tunings_, /*changed=*/false, file);
        if (!kept_.empty()) {
          record_session(file, tonight_, kept_, rules());
        }
      },
      files_, [this](const Baseline& file) { verify(file); });
}

}  // namespace perfgate
