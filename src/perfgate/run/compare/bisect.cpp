#include "perfgate/run/compare/bisect.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "perfgate/gate/bisection.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/report/bisection_text.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/report/paired_sentence.h"
#include "perfgate/report/paired_text.h"
#include "perfgate/run/compare/paired_run.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/run/machine/machine_admission.h"

namespace perfgate {
namespace {

// What is followed through the builds.
struct Followed {
  PairedReports reports;  // of the ends
  Metric metric;
  PairedJudgement judgement;
  std::vector<double> differences;
  VariancePrior noise;
};

// The regression that is clearest from the least noise.
std::optional<Followed> clearest(const PairedRun& run, const Policy& policy,
                                 const std::string& device_kind) {
  std::vector<PairedCase> cases;
  for (const auto& reports : run.reports()) {
    cases.push_back(reports.before.empty() ? PairedCase{} : paired_case(reports, policy));
  }
  const PairedPriors priors(cases, policy, device_kind);
  std::optional<Followed> out;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (const auto& judgement : run.outcomes()[i].judgements) {
      const bool clearer = !out || std::pair(-judgement.p_value, judgement.change) >
                                       std::pair(-out->judgement.p_value, out->judgement.change);
      if (judgement.verdict != Verdict::kRegressed || !clearer) {
        continue;
      }
      for (const auto& series : cases[i].series) {
        if (series.metric == judgement.metric) {
          out = Followed{run.reports()[i], series.metric, judgement, series.differences.logs,
                         priors.of(series.description)};
        }
      }
    }
  }
  return out;
}

class Bisecting {
 public:
  Bisecting(const BisectSettings& settings, const BisectTools& tools)
      : settings_(settings),
        tools_(tools),
        policy_(load_policy(settings.baselines)),
        subject_{settings.builds, tools.device.identity().model, ""},
        taker_(policy_, [this](const std::string& why) { wait(why); }),
        builds_(settings.builds, tools.make, tools.console) {}

  ExitCode run() {
    std::size_t oldest = 0;
    while (oldest + 1 < settings_.builds.size() && !builds_.ready(oldest) && !interrupted_by()) {
      ++oldest;
    }
    std::size_t newest = settings_.builds.size() - 1;
    while (newest > oldest && !builds_.ready(newest) && !interrupted_by()) {
      --newest;
    }
    if (interrupted_by()) {
      return ExitCode::kFail;
    }
    if (newest == oldest) {
      tools_.console.report(
          "\n  Not decided: of the list fewer than two builds can be measured.\n");
      return ExitCode::kRefused;
    }
    oldest_ = oldest;
    subject_.builds.assign(settings_.builds.begin() + static_cast<std::ptrdiff_t>(oldest),
                           settings_.builds.begin() + static_cast<std::ptrdiff_t>(newest) + 1);
    return compare_ends();
  }

 private:
  void wait(const std::string& why) {
    tools_.console.show_passing("  waiting for the machine: " + why);
    tools_.sleep(kRetryDelay);
  }

  ExitCode compare_ends() {
    auto& before = builds_.at(oldest_);
    auto& now = builds_.at(oldest_ + subject_.builds.size() - 1);
    MachineAdmission machine(now.launcher, tools_.device, policy_, nullptr, tools_.clock,
                             [this](const std::string& why) { wait(why); });
    machine.admit();
    builds_.stop_workers();
    if (machine.why_unfit()) {
      return refused("the machine is not fit: " + *machine.why_unfit());
    }
    taker_.tell(machine.machine().ceilings);
    const auto& rule = policy_.paired.bisect;
    const int most = settings_.most_pairs > 0
                         ? std::min(settings_.most_pairs, rule.first_most_pairs)
                         : rule.first_most_pairs;
    PairedRun run({before.launcher, now.launcher, tools_.device, policy_,
                   [this](const std::string& why) { wait(why); },
                   [this](const PairedReports& reports, int number, int total) {
                     tools_.console.print(paired_row(reports, number, total));
                   }},
                  {most, 0, machine.machine().ceilings});
    run.compare(settings_.case_keys);
    if (interrupted_by()) {
      return ExitCode::kFail;
    }
    const auto followed = clearest(run, policy_, tools_.device.identity().kind);
    if (!followed) {
      return no_regression(run);
    }
    subject_.what = name_of_compared(followed->reports.case_key, followed->judgement);
    say_what_else(run);
    return search(*followed);
  }

  // Nothing that a bisection could follow.
  ExitCode no_regression(const PairedRun& run) {
    const PairedJudgement* shown = nullptr;
    for (std::size_t i = 0; i < run.outcomes().size(); ++i) {
      const auto& outcome = run.outcomes()[i];
      const auto* judgement = outcome.deciding();
      if (!outcome.message.empty()) {
        tools_.console.report("  " + std::string(name_of(outcome.verdict)) + "   " +
                              run.reports()[i].case_key + ": " + outcome.message + "\n");
      }
      if (judgement != nullptr && (shown == nullptr || judgement->mde > shown->mde)) {
        shown = judgement;
        subject_.what = name_of_compared(run.reports()[i].case_key, *judgement);
      }
    }
    const ExitCode code = exit_code_of(run.outcomes(), policy_.blind_share);
    if (shown == nullptr || code == ExitCode::kFail) {
      return code == ExitCode::kSkipped
                 ? code
                 : refused("no case is slower that can be followed; see what is said of each");
    }
    tools_.console.report("\n  " + no_regression_sentence(subject_, *shown));
    return code;
  }

  void say_what_else(const PairedRun& run) {
    for (const auto i : changed_places(run.outcomes())) {
      const auto& judgement = *run.outcomes()[i].deciding();
      const std::string name = name_of_compared(run.reports()[i].case_key, judgement);
      if (judgement.verdict == Verdict::kRegressed && name != subject_.what) {
        tools_.console.print("  also slower, and not followed (--case selects it): " + name + "\n");
      }
    }
  }

  ExitCode search(const Followed& followed) {
    const double tolerance = followed.judgement.tolerance;
    BisectionRule rule = bisection_rule(policy_, tolerance, followed.noise);
    if (settings_.most_pairs > 0) {
      rule.most_pairs = static_cast<std::size_t>(settings_.most_pairs);
    }
    Bisection bisection(subject_.builds.size(), rule);
    bisection.add(0, subject_.builds.size() - 1, followed.differences);
    show({0, subject_.builds.size() - 1}, followed.differences, bisection);
    BisectionStep step = bisection.next();
    while (step.kind == BisectionStep::Kind::kMeasure) {
      const std::pair builds(step.before, step.now);
      std::vector<double> differences;
      // One line a pair of builds, however often it is looked at.
      while (step.kind == BisectionStep::Kind::kMeasure &&
             std::pair(step.before, step.now) == builds) {
        const auto failed = measure(step, followed, bisection, differences);
        if (interrupted_by()) {
          return ExitCode::kFail;
        }
        if (failed) {
          return refused(*failed);
        }
        step = bisection.next();
      }
      if (!differences.empty()) {
        show(builds, differences, bisection);
      }
    }
    tools_.console.report("\n  " + bisection_sentence(subject_, bisection, step));
    return exit_code_of(step.kind);
  }

  void show(const std::pair<std::size_t, std::size_t>& builds,
            const std::vector<double>& differences, const Bisection& bisection) {
    tools_.console.print(
        bisection_row(subject_, builds.first, builds.second, differences, bisection.posterior()));
  }

  // Adds a step's pairs, or passes a build over. Returns why the whole cannot go on.
  std::optional<std::string> measure(const BisectionStep& step, const Followed& followed,
                                     Bisection& bisection, std::vector<double>& differences) {
    for (const std::size_t build : {step.before, step.now}) {
      if (builds_.ready(oldest_ + build) == nullptr) {
        bisection.skip(build);
        return std::nullopt;
      }
    }
    for (int attempt = 0; attempt < policy_.attempts; ++attempt) {
      PairedReports reports{followed.reports.case_key, {}, {}};
      for (int pair = 0; pair < kPairsOfAStep && !has_failed(reports) && !interrupted_by();
           ++pair) {
        taker_.add_pair(reports, builds_.at(oldest_ + step.before), builds_.at(oldest_ + step.now));
      }
      if (interrupted_by()) {
        return std::nullopt;
      }
      if (has_failed(reports)) {
        return pass_over(step, reports, bisection);
      }
      builds_.stop_workers();
      const auto why = tools_.device.health(/*exclusive=*/true).why_unfit;
      if (!why) {
        const auto found = paired_differences(reports, followed.metric).logs;
        if (found.empty()) {
          return subject_.builds[step.now] + " does not measure what " + subject_.what + " is of";
        }
        bisection.add(step.before, step.now, found);
        differences.insert(differences.end(), found.begin(), found.end());
        return std::nullopt;
      }
      wait(*why);
    }
    return "the device was not fit";
  }

  // A build that was measured before and fails now is not passed over: what it said stands.
  std::optional<std::string> pass_over(const BisectionStep& step, const PairedReports& reports,
                                       Bisection& bisection) {
    const auto& made = bisection.made();
    for (const auto& [build, side] :
         {std::pair(step.before, &reports.before), std::pair(step.now, &reports.now)}) {
      const auto& report = side->back();
      if (report.status == WorkerStatus::kMeasured) {
        continue;
      }
      const std::string why =
          "its case is " + std::string(name_of(report.status)) + ": " + report.message;
      if (std::binary_search(made.begin(), made.end(), build)) {
        return subject_.builds[build] + " was measured and no longer can be: " + why;
      }
      tools_.console.print(build_passed_over_row(subject_.builds[build], why));
      bisection.skip(build);
      return std::nullopt;
    }
    return "the device was not fit: " +
           reports.before.back().why_unfit.value_or(reports.now.back().why_unfit.value_or(""));
  }

  ExitCode refused(const std::string& why) {
    tools_.console.report("\n  Not decided: " + why + ".\n");
    return ExitCode::kRefused;
  }

  const BisectSettings& settings_;
  const BisectTools& tools_;
  Policy policy_;
  BisectionSubject subject_;
  PairTaker taker_;
  std::size_t oldest_ = 0;  // place in the list of the first that can be measured
  MadeBuilds builds_;
};

}  // namespace

ExitCode bisect_builds(const BisectSettings& settings, const BisectTools& tools) {
  return held_to_selection(Bisecting(settings, tools).run(), settings.selection, tools.console);
}

}  // namespace perfgate
