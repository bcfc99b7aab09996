#include "perfgate/report/bisection_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perfgate/gate/mde_text.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/wording.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

constexpr std::size_t kShownGaps = 3;
constexpr double kShownMass = 0.005;
constexpr std::size_t kNamesOfAGap = 4;

// Nothing that is estimated is certain.
std::string confidence_text(double probability) {
  return probability > 0.9995 ? "over 99.9 %" : percent_text(probability);
}

// "c05", "one of c05, c06", "one of 12 (c05 to c16)".
std::string gap_text(const BisectionSubject& subject, const Gap& gap) {
  if (gap.size() == 1) {
    return subject.builds[gap.last];
  }
  if (gap.size() > kNamesOfAGap) {
    return fmt::format("one of {} ({} to {})", gap.size(), subject.builds[gap.after + 1],
                       subject.builds[gap.last]);
  }
  std::string out = "one of ";
  for (std::size_t build = gap.after + 1; build <= gap.last; ++build) {
    out += (build == gap.after + 1 ? "" : ", ") + subject.builds[build];
  }
  return out;
}

std::string candidates_text(const BisectionSubject& subject, const FirstSlow& posterior) {
  std::vector<std::size_t> order(posterior.gaps.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return posterior.mass[a] > posterior.mass[b];
  });
  std::string out;
  for (std::size_t i = 0; i < std::min(order.size(), kShownGaps); ++i) {
    if (posterior.mass[order[i]] >= kShownMass) {
      out += (out.empty() ? "" : "; ") + gap_text(subject, posterior.gaps[order[i]]) + " " +
             confidence_text(posterior.mass[order[i]]);
    }
  }
  if (posterior.none >= kShownMass) {
    out += (out.empty() ? "none " : "; none ") + percent_text(posterior.none);
  }
  return out;
}

std::string effort_text(const Bisection& bisection) {
  return fmt::format("{} measured, {} of processes", plural(bisection.made().size(), "build"),
                     plural(bisection.pairs(), "pair"));
}

}  // namespace

std::string build_made_row(const std::string& name, const std::string& program,
                           const std::string& libtorch) {
  return fmt::format("  {:<12} {:<28} {}   LibTorch {}\n", "made", name, program, libtorch);
}

std::string build_passed_over_row(const std::string& name, const std::string& why_not) {
  return fmt::format("  {:<12} {:<28} {}\n", "passed over", name, why_not);
}

std::string bisection_row(const BisectionSubject& subject, std::size_t before, std::size_t now,
                          const std::vector<double>& differences, const FirstSlow& posterior) {
  return fmt::format("  {:<12} {:<28} {:>8} in {:<9} first slow: {}\n", "measured",
                     subject.builds[before] + " -> " + subject.builds[now],
                     change_text(std::expm1(mean(differences))), plural(differences.size(), "pair"),
                     candidates_text(subject, posterior));
}

std::string no_regression_sentence(const BisectionSubject& subject, const PairedJudgement& shown) {
  return fmt::format(
      "None of the {} builds is slow: from {} to {}, {} changes on {} by {} (95 % interval {} to "
      "{}; MDE {}).\n",
      subject.builds.size(), subject.builds.front(), subject.builds.back(), subject.what,
      subject.device, change_text(shown.change), change_text(shown.lowest),
      change_text(shown.highest), mde_text(shown.mde));
}

std::string bisection_sentence(const BisectionSubject& subject, const Bisection& bisection,
                               const BisectionStep& end) {
  const FirstSlow posterior = bisection.posterior();
  const std::size_t best = posterior.best();
  const Gap gap = posterior.gaps[best];
  const auto& change = posterior.changes[best];
  const std::string effort = effort_text(bisection);
  switch (end.kind) {
    case BisectionStep::Kind::kFound: {
      std::string out = fmt::format(
          "{} is the first slow build: on {} it slows {} by {} (95 % interval {} to {}) against "
          "{}, with {} confidence ({}).\n",
          subject.builds[gap.last], subject.device, subject.what, change_text(change.change),
          change_text(change.lowest), change_text(change.highest), subject.builds[gap.after],
          confidence_text(posterior.mass[best]), effort);
      if (posterior.another[best] > 0.5) {
        out += fmt::format(
            "  It is not the only change: with {} confidence another build of the list changes it "
            "too; bisect what is left on either side.\n",
            confidence_text(posterior.another[best]));
      }
      return out;
    }
    case BisectionStep::Kind::kNone:
      return fmt::format(
          "None of the {} builds is slow, with {} confidence: what {} differed by at first was "
          "noise ({}).\n",
          subject.builds.size(), confidence_text(posterior.none), subject.what, effort);
    default:
      return fmt::format(
          "Not decided: {} is slower in {} than in {}; the first slow build is {} "
          "({}{}).\n",
          subject.what, subject.builds.back(), subject.builds.front(),
          candidates_text(subject, posterior), effort,
          end.exhausted ? "; what is between cannot be made or told apart"
                        : "; --pairs=N allows more");
  }
}

}  // namespace perfgate
