#include "perfgate/run/refresh/entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "perfgate/baseline/joining.h"
#include "perfgate/baseline/kept_tunings.h"
#include "perfgate/baseline/store.h"
#include "perfgate/gate/choose_metric.h"
#include "perfgate/gate/kernel_pairs.h"
#include "perfgate/model/case_key.h"
#include "perfgate/report/tuning_changes.h"
#include "perfgate/run/refresh/same_build.h"

namespace perfgate {
namespace {

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

// Why a session cannot be recorded. Of a case that was judged its record says what is judged.
std::optional<std::string> why_untraceable(const CaseSession& session, const Outcome& outcome,
                                           const Policy& policy) {
  if (outcome.verdict != Verdict::kNoBaseline) {
    return std::nullopt;
  }
  for (const auto& report : outcome.reports) {
    for (const auto& [phase, part] : report.phases) {
      if (const auto why = why_untraced(part); why && needs_busy_time(session, phase, policy)) {
        return prefix_of(phase) +
               "it is launch-bound, or its net time spreads so wide, that busy time "
               "may have to be judged, and there is no kernel trace: " +
               *why;
      }
    }
  }
  return std::nullopt;
}

const Acceptance* acceptance_of(const Refresh& wanted, const std::string& case_key) {
  const auto found =
      std::find_if(wanted.accept.begin(), wanted.accept.end(),
                   [&](const Acceptance& item) { return matches_glob(case_key, item.glob); });
  return found == wanted.accept.end() ? nullptr : &*found;
}

// Slower cases are accepted one by one, or by a pattern that means them: a reason for the whole run
// would take every other regression of that night along.
std::optional<std::string> reason_for(const Refresh& wanted, const Outcome& outcome) {
  if (const auto* acceptance = acceptance_of(wanted, outcome.case_key)) {
    return acceptance->reason;
  }
  // Nor is one that is recorded under another protocol: its measurements cannot be compared.
  const bool by_name = outcome.verdict == Verdict::kRegressed || outcome.other_protocol;
  return by_name || wanted.reason.empty() ? std::nullopt : std::optional(wanted.reason);
}

// Why the session of a case that looks unchanged cannot be told from a slow drift.
std::optional<std::string> new_device_with_a_new_build(const CaseSession& session,
                                                       const Baseline& baseline,
                                                       const SessionRecord& tonight,
                                                       int known_device_sessions) {
  const auto known = baseline.cases.find(session.case_key);
  if (session.changed || known == baseline.cases.end()) {
    return std::nullopt;
  }
  const Revision& revision = known->second.revisions.back();
  if (joining(baseline, revision, session.case_key, tonight, known_device_sessions) !=
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
      text(tonight), text(baseline.sessions.at(revision.reference.front())), session.case_key);
}

bool runs_recorded_kernels(const Outcome& outcome, const Baseline& baseline) {
  const auto known = baseline.cases.find(outcome.case_key);
  return known != baseline.cases.end() &&
         !why_not_comparable(known->second, outcome.reports.front()) &&
         phases_with_other_kernels(known->second, outcome.reports.front()).empty();
}

// A search that chose something else, too little slower to be found, must not become what all
// nights compile from then on. Behind another compiler the kernels are others anyway.
bool sets_tunings(const Outcome& outcome, const CaseSession& session, const Baseline& baseline) {
  const auto& tunings = outcome.reports.front().package_tunings;
  const bool known = baseline.cases.count(session.case_key) > 0 && !session.changed;
  return !known || runs_recorded_kernels(outcome, baseline) ||
         std::all_of(tunings.begin(), tunings.end(), [&](const auto& item) {
           return baseline.package_tunings.count(item.first) > 0;
         });
}

// The session says nothing of speed, but what it ran is what is recorded, and how that is compiled
// where nothing says so yet.
PackageTunings tunings_alone(const Outcome& outcome, const Baseline& baseline) {
  PackageTunings out;
  for (const auto& [package, tuning] : outcome.reports.front().package_tunings) {
    if (baseline.package_tunings.count(package) == 0 && runs_recorded_kernels(outcome, baseline)) {
      out[package] = tuning;
    }
  }
  return out;
}

// One case that cannot be read would make all of the file unreadable.
std::optional<std::string> unreadable_if_recorded(const CaseSession& session,
                                                  const Baseline& baseline,
                                                  const SessionRecord& tonight,
                                                  const RecordRules& rules) {
  Baseline alone{baseline.device, {}, {}};
  if (const auto known = baseline.cases.find(session.case_key); known != baseline.cases.end()) {
    alone.cases.insert(*known);
    alone.sessions = baseline.sessions;
  }
  record_session(alone, tonight, {session}, rules);
  return unreadable(alone.device, session.case_key, alone.cases.at(session.case_key),
                    alone.sessions);
}

// Whether the session belongs to the revision in force, begins one, or the case's first.
Entry by_verdict(const Outcome& outcome, const Baseline& baseline, const SessionRecord& tonight,
                 const EntryRules& rules) {
  Entry out;
  out.message = outcome.message;
  out.as = becomes(outcome.verdict, baseline.cases.count(outcome.case_key) > 0);
  if (out.as == Recorded::kNot || out.as == Recorded::kRefused) {
    return out;
  }
  if (outcome.reports.back().status != WorkerStatus::kMeasured) {
    out.as = Recorded::kRefused;  // it is far too slow to be measured
    return out;
  }
  const bool changed =
      outcome.verdict == Verdict::kRegressed || outcome.verdict == Verdict::kImproved;
  if (changed && is_noise(outcome, baseline, tonight, rules.policy.known_device_sessions)) {
    out.as = Recorded::kSession;
    out.message = "the same build on the same device: taken for noise";
  }
  const Tuning recorded = tuning_of(baseline, outcome.case_key);
  const Tuning& measured = outcome.reports.front().tuning;
  if (out.as == Recorded::kSession && measured != recorded) {
    out.as = Recorded::kRevision;
    out.message = "tuned anew: " + tuning_changes(recorded, measured);
  }
  if (out.as == Recorded::kSession && acceptance_of(rules.wanted, outcome.case_key) != nullptr) {
    out.as = Recorded::kRevision;  // asked for by name, changed or not
  }
  return out;
}

}  // namespace

RecordRules record_rules(const Policy& policy) {
  return {policy.known_device_sessions, policy.clock};
}

Entry entry_of(const Outcome& outcome, const Baseline& baseline, const SessionRecord& tonight,
               const EntryRules& rules) {
  Entry out = by_verdict(outcome, baseline, tonight, rules);
  if (out.as == Recorded::kNot || out.as == Recorded::kRefused) {
    return out;
  }
  const auto refused = [](const std::string& why) { return Entry{Recorded::kRefused, why}; };
  CaseSession& session = out.session;
  session.case_key = outcome.case_key;
  session.tuning = outcome.reports.front().tuning;
  session.changed = out.as == Recorded::kRevision;
  if (const auto known = baseline.cases.find(outcome.case_key); known != baseline.cases.end()) {
    session.judged_against = known->second.revisions.back().reference.front();
  }
  const auto reason = reason_for(rules.wanted, outcome);
  if (session.changed && !reason) {
    return refused((out.message.empty() ? "changed" : out.message) +
                   (outcome.verdict == Verdict::kRegressed || outcome.other_protocol
                        ? ": accept it by name, --accept='" + outcome.case_key + ":why'"
                        : ": say why with --reason to start a new revision"));
  }
  session.reason = reason.value_or("first");
  if (const auto stranger = new_device_with_a_new_build(session, baseline, tonight,
                                                        rules.policy.known_device_sessions)) {
    Entry entry = refused(*stranger);
    entry.tunings_alone = tunings_alone(outcome, baseline);
    if (!entry.tunings_alone.empty()) {
      entry.message += "; it ran the recorded kernels, so what its package was tuned to is added";
    }
    return entry;
  }
  if (outcome.verdict == Verdict::kSuspect && !session.changed) {
    if (const auto why = what_else_is_new(outcome, baseline, tonight)) {
      return refused(*why);
    }
  }
  session.metrics = measured_metrics(outcome.reports);
  session.phases = measured_phases(outcome.reports);
  session.kernel_sources = outcome.reports.front().kernel_sources;
  if (sets_tunings(outcome, session, baseline)) {
    session.package_tunings = outcome.reports.front().package_tunings;
  }
  if (const auto why = why_untraceable(session, outcome, rules.policy)) {
    return refused(*why);
  }
  choose_judged_metrics(session, rules.policy);
  if (const auto why =
          unreadable_if_recorded(session, baseline, tonight, record_rules(rules.policy))) {
    return refused("what it would record could not be read again: " + *why);
  }
  return out;
}

}  // namespace perfgate
