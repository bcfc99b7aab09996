#include "perfgate/report/paired_sentence.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/model/libtorch_version.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/wording.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

// The version of its LibTorch, and whatever else tells the two apart.
std::string name_of_build(const ComparedBuild& build, const std::string& distinction) {
  return "LibTorch " + build.session.libtorch +
         (distinction.empty() ? "" : " (" + distinction + ")");
}

struct Names {
  std::string before;
  std::string now;
};

Names names_of(const Comparison& comparison) {
  const auto& before = comparison.before;
  const auto& now = comparison.now;
  std::string injected;
  if (comparison.inject_slowdown > 0) {
    injected = fmt::format("{} % extra work injected", comparison.inject_slowdown);
  }
  const bool alike = is_one_libtorch(before.session.libtorch, now.session.libtorch) &&
                     before.variables.empty() && injected.empty();
  return {name_of_build(before, alike ? before.program : before.variables),
          name_of_build(now, alike ? now.program : injected)};
}

std::string mdes_text(const std::vector<PairedOutcome>& outcomes, const Places& places) {
  std::vector<double> mdes;
  for (const auto i : places) {
    mdes.push_back(outcomes[i].deciding()->mde);
  }
  const auto most = percent_text(*std::max_element(mdes.begin(), mdes.end()));
  return mdes.size() == 1
             ? fmt::format("a slowdown of {} would have been found", most)
             : fmt::format(
                   "a slowdown of {} would have been found in half of them, one of {} in all",
                   percent_text(median(mdes)), most);
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }
  return out;
}

}  // namespace

Places places_of(const std::vector<PairedOutcome>& outcomes, std::initializer_list<Verdict> which) {
  Places out;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (std::find(which.begin(), which.end(), outcomes[i].verdict) != which.end()) {
      out.push_back(i);
    }
  }
  return out;
}

Places changed_places(const std::vector<PairedOutcome>& outcomes) {
  Places out = places_of(outcomes, {Verdict::kRegressed, Verdict::kImproved});
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    return outcomes[a].deciding()->change > outcomes[b].deciding()->change;
  });
  return out;
}

std::string paired_interval_text(const PairedJudgement& judgement) {
  return fmt::format("{} to {}", change_text(judgement.lowest, false),
                     change_text(judgement.highest, false));
}

std::string name_of_compared(const std::string& case_key, const PairedJudgement& judgement) {
  const Quantity quantity = judgement.metric.quantity;
  const bool is_time = quantity == Quantity::kUtilisation || quantity == Quantity::kTime ||
                       quantity == Quantity::kNetTime;
  const std::string name = key_of_phase(case_key, judgement.metric.phase);
  return is_time ? name : name + " " + std::string(name_of(quantity));
}

std::string paired_sentence(const Comparison& comparison, const std::vector<PairedReports>& reports,
                            const std::vector<PairedOutcome>& outcomes) {
  const auto changed = changed_places(outcomes);
  const auto slower = places_of(outcomes, {Verdict::kRegressed});
  const auto faster = places_of(outcomes, {Verdict::kImproved});
  const auto same = places_of(outcomes, {Verdict::kPass, Verdict::kBlind});
  const auto failed = places_of(outcomes, {Verdict::kWrong, Verdict::kLost, Verdict::kError});
  std::vector<std::string> parts = {
      fmt::format("slower in {} of {}", slower.size(), plural(outcomes.size(), "case")),
      fmt::format("faster in {}", faster.size())};
  if (!failed.empty()) {
    parts.push_back(fmt::format("failing in {}", failed.size()));
  }
  const auto others = outcomes.size() - changed.size() - failed.size() - same.size();
  if (others > 0) {
    parts.push_back(fmt::format("not judged in {}", others));
  }
  parts.push_back(fmt::format("unchanged in {}", same.size()));
  const auto names = names_of(comparison);
  std::string out = fmt::format("Compared with {}, {} is on {} {}", names.before, names.now,
                                comparison.device.model, joined(parts));
  out += same.empty() ? "" : " (" + mdes_text(outcomes, same) + ")";
  const auto told = [&](const char* which, std::size_t i) {
    const auto& judgement = *outcomes[i].deciding();
    return fmt::format("; the {} is {}, {} (95 % interval {})", which,
                       name_of_compared(reports[i].case_key, judgement),
                       change_text(judgement.change, true), paired_interval_text(judgement));
  };
  out += slower.empty() ? "" : told("slowest", changed.front());
  out += faster.empty() ? "" : told("fastest", changed.back());
  return out + ".";
}

}  // namespace perfgate
