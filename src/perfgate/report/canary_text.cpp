#include "perfgate/report/canary_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/gate/mde_text.h"
#include "perfgate/report/layout.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

int count_of(const std::vector<Canary>& canaries, CanaryResult result) {
  return static_cast<int>(
      std::count_if(canaries.begin(), canaries.end(),
                    [result](const Canary& canary) { return canary.result == result; }));
}

// "REGRESSED, +6.2 % slower (p = 3e-06)", or the reason that no judgement has.
std::string finding(const Canary& canary) {
  const Outcome& outcome = canary.outcome;
  const Judgement* judgement =
      canary.injection ? outcome.judgement_of(canary.injection->metric) : outcome.deciding();
  std::string out(name_of(outcome.verdict));
  if (judgement != nullptr) {
    out += fmt::format(", {} (p = {:.0e})", change_in_words(judgement->metric, judgement->change),
                       judgement->p_value);
  }
  return outcome.message.empty() ? out : out + ": " + outcome.message;
}

// "9.1 % injected (1.3 times its MDE of 7.2 %)".
std::string injected_text(const Canary& canary) {
  if (!canary.injection) {
    return "repeated as it is";
  }
  const auto& injection = *canary.injection;
  const auto injected = injected_share(canary.outcome, injection.metric.phase);
  return injected ? fmt::format("{} injected ({:.2g} times its MDE of {})", percent_text(*injected),
                                *injected / injection.mde, mde_text(injection.mde))
                  : fmt::format("{} to be injected", percent_text(injection.least));
}

// Where it came to nothing though it was judged.
std::string shortfall(const Canary& canary) {
  const bool too_little =
      canary.result == CanaryResult::kVoid && canary.outcome.verdict != Verdict::kMachineInvalid;
  return too_little
             ? fmt::format("; {} would have had to be found", percent_text(canary.injection->least))
             : "";
}

// "1 of 1 injected slowdown found, 2 of 2 repeats unchanged": of what there is.
std::string counts_text(const std::vector<Canary>& canaries) {
  const auto injected = static_cast<std::size_t>(
      std::count_if(canaries.begin(), canaries.end(),
                    [](const Canary& canary) { return canary.injection.has_value(); }));
  std::string out;
  if (injected > 0) {
    out = fmt::format("{} of {} found", count_of(canaries, CanaryResult::kFound),
                      plural(injected, "injected slowdown"));
  }
  if (injected < canaries.size()) {
    out += fmt::format("{}{} of {} unchanged", out.empty() ? "" : ", ",
                       count_of(canaries, CanaryResult::kUnchanged),
                       plural(canaries.size() - injected, "repeat"));
  }
  return out;
}

}  // namespace

std::string canary_sentence(const Canary& canary) {
  return fmt::format("{}: {}, {}{}", canary.outcome.case_key, injected_text(canary),
                     finding(canary), shortfall(canary));
}

std::string canary_lines(const std::vector<Canary>& canaries) {
  if (canaries.empty()) {
    return "";
  }
  std::string out = labelled("canaries", counts_text(canaries));
  for (const auto& canary : canaries) {
    if (makes_unfit(canary.result)) {
      out += labelled("UNFIT", fmt::format("the gate is not to be believed tonight: it {} {}",
                                           canary.result == CanaryResult::kMissed
                                               ? "missed what was injected."
                                               : "does not pass again what passed.",
                                           canary_sentence(canary)));
    } else if (canary.result == CanaryResult::kVoid) {
      out += labelled("void", canary_sentence(canary));
    }
  }
  return out;
}

}  // namespace perfgate
