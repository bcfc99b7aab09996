// JUnit XML, in the dialect that CI servers share: testsuites, testsuite, testcase, and in it
// failure, error or skipped.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>
#include <pugixml.hpp>
#include <string>

#include "perfgate/core/plain_text.h"
#include "perfgate/model/case_key.h"
#include "perfgate/report/canary_text.h"
#include "perfgate/report/creep_text.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/report/export.h"
#include "perfgate/report/failure.h"
#include "perfgate/report/global_text.h"
#include "perfgate/report/kernel_changes.h"
#include "perfgate/report/wording.h"

namespace perfgate {
namespace {

// What pugixml writes to.
struct Written : pugi::xml_writer {
  std::string text;
  void write(const void* data, std::size_t size) override {
    text.append(static_cast<const char*>(data), size);
  }
};

struct Counts {
  int tests = 0;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  double seconds = 0;  ///< of its cases' processes
};

double seconds_of(const Outcome& outcome) {
  double out = 0;
  for (const auto& report : outcome.reports) {
    for (const auto& [phase, cost_s] : report.costs_s) {
      out += cost_s;
    }
  }
  return out;
}

// XML has no word for most of what is not plain.
void put(pugi::xml_node node, const char* name, const std::string& text) {
  node.append_attribute(name) = shortened(plain(text)).c_str();
}

void put_text(pugi::xml_node node, const std::string& text) {
  node.append_child(pugi::node_pcdata)
      .set_value(shortened(plain_lines(text), kLongestFailure).c_str());
}

void add_property(pugi::xml_node properties, const std::string& name, const std::string& value) {
  auto property = properties.append_child("property");
  put(property, "name", name);
  put(property, "value", value);
}

std::string prefix_in_names(Phase phase) {
  return phase == Phase::kWhole ? "" : std::string(name_of(phase)) + ".";
}

void add_values(pugi::xml_node testcase, const Outcome& outcome, const Baseline* baseline) {
  constexpr std::size_t kKernels = 4;
  pugi::xml_node properties;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!properties) {
      properties = testcase.append_child("properties");
    }
    add_property(properties, name, value);
  };
  for (const Phase phase : phases_of(outcome)) {
    const auto time_us = median_measurement(outcome, kTime.in(phase));
    if (!time_us) {
      continue;
    }
    const std::string prefix = prefix_in_names(phase);
    add(prefix + "time_us", fmt::format("{:.6g}", *time_us));
    if (const auto* judgement = outcome.deciding(phase)) {
      add(prefix + "change", fmt::format("{:+.5f}", judgement->change));
      add(prefix + "mde", fmt::format("{:.5f}", judgement->mde));
    }
  }
  for (const auto& [phase, changes] : other_kernels_of(outcome, baseline, kKernels)) {
    add(prefix_in_names(phase) + "other_kernels", fmt::format("{}", fmt::join(changes, "; ")));
  }
}

// The message is the first line that a viewer shows; the text is what a terminal would have shown.
void add_result(pugi::xml_node testcase, const char* kind, const Outcome& outcome,
                const std::string& text) {
  auto result = testcase.append_child(kind);
  const auto* judgement = outcome.deciding();
  const std::string message =
      outcome.message.empty() && judgement != nullptr
          ? fmt::format("{} {}", name_of(outcome.verdict),
                        change_in_words(judgement->metric, judgement->change))
          : fmt::format("{}: {}", name_of(outcome.verdict), outcome.message);
  put(result, "message", message);
  put_text(result, text);
}

void add_case(pugi::xml_node suite, const Run& night, const Outcome& outcome,
              const Baseline* baseline, bool baseline_required, Counts& counts) {
  auto testcase = suite.append_child("testcase");
  put(testcase, "classname", family_of(outcome.case_key));
  put(testcase, "name", outcome.case_key);
  put(testcase, "time", fmt::format("{:.3f}", seconds_of(outcome)));
  counts.seconds += seconds_of(outcome);
  add_values(testcase, outcome, baseline);
  ++counts.tests;
  const auto text = [&] { return failure_text(outcome, night.info, baseline); };
  switch (exit_code_of(outcome, baseline_required)) {
    case ExitCode::kFail:
      if (outcome.verdict == Verdict::kError) {
        ++counts.errors;
        add_result(testcase, "error", outcome, text());
      } else {
        ++counts.failures;
        add_result(testcase, "failure", outcome, text());
      }
      break;
    case ExitCode::kRefused:
      ++counts.errors;  // neither passed nor failed, and never to be taken for a pass
      add_result(testcase, "error", outcome, text());
      break;
    case ExitCode::kSkipped:
      ++counts.skipped;
      add_result(testcase, "skipped", outcome, "");
      break;
    case ExitCode::kOk:
    case ExitCode::kUsage:
      if (outcome.verdict == Verdict::kNoBaseline && !outcome.accepted()) {
        ++counts.skipped;
        add_result(testcase, "skipped", outcome, "");
      }
      break;
  }
}

void add_not_run(pugi::xml_node suite, const std::string& key, Counts& counts) {
  auto testcase = suite.append_child("testcase");
  put(testcase, "classname", family_of(key));
  put(testcase, "name", key);
  testcase.append_attribute("time") = "0.000";
  ++counts.tests;
  ++counts.errors;  // neither passed nor failed, and never to be taken for a pass
  testcase.append_child("error").append_attribute("message") =
      "not judged: it was selected, and did not run";
}

// A group of cases that is slower together fails the night by itself.
void add_global(pugi::xml_node suite, const GlobalChange& change, const std::string& moved,
                Counts& counts) {
  auto testcase = suite.append_child("testcase");
  put(testcase, "classname", change.family);
  put(testcase, "name",
      fmt::format("{}/all of {} {}", change.family, change.variance_class, text_of(change.metric)));
  testcase.append_attribute("time") = "0.000";
  ++counts.tests;
  const bool invalid = change.verdict == Verdict::kMachineInvalid;
  if (change.verdict == Verdict::kRegressed || invalid) {
    ++(invalid ? counts.errors : counts.failures);
    auto result = testcase.append_child(invalid ? "error" : "failure");
    put(result, "message", "GLOBAL " + global_change_text(change));
    put_text(result, "beside it: " + moved);
  }
}

// So does a series that has become slower over the nights.
void add_creep(pugi::xml_node suite, const SeriesCreep& creep, Counts& counts) {
  auto testcase = suite.append_child("testcase");
  put(testcase, "classname", family_of(creep.case_key));
  put(testcase, "name",
      fmt::format("{} {} over the nights", creep.case_key, text_of(creep.metric)));
  testcase.append_attribute("time") = "0.000";
  ++counts.tests;
  ++counts.failures;
  auto result = testcase.append_child("failure");
  put(result, "message", "CREEP " + creep_text(creep));
  put_text(result, "other than before it: " + creep_changes(creep));
}

void add_counts(pugi::xml_node node, const Counts& counts) {
  node.append_attribute("tests") = counts.tests;
  node.append_attribute("failures") = counts.failures;
  node.append_attribute("errors") = counts.errors;
  node.append_attribute("skipped") = counts.skipped;
  put(node, "time", fmt::format("{:.3f}", counts.seconds));
}

// A suite of their own: a canary is no second result of its case.
void add_canaries(pugi::xml_node root, const Run& night) {
  if (night.canaries.empty()) {
    return;
  }
  auto suite = root.append_child("testsuite");
  suite.append_attribute("name") = "canaries";
  put(suite, "timestamp", night.info.started);
  put(suite, "hostname", night.info.session.host);
  Counts counts;
  for (const auto& canary : night.canaries) {
    auto testcase = suite.append_child("testcase");
    testcase.append_attribute("classname") =
        canary.injection ? "canaries.injected" : "canaries.repeated";
    put(testcase, "name", canary.outcome.case_key);
    put(testcase, "time", fmt::format("{:.3f}", seconds_of(canary.outcome)));
    counts.seconds += seconds_of(canary.outcome);
    ++counts.tests;
    const bool unfit = makes_unfit(canary.result);
    if (unfit || canary.result == CanaryResult::kVoid) {
      ++(unfit ? counts.errors : counts.skipped);
      auto result = testcase.append_child(unfit ? "error" : "skipped");
      put(result, "message",
          fmt::format("{}: {}", name_of(canary.result), canary_sentence(canary)));
    }
  }
  add_counts(suite, counts);
}

std::size_t size_of(pugi::xml_node node) {
  Written out;
  node.print(out, "  ", pugi::format_default, pugi::encoding_auto, 2);
  return out.text.size();
}

std::string as_written(const pugi::xml_document& document) {
  Written out;
  document.save(out, "  ");
  return out.text;
}

bool says_why(pugi::xml_node testcase) {
  return testcase.child("failure") || testcase.child("error");
}

// Leaves out what passed, then what was skipped, then what failed, each from the end. The counts
// stay the night's.
std::string fitted(pugi::xml_document& document, std::size_t limit) {
  constexpr std::size_t kNote = 200;
  std::size_t size = as_written(document).size();
  if (size <= limit) {
    return as_written(document);
  }
  auto root = document.child("testsuites");
  std::size_t left_out = 0;
  const auto leave_out = [&](const std::function<bool(pugi::xml_node)>& is_meant) {
    for (auto suite = root.last_child(); suite; suite = suite.previous_sibling()) {
      for (auto testcase = suite.last_child(); testcase && size + kNote > limit;) {
        const auto before = testcase.previous_sibling();
        if (is_meant(testcase)) {
          size -= size_of(testcase);
          suite.remove_child(testcase);
          ++left_out;
        }
        testcase = before;
      }
    }
  };
  leave_out(
      [](pugi::xml_node testcase) { return !says_why(testcase) && !testcase.child("skipped"); });
  leave_out([](pugi::xml_node testcase) { return !says_why(testcase); });
  leave_out([](pugi::xml_node) { return true; });
  while (as_written(document).size() + kNote > limit && root.last_child()) {
    root.remove_child(root.last_child());
  }
  auto note = root.append_child("testsuite");
  put(note, "name", "left out");
  note.append_attribute("tests") = 0;
  put_text(note.append_child("system-out"), fmt::format("{} more in the results", left_out));
  return as_written(document);
}

}  // namespace

std::string junit_text(const ExportInput& input) {
  const Run& night = input.night;
  const Baseline* baseline = input.baseline;
  const bool baseline_required = input.baseline_required;
  pugi::xml_document document;
  auto root = document.append_child("testsuites");
  put(root, "name", ("perfgate, " + night.info.device.model));
  put(root, "time", fmt::format("{:.3f}", night.elapsed_s));
  std::map<std::string, pugi::xml_node> suites;
  std::map<std::string, Counts> counts;
  const auto suite_of = [&](const std::string& key) {
    const std::string family = family_of(key);
    auto& suite = suites[family];
    if (!suite) {
      suite = root.append_child("testsuite");
      put(suite, "name", family);
      put(suite, "timestamp", night.info.started);
      put(suite, "hostname", night.info.session.host);
    }
    return suite;
  };
  for (const auto& outcome : night.outcomes) {
    add_case(suite_of(outcome.case_key), night, outcome, baseline, baseline_required,
             counts[family_of(outcome.case_key)]);
  }
  for (const auto& key : night.not_run) {
    add_not_run(suite_of(key), key, counts[family_of(key)]);
  }
  for (const auto& change : night.global) {
    add_global(suites[change.family], change, night.moved, counts[change.family]);
  }
  for (const auto& creep : night.creeps) {
    const auto family = family_of(creep.case_key);
    add_creep(suites[family], creep, counts[family]);
  }
  for (const auto& [family, suite] : suites) {
    add_counts(suite, counts[family]);
  }
  add_canaries(root, night);
  return input.limit ? fitted(document, *input.limit) : as_written(document);
}

}  // namespace perfgate
