#include "perfgate/report/session_changes.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "perfgate/core/ascii.h"
#include "perfgate/model/libtorch_version.h"

namespace perfgate {
namespace {

using Settings = std::map<std::string, std::string>;

void add(std::string& out, const std::string& text) { out += (out.empty() ? "" : "; ") + text; }

// A variable that is not there is unset; what a session does not say of a library, it did not
// record: Triton's version, say, where it measured nothing compiled.
std::optional<std::string> value_of(const Settings& settings, const std::string& name) {
  const auto found = settings.find(name);
  return found != settings.end() ? std::optional(found->second)
         : is_variable(name)     ? std::optional<std::string>("unset")
                                 : std::nullopt;
}

std::string variables_of(const Settings& settings) {
  std::string out;
  for (const auto& [name, value] : settings) {
    if (is_variable(name)) {
      out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, value);
    }
  }
  return out;
}

void settings_difference(std::string& out, const Settings& before, const Settings& now) {
  if (now.empty()) {  // a results file of before
    return;
  }
  if (before.empty()) {
    if (const auto set = variables_of(now); !set.empty()) {
      add(out, "set now, not recorded then: " + set);
    }
    return;
  }
  Settings all = before;
  all.insert(now.begin(), now.end());
  for (const auto& [name, value] : all) {
    const auto was = value_of(before, name);
    const auto is = value_of(now, name);
    if (was && is) {
      add_difference(out, name, *was, *is);
    }
  }
}

}  // namespace

void add_difference(std::string& out, const std::string& what, const std::string& before,
                    const std::string& now) {
  if (before != now) {
    add(out, fmt::format("{} {} -> {}", what, before, now));
  }
}

void add_libtorch_difference(std::string& out, const std::string& before, const std::string& now) {
  if (!is_one_libtorch(before, now)) {
    add_difference(out, "LibTorch", before, now);
  }
}

bool is_variable(const std::string& setting) { return lower(setting.front()) != setting.front(); }

std::map<std::string, std::string> settings_of_case(const WorkerReport& report) {
  const auto triton = triton_of(report);
  return triton ? Settings{{"triton", *triton}} : Settings{};
}

SessionRecord session_of_case(SessionRecord session, const WorkerReport& report) {
  session.settings.merge(settings_of_case(report));
  return session;
}

std::string environment_changes(const SessionRecord& before, const SessionRecord& now) {
  std::string out;
  add_libtorch_difference(out, before.libtorch, now.libtorch);
  add_difference(out, "driver", before.driver.value_or("none"), now.driver.value_or("none"));
  add_difference(out, "CUDA", before.cuda.value_or("none"), now.cuda.value_or("none"));
  add_difference(out, "compiler", before.compiler, now.compiler);
  settings_difference(out, before.settings, now.settings);
  return out;
}

std::string session_changes(const SessionRecord& before, const SessionRecord& now) {
  std::string families;
  for (const auto& [name, version] : now.workloads) {
    const auto was = before.workloads.find(name);
    if (was != before.workloads.end() && was->second != version) {
      families += (families.empty() ? "sources of " : ", ") + name;
    }
  }
  std::string out = environment_changes(before, now);
  if (!families.empty()) {
    add(out, families);
  }
  add_difference(out, "commit", before.commit, now.commit);
  return out;
}

std::string changes_for_family(const SessionRecord& before, const SessionRecord& now,
                               const std::string& family, bool of_guest) {
  std::string out = environment_changes(before, now);
  const auto was = before.workloads.find(family);
  const auto is = now.workloads.find(family);
  const bool are_recorded = was != before.workloads.end() && is != now.workloads.end();
  if (are_recorded) {
    add_difference(out, "sources of " + family, was->second, is->second);
  }
  if (!are_recorded || of_guest) {
    add_difference(out, "commit", before.commit, now.commit);
  }
  return out;
}

}  // namespace perfgate
