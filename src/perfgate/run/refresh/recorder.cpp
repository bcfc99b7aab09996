#include "perfgate/run/refresh/recorder.h"

#include "perfgate/baseline/kept_tunings.h"
#include "perfgate/gate/judgement.h"
#include "perfgate/run/refresh/entry.h"

namespace perfgate {

// Reads as a night would what is going to be written, and judges each recorded case once.
void Recorder::verify(const Baseline& file) const {
  const Judge judge(file, policy_);
  for (const auto& session : kept_) {
    SessionMeasurements measurements;
    for (const auto& [name, metric] : session.metrics) {
      measurements[name] = metric.measurements;
    }
    for (const auto& [name, metric] : file.cases.at(session.case_key).metrics) {
      if (metric.judged && measurements.count(name) > 0) {
        judgement_of(judge.of_device(tonight_.ceilings), session.case_key, name, measurements,
                     tonight_.device_id);
      }
    }
  }
}

void Recorder::consider(Outcome& outcome) {
  Entry entry = entry_of(outcome, baseline_, tonight_, {wanted_, policy_});
  outcome.recorded = entry.as;
  outcome.message = entry.message;
  kept_tunings_.merge(entry.tunings_alone);
  if (outcome.accepted()) {
    kept_.push_back(std::move(entry.session));
  }
}

void Recorder::refuse_all(const std::string& reason, std::vector<Outcome>& outcomes) {
  for (auto& outcome : outcomes) {
    if (outcome.accepted()) {
      outcome.recorded = Recorded::kRefused;
      outcome.message = reason;
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
          record_session(file, tonight_, kept_, record_rules(policy_));
        }
      },
      files_, [this](const Baseline& file) { verify(file); });
}

}  // namespace perfgate
