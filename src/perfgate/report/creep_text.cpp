#include "perfgate/report/creep_text.h"

#include <fmt/format.h>

#include "perfgate/report/layout.h"
#include "perfgate/report/session_changes.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

std::string day(const std::string& time) { return time.substr(0, 10); }

}  // namespace

std::string creep_text(const SeriesCreep& creep) {
  return fmt::format("{}, {}: {} than its reference, over {} since {} (found on {})",
                     creep.case_key, text_of(creep.metric),
                     change_in_words(creep.metric, creep.change),
                     plural(static_cast<std::size_t>(creep.nights), "night"), day(creep.since.time),
                     day(creep.found.time));
}

std::string creep_changes(const SeriesCreep& creep) {
  const NightBuild& old = creep.before ? *creep.before : creep.since;
  std::string out;
  add_libtorch_difference(out, old.libtorch, creep.now.libtorch);
  add_difference(out, "commit", old.commit, creep.now.commit);
  add_difference(out, "driver", old.driver.value_or("unknown"),
                 creep.now.driver.value_or("unknown"));
  return out.empty() ? "nothing that the history has" : out;
}

std::string creep_lines(const Run& run) {
  std::string out;
  for (const auto& creep : run.creeps) {
    out += labelled("CREEP", creep_text(creep)) +
           labelled("", "other than before it: " + creep_changes(creep));
  }
  return out;
}

}  // namespace perfgate
