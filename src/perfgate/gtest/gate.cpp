#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <set>
#include <thread>

#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/gtest/commands.h"
#include "perfgate/gtest/failure_printer.h"
#include "perfgate/gtest/perf_case.h"
#include "perfgate/gtest/run_on_device.h"
#include "perfgate/gtest/selected_cases.h"
#include "perfgate/gtest/test_filter.h"
#include "perfgate/model/case_key.h"
#include "perfgate/process/interrupt.h"
#include "perfgate/process/subprocess.h"
#include "perfgate/report/export.h"
#include "perfgate/run/cases/trace_folder.h"
#include "perfgate/run/cli/selection.h"
#include "perfgate/run/night/night_run.h"
#include "perfgate/run/refresh/refresh_run.h"
#include "perfgate/workloads/catalogue.h"

namespace perfgate {
namespace {

// Prints the heading once GoogleTest knows which tests its filter leaves.
class Start final : public testing::EmptyTestEventListener {
 public:
  explicit Start(CaseRun& run) : run_(run) {}
  void OnTestIterationStart(const testing::UnitTest& /*unit_test*/, int iteration) override {
    const auto cases = cases_to_run();
    if (!testing::GTEST_FLAG(shuffle)) {  // else the order is not known
      run_.expect(cases);
    }
    if (iteration == 0 && !cases.empty()) {
      run_.start(cases);
    }
  }

 private:
  CaseRun& run_;
};

std::set<std::string> declared_families() {
  std::set<std::string> out;
  for (const auto& item : catalogue()) {
    out.insert(family_of(item.key));
  }
  return out;
}

// Of several shards the first one looks; what is declared does not depend on the shard.
bool looks_for_lost(const Options& options, const std::string& user_filter, const Shard& shard) {
  return !options.selection.missing && !options.selection.learning && user_filter == "*" &&
         shard.index == 0;
}

// Whether this run looks after a family of the baseline. What has no table any more is nobody's
// own: of a night's processes, one a family, that of the first family looks after it.
bool looks_after(const Options& options, const std::set<std::string>& declared,
                 const std::string& family) {
  if (is_left_out(options.suite, family)) {
    return false;
  }
  return options.selection.family.empty() || family == options.selection.family ||
         (declared.count(family) == 0 && options.selection.family == *declared.begin());
}

// The failed cases, worst first, then whatever else failed in a test.
std::string failed_tests(const CaseRun& run, const FailurePrinter& printer,
                         bool baseline_required) {
  std::string out;
  std::set<std::string> told;
  const auto failures = failures_of(run.run(), baseline_required);
  for (const Outcome* outcome : failures) {
    told.insert(run.explain(*outcome));
  }
  for (const auto& text : run.explain(failures)) {
    out += "\n" + text;
  }
  for (const auto& failure : printer.failures()) {
    out += told.count(failure) > 0 ? "" : "\n" + failure;
  }
  return out;
}

// Takes GoogleTest's shards from it: it would deal out one by one what is to be compared.
Shard take_shard() {
  const Shard out = shard_from(std::getenv("GTEST_TOTAL_SHARDS"), std::getenv("GTEST_SHARD_INDEX"));
  ::unsetenv("GTEST_TOTAL_SHARDS");
  ::unsetenv("GTEST_SHARD_INDEX");
  return out;
}

// What every process of a night judges together, and what this one was asked for beside that.
std::set<std::string> night_with(const std::vector<std::string>& selected) {
  std::set<std::string> out(selected.begin(), selected.end());
  for (const auto& item : catalogue()) {
    if (item.by_default) {
      out.insert(item.key);
    }
  }
  return out;
}

GateSettings settings_of(const Options& options, const std::vector<std::string>& selected,
                         const Shard& shard) {
  GateSettings out{
      options.selection,        night_with(selected),   options.refresh, options.paths,
      options.require_baseline, options.strict_kernels, options.profile, options.inject_slowdown,
      options.canaries,         options.sort,           options.argv,    options.suite};
  out.selection.shard = shard.index;
  out.selection.shards = shard.total;
  return out;
}

std::unique_ptr<CaseRun> run_of(GateSettings settings, GateTools tools) {
  if (settings.refresh.wanted) {
    return std::make_unique<RefreshRun>(std::move(settings), std::move(tools));
  }
  return std::make_unique<NightRun>(std::move(settings), std::move(tools));
}

}  // namespace

int gate_command(const Options& options, const Backend& backend) {
  const std::string user_filter = testing::GTEST_FLAG(filter);
  const Shard shard = take_shard();
  if (!catalogue().empty()) {
    require_a_test(user_filter);
  }
  const auto selected = selected_cases(options, backend);
  const auto keys = shard_of(selected, shard, compared_with);
  if (testing::GTEST_FLAG(list_tests)) {
    filter_tests(keys);
    return RUN_ALL_TESTS();
  }
  if (keys.empty()) {
    return nothing_selected(options);
  }
  filter_tests(keys);
  if (testing::GTEST_FLAG(repeat) == 0) {
    throw UsageError("--gtest_repeat=0 (or GTEST_REPEAT) runs nothing", "give it another number");
  }
  catch_interrupts();
  adopt_orphans();

  Console console(options);
  FileLock lock = lock_device(backend, console);
  lock.pass_to_children();
  if (options.selection.family.empty()) {
    console.report(left_out_text(options.suite));
  }
  ProcessLauncher launcher(worker_settings(options, backend));
  FileCalls files;
  const auto made =
      run_of(settings_of(options, selected, shard),
             {*backend.device, launcher, console, files,
              [](Seconds pause) { std::this_thread::sleep_for(pause); },
              [] { return Seconds(std::chrono::steady_clock::now().time_since_epoch()); }});
  CaseRun& run = *made;
  run.require_writable();
  PerfCase::use(run, options.require_baseline);
  const FailurePrinter& failures = install_failure_printer();
  testing::UnitTest::GetInstance()->listeners().Append(new Start(run));
  const bool tests_passed = RUN_ALL_TESTS() == 0;

  if (!interrupted_by() && looks_for_lost(options, user_filter, shard)) {
    const auto declared = declared_families();
    const auto is_ours = [&](const std::string& key) {
      return looks_after(options, declared, family_of(key)) &&
             (options.selection.case_glob.empty() ||
              matches_glob(key, options.selection.case_glob));
    };
    const auto exists = [](const std::string& key) { return find_or_make_case(key).has_value(); };
    run.look_for_lost(is_ours, exists);
  }
  run.behind_cases();
  console.report(failed_tests(run, failures, options.require_baseline));
  if (std::getenv("DASHBOARD_TEST_FROM_CTEST") != nullptr) {
    std::cout << ctest_measurements(run.run().outcomes);
  }
  if (options.profile) {
    const std::string profile = profile_text(run.run().outcomes);
    console.report(profile.empty() ? profile : "\n" + profile + trace_folder_text(run.results()));
  }
  const ExitCode code = run.finish(tests_passed);
  require_traces(run.run().outcomes);
  return ended_as(code, console);
}

}  // namespace perfgate
