#include "perfgate/report/paired_sentence.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/gate/mde_text.h"
#include "perfgate/model/libtorch_version.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/wording.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

// What it is called, and whatever else tells the two apart.
std::string name_of_build(const std::string& name, const std::string& distinction) {
  return name + (distinction.empty() ? "" : " (" + distinction + ")");
}

struct Names {
  std::string before;
  std::string now;
};

Names names_of(const Comparison& comparison) {
  const auto& before = comparison.before;
  const auto& now = comparison.now;
  std::string only_now = now.variables;
  if (comparison.inject_slowdown > 0) {
    only_now += (only_now.empty() ? "" : ", ") +
                fmt::format("{} % extra work injected", comparison.inject_slowdown);
  }
  const bool alike = is_one_libtorch(before.session.libtorch, now.session.libtorch) &&
                     before.variables.empty() && only_now.empty();
  // Two commits of one LibTorch are called by what differs.
  const bool by_commit = alike && before.session.commit != now.session.commit;
  const auto name = [by_commit](const ComparedBuild& build) {
    return by_commit ? "commit " + build.session.commit : "LibTorch " + build.session.libtorch;
  };
  return {name_of_build(name(before), alike ? before.program : before.variables),
          name_of_build(name(now), alike ? now.program : only_now)};
}

std::string mdes_text(const std::vector<PairedOutcome>& outcomes, const Places& places) {
  std::vector<double> mdes;
  for (const auto i : places) {
    mdes.push_back(outcomes[i].deciding()->mde);
  }
  const auto most = mde_text(*std::max_element(mdes.begin(), mdes.end()));
  return mdes.size() == 1
             ? fmt::format("a slowdown of {} would have been found", most)
             : fmt::format(
                   "a slowdown of {} would have been found in half of them, one of {} in all",
                   mde_text(median(mdes)), most);
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
  std::erase_if(out, [&](std::size_t i) { return outcomes[i].deciding() == nullptr; });
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    return outcomes[a].deciding()->change > outcomes[b].deciding()->change;
  });
  return out;
}

std::string paired_interval_text(const PairedJudgement& judgement) {
  return fmt::format("{} to {}", change_text(judgement.lowest), change_text(judgement.highest));
}

std::string name_of_compared(const std::string& case_key, const PairedJudgement& judgement) {
  const Quantity quantity = judgement.metric.quantity;
  const bool is_time = quantity == Quantity::kUtilisation || quantity == Quantity::kTime ||
                       quantity == Quantity::kNetTime;
  const std::string name = key_of_phase(case_key, judgement.metric.phase);
  return is_time ? name : name + " " + text_of(judgement.metric.in(Phase::kWhole));
}

std::string paired_sentence(const Comparison& comparison, const std::vector<PairedReports>& reports,
                            const std::vector<PairedOutcome>& outcomes) {
  const auto changed = changed_places(outcomes);
  const auto worse = places_of(outcomes, {Verdict::kRegressed});
  const auto better = places_of(outcomes, {Verdict::kImproved});
  const auto same = places_of(outcomes, {Verdict::kPass});
  const auto blind = places_of(outcomes, {Verdict::kBlind});
  const auto failed = places_of(outcomes, {Verdict::kWrong, Verdict::kLost, Verdict::kError});
  // Where a case's own metric is among them, not all of it is speed.
  const bool is_speed = std::all_of(changed.begin(), changed.end(), [&](std::size_t i) {
    return outcomes[i].deciding()->metric.quantity != Quantity::kOwn;
  });
  std::vector<std::string> parts = {
      fmt::format("{} in {} of {}", is_speed ? "slower" : "worse", worse.size(),
                  plural(outcomes.size(), "case")),
      fmt::format("{} in {}", is_speed ? "faster" : "better", better.size())};
  if (!failed.empty()) {
    parts.push_back(fmt::format("failing in {}", failed.size()));
  }
  if (!blind.empty()) {
    parts.push_back(fmt::format("too noisy to judge in {}", blind.size()));
  }
  const auto others =
      outcomes.size() - worse.size() - better.size() - failed.size() - same.size() - blind.size();
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
                       change_in_words(judgement.metric, judgement.change),
                       paired_interval_text(judgement));
  };
  const auto is = [&](std::size_t i, Verdict verdict) { return outcomes[i].verdict == verdict; };
  if (!changed.empty() && is(changed.front(), Verdict::kRegressed)) {
    out += told(is_speed ? "slowest" : "worst", changed.front());
  }
  if (!changed.empty() && is(changed.back(), Verdict::kImproved)) {
    out += told(is_speed ? "fastest" : "best", changed.back());
  }
  return out + ".";
}

}  // namespace perfgate
