#include "perfgate/report/global_text.h"

#include <fmt/format.h>

#include <cmath>

#include "perfgate/gate/mde_text.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/session_changes.h"
#include "perfgate/report/wording.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

constexpr double kLeastMove = 0.003;  // between two runs a ceiling reads otherwise by that at most

void add(std::string& out, const std::string& text) {
  if (!text.empty()) {
    out += (out.empty() ? "" : "; ") + text;
  }
}

std::string ceilings_that_moved(const CeilingRates& before, const CeilingRates& now) {
  std::string out;
  for (const auto& [ceiling, rate] : now) {
    const auto was = before.find(ceiling);
    if (was != before.end() && std::abs(rate / was->second - 1) > kLeastMove) {
      add(out, fmt::format("{} -> {} ({:+.1f} %)", ceiling_text(ceiling, was->second),
                           value_text(rate, ceiling.unit), 100 * (rate / was->second - 1)));
    }
  }
  return out;
}

std::string clock_that_moved(const std::vector<Outcome>& outcomes) {
  std::vector<double> before;
  std::vector<double> now;
  for (const auto& outcome : outcomes) {
    for (const auto& judgement : outcome.judgements) {
      if (judgement.known_device && judgement.clock_mhz) {
        before.push_back(judgement.clock_mhz->before);
        now.push_back(judgement.clock_mhz->now);
      }
    }
  }
  return now.empty() || std::abs(median(now) / median(before) - 1) < kLeastMove
             ? ""
             : fmt::format("SM clock {:.0f} -> {:.0f} MHz (medians)", median(before), median(now));
}

}  // namespace

std::string what_moved(const SessionRecord& before, const SessionRecord& now,
                       const std::vector<Outcome>& outcomes) {
  std::string out = environment_changes(before, now);
  add(out, ceilings_that_moved(before.ceilings, now.ceilings));
  add(out, clock_that_moved(outcomes));
  return out.empty() ? "nothing that perfgate records" : out;
}

std::string global_change_text(const GlobalChange& change) {
  return fmt::format("{}, {}, {}: {} in the median of {} cases (MDE {}, p = {:.0e})", change.family,
                     change.variance_class, text_of(change.metric),
                     change_in_words(change.metric, change.change), change.cases,
                     mde_text(change.mde), change.p_value);
}

std::string global_lines(const Run& run) {
  std::string out;
  for (const auto& change : run.global) {
    if (is_found(change)) {
      out += labelled("GLOBAL", global_change_text(change));
    }
  }
  return out.empty() ? out : out + labelled("", "beside it: " + run.moved);
}

}  // namespace perfgate
