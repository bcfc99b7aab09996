#include "perfgate/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "perfgate/core/shell.h"
#include "perfgate/gate/mde_text.h"
#include "perfgate/report/canary_text.h"
#include "perfgate/report/creep_text.h"
#include "perfgate/report/derived.h"
#include "perfgate/report/failure_commands.h"
#include "perfgate/report/global_text.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/wording.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

// How small a change the measurements that decided could have shown; empty where nothing was
// judged.
std::string sensitivity_text(const std::vector<Outcome>& outcomes) {
  std::vector<double> seen;
  for (const auto& outcome : outcomes) {
    if (const auto* judgement = outcome.deciding()) {
      seen.push_back(judgement->mde);
    }
  }
  if (seen.size() < 2) {
    return seen.empty() ? "" : mde_text(seen.front());
  }
  std::sort(seen.begin(), seen.end());
  constexpr double kDoubling = 1;
  const auto blind = std::upper_bound(seen.begin(), seen.end(), kDoubling);
  const std::string cases = plural(seen.size(), "judged case");
  if (blind == seen.begin()) {
    return "above 100 % in each of " + cases;
  }
  const std::string half = fmt::format("half of {} within {}", cases, percent_text(median(seen)));
  const std::string largest = percent_text(*std::prev(blind));
  if (blind == seen.end()) {
    return half + ", all within " + largest;
  }
  const auto within = blind - seen.begin();
  const std::string some = median(seen) <= kDoubling
                               ? fmt::format("{}, {} within {}", half, within, largest)
                               : fmt::format("{} of {} within {}", within, cases, largest);
  return fmt::format("{}, {} above 100 %", some, seen.end() - blind);
}

// "a, b and 3 more".
std::string some_of(const std::vector<std::string>& keys) {
  constexpr std::size_t kLimit = 4;
  std::string out;
  for (std::size_t i = 0; i < std::min(keys.size(), kLimit); ++i) {
    out += (i == 0 ? "" : ", ") + keys[i];
  }
  return keys.size() > kLimit ? fmt::format("{} and {} more", out, keys.size() - kLimit) : out;
}

std::vector<std::string> keys_with(const std::vector<Outcome>& outcomes, Verdict verdict,
                                   bool learning) {
  std::vector<std::string> out;
  for (const auto& outcome : outcomes) {
    if (outcome.verdict == verdict && !outcome.accepted() && outcome.learning == learning) {
      out.push_back(outcome.case_key);
    }
  }
  return out;
}

// What passed nothing, since its MDE is larger than the policy allows.
std::string blind_lines(const Run& run) {
  std::string out;
  if (const auto keys = keys_with(run.outcomes, Verdict::kBlind, false); !keys.empty()) {
    out += labelled("BLIND", "an MDE larger than the policy allows: " + some_of(keys));
    const std::string gate = program_of(run.info);
    const std::string which = shell_word("--case=" + keys.front());
    out += fmt::format(
        "            each session that is recorded here tells more of the noise:\n"
        "            {} --refresh {}\n"
        "            and two builds that are measured side by side show most:\n"
        "            {} --against=OTHER {}\n",
        gate, which, gate, which);
  }
  if (const auto keys = keys_with(run.outcomes, Verdict::kBlind, true); !keys.empty()) {
    out += labelled("learning", fmt::format("of this local baseline, which has few sessions yet, "
                                            "{} with an MDE larger than the policy allows: {}",
                                            plural(keys.size(), "case"), some_of(keys)));
  }
  return out;
}

// Its name, and how much slower it is.
std::string suspicion(const Outcome& outcome) {
  const Judgement* judgement = outcome.deciding();
  return judgement == nullptr ? outcome.case_key
                              : fmt::format("{} {:+.1f} % (p = {:.0e})", outcome.case_key,
                                            100 * judgement->change, judgement->p_value);
}

// What a device that the baseline does not know leaves open, and what settles it.
std::string suspect_lines(const Run& run) {
  std::vector<std::string> found;
  std::string first;
  for (const auto& outcome : run.outcomes) {
    if (outcome.verdict == Verdict::kSuspect && !outcome.accepted()) {
      found.push_back(suspicion(outcome));
      first = first.empty() ? outcome.case_key : first;
    }
  }
  return found.empty()
             ? ""
             : labelled("SUSPECT",
                        "slower than chance explains, by less than devices may differ by, and the "
                        "baseline does not know this one: " +
                            some_of(found)) +
                   fmt::format(
                       "            to settle it, compare with a build of what the baseline is of, "
                       "on this device:\n            {} --against=OTHER {}\n"
                       "            or record a session of this device by that build, and gate "
                       "again\n",
                       program_of(run.info), shell_word("--case=" + first));
}

// What cannot be compared until it is recorded anew.
std::string other_protocol_lines(const Run& run) {
  std::vector<std::string> keys;
  for (const auto& outcome : run.outcomes) {
    if (outcome.other_protocol && !outcome.accepted() && outcome.recorded == Recorded::kNot) {
      keys.push_back(outcome.case_key);
    }
  }
  return keys.empty() ? ""
                      : labelled("unjudged", "recorded under another protocol: " + some_of(keys)) +
                            fmt::format(
                                "            {} --refresh --accept='*:why' {}\n"
                                "            records it anew\n",
                                program_of(run.info), shell_word("--case=" + keys.front()));
}

// Later nights are compared with what got faster, until it is recorded or slower again.
std::string improvement_lines(const Run& run) {
  const auto keys = keys_with(run.outcomes, Verdict::kImproved, false);
  const auto learning = keys_with(run.outcomes, Verdict::kImproved, true);
  std::vector<std::string> all = keys;
  all.insert(all.end(), learning.begin(), learning.end());
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 3); ++i) {
    out += fmt::format("  {:<9} {} --refresh --reason=\"why\" {}\n", i == 0 ? "improved" : "",
                       program_of(run.info), shell_word("--case=" + all[i]));
  }
  return out.empty() ? out
                     : out +
                           "            records what improved; until then later nights are "
                           "compared with it\n";
}

}  // namespace

std::string summary_text(const Run& run, const std::string& results_path, bool colour) {
  std::string out = "\n" + derived_text(run.outcomes) + "  ";
  std::vector<Outcome> judged;
  std::copy_if(run.outcomes.begin(), run.outcomes.end(), std::back_inserter(judged),
               [](const Outcome& outcome) { return !outcome.accepted(); });
  if (judged.size() < run.outcomes.size()) {
    out += fmt::format("{} recorded   ", run.outcomes.size() - judged.size());
  }
  for (const auto& [verdict, name] : kNames<Verdict>) {
    const int number = count(judged, verdict);
    const bool always = judged.size() == run.outcomes.size() &&
                        (verdict == Verdict::kPass || verdict == Verdict::kRegressed);
    if (number > 0 || always) {
      out += fmt::format("{} {}   ", number,
                         number > 0 ? painted(verdict, name, colour) : std::string(name));
    }
  }
  const auto with_judgement = std::count_if(run.outcomes.begin(), run.outcomes.end(), was_judged);
  if (static_cast<std::size_t>(with_judgement) < run.outcomes.size() &&
      judged.size() == run.outcomes.size()) {
    out += fmt::format("judged {} of {}   ", with_judgement, plural(run.outcomes.size(), "case"));
  }
  out += fmt::format("{:.1f} s\n", run.elapsed_s);
  if (const std::string seen = sensitivity_text(run.outcomes); !seen.empty()) {
    out += "  MDE       " + seen + "\n";
  }
  out += canary_lines(run.canaries) + global_lines(run) + creep_lines(run) + suspect_lines(run) +
         blind_lines(run) + other_protocol_lines(run) + improvement_lines(run);
  if (!run.not_run.empty()) {
    out +=
        labelled("not run", fmt::format("{} selected and not judged: {}",
                                        plural(run.not_run.size(), "case"), some_of(run.not_run)));
  }
  if (run.partial) {
    out += run.info.selection.empty()
               ? "  PARTIAL   interrupted: the cases that are missing were not measured\n"
               : "  PARTIAL   only what the environment selects: " + run.info.selection + "\n";
    for (const auto& what : run.unfinished) {
      out += "            " + what + "\n";
    }
  }
  return results_path.empty() ? out : out + "  results   " + results_path + "\n";
}

}  // namespace perfgate
