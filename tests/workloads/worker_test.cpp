// The worker in this process, with a sampler that a test can read.

#include "perfgate/worker/worker.h"
#include <ATen/Parallel.h>

#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <gmock/gmock.h>

#include <cstdio>
#include <fstream>
#include <optional>
#include <string>

#include "one_run.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate {
namespace {

using testing_support::backend;
using testing_support::case_right_for;
using testing_support::OneRun;

TEST(Worker, ChecksTheOutputThatWasTimedLast) {
  EXPECT_EQ(run_worker(case_right_for(2), backend(), {}).status, WorkerStatus::kMeasured);
  EXPECT_EQ(run_worker(case_right_for(1), backend(), {}).status, WorkerStatus::kWrong);
}

TEST(Worker, AsksForTheStatisticOfTheCase) {
  Case item = case_right_for(2);
  item.work().statistic = Statistic::kBest;
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.metrics.at(kNetTime).statistic, Statistic::kBest);
}

// What a library searches for while a case is prepared depends on the device's state.
TEST(Worker, PreconditionsTheDeviceForACaseBeforeItPreparesIt) {
  for (const Bound bound : {Bound::kMemory, Bound::kCompute}) {
    OneRun::preconditioned.reset();
    std::optional<Bound> preconditioned_then;
    Case item = case_right_for(2);
    item.work().traffic.bound = bound;
    item.prepare = [&preconditioned_then, prepare = item.prepare](const PrepareContext& context) {
      preconditioned_then = OneRun::preconditioned;
      return prepare(context);
    };
    EXPECT_EQ(run_worker(item, backend(), {}).status, WorkerStatus::kMeasured);
    EXPECT_EQ(preconditioned_then, bound);
  }
}

// On a GPU the trace is taken while a body is measured.
TEST(Worker, SaysOfTracedKernelsWhatThePackagesCompilerKnows) {
  std::ofstream(testing::TempDir() + "perfgate_described.json") << R"({"triton": "3.6.0"})";
  std::ofstream(testing::TempDir() + "perfgate_described.kernels.json")
      << R"({"model": {"mm": {"configuration": "XBLOCK 2", "version": "aa", "kernel": "aa.py", "bytes": 1000}}})";
  OneRun::trace = std::vector<KernelRecord>{{"mm", 1, 10}, {"copy", 1, 10}};
  Case item = case_right_for(2);
  const auto run = [&item] { return run_worker(item, backend(), {}, testing::TempDir()); };
  const auto of_no_package = run();
  EXPECT_EQ(kernels_of(of_no_package.phase(Phase::kWhole)).at(0).configuration, "");
  EXPECT_EQ(of_no_package.environment.count("triton"), 0U);
  item.package = Package{"perfgate_described", "gpt_fast/gemv.py", {}};
  const auto report = run();
  const auto& kernels = kernels_of(report.phase(Phase::kWhole));
  EXPECT_EQ(kernels.at(0).configuration, "XBLOCK 2");
  EXPECT_EQ(kernels.at(1).configuration, "");
  EXPECT_EQ(report.environment.at("triton"), "3.6.0");
  const std::map<std::string, std::string> sources = {{"aa", "aa.py"}};
  EXPECT_EQ(report.kernel_sources, sources);
  const auto& tuning = report.package_tunings.at("perfgate_described");
  EXPECT_EQ(tuning.triton, "3.6.0");
  EXPECT_EQ(tuning.libtorch, report.environment.at("libtorch"));
  EXPECT_EQ(tuning.programs.at("model").at("aa"), "XBLOCK 2");
  std::ofstream(testing::TempDir() + "perfgate_described.kernels.json") << "{";
  const auto damaged = run();
  EXPECT_EQ(damaged.status, WorkerStatus::kMeasured);
  EXPECT_EQ(damaged.environment.count("no_compiler_facts"), 1U);
  OneRun::trace.reset();
}

TEST(Worker, MeasuresWithoutCheckingWhereAnotherWorkerChecks) {
  WorkerRequest request;
  request.check = false;
  const auto report = run_worker(case_right_for(0), backend(), request);
  EXPECT_EQ(report.status, WorkerStatus::kMeasured);
  EXPECT_FALSE(report.phase(Phase::kWhole).outputs.at(0).accuracy.has_value());
}

TEST(Worker, GivesTheMachineBackWhenItHasMeasuredAndBeforeItChecks) {
  std::string order;
  Case item = case_right_for(2);
  item.prepare = [&order, prepare = item.prepare](const PrepareContext& context) {
    Prepared out = prepare(context);
    PreparedPhase& phase = out.phase();
    phase.run = [&order, run = phase.run] { return order += "run ", run(); };
    phase.reference = [&order, make = phase.reference] { return order += "check ", make(); };
    return out;
  };
  Backend giving = backend();
  giving.end_measuring = [&order] { order += "end "; };
  EXPECT_EQ(run_worker(item, giving, {}).status, WorkerStatus::kMeasured);
  EXPECT_EQ(order, "run run end check ");
}

TEST(Worker, KeepsToOneCoreBeforeItPreparesWhatIsJudgedByTheHostToo) {
  std::string order;
  Case item = case_right_for(2);
  item.prepare = [&order, prepare = item.prepare](const PrepareContext& context) {
    order += "prepare ";
    return prepare(context);
  };
  Backend keeping = backend();
  keeping.keep_to_one_core = [&order] { order += "keep "; };
  const auto elsewhere = run_worker(item, keeping, {});
  EXPECT_EQ(elsewhere.phase(Phase::kWhole).protocol.count("host"), 0U);
  item.work().judged = Judged::kDeviceAndHost;
  const auto report = run_worker(item, keeping, {});
  EXPECT_EQ(order, "prepare keep prepare ");
  EXPECT_EQ(std::get<std::string>(report.phase(Phase::kWhole).protocol.at("host")), "one core");
}

// A device whose memory counter says in turn what it is told.
TEST(Worker, CountsThePeakOfEachRunWhereTheCaseIsJudgedByIt) {
  std::vector<double> peaks = {3e6, 1e6, 1e6};  // preparing, the run, the rest
  std::size_t resets = 0;
  Backend counting = backend();
  counting.peak_bytes = [&] { return peaks.at(resets); };
  counting.reset_peak_bytes = [&] { ++resets; };
  Case item = case_right_for(3);
  item.footprint = {3e6};
  EXPECT_EQ(run_worker(item, counting, {}).metrics.count(kPeakMemory), 0U);
  EXPECT_EQ(resets, 0U);
  item.work().judges_memory = true;
  const auto report = run_worker(item, counting, {});
  EXPECT_EQ(resets, 1U);
  const auto& metric = report.metrics.at(kPeakMemory);
  EXPECT_EQ(metric.value, 1e6);
  EXPECT_TRUE(metric.judged);
  EXPECT_EQ(metric.variance_class, "cpu/peak_memory");
  EXPECT_EQ(report.environment.at("memory_peak"), "3000000 bytes");  // of all, for the footprint
  counting.peak_bytes = nullptr;  // nobody counts: it is not judged
  EXPECT_EQ(run_worker(item, counting, {}).metrics.count(kPeakMemory), 0U);
}

TEST(Worker, SaysOfAPackageHowLongItTookToCompileAsAPhase) {
  const std::string note = testing::TempDir() + "perfgate_timed_package.json";
  std::ofstream(note) << R"({"compile_processor_s": 12.5})";
  Case item = case_right_for(2);
  item.package = Package{"perfgate_timed_package", "gpt_fast/gemv.py", {}};
  EXPECT_EQ(run_worker(item, backend(), {}, testing::TempDir()).phases.count(Phase::kCompile), 0U);
  item.judges_compile_time = true;
  const auto report = run_worker(item, backend(), {}, testing::TempDir());
  std::remove(note.c_str());
  EXPECT_EQ(report.status, WorkerStatus::kMeasured) << report.message;
  const auto& metric = report.metrics.at(kTime.in(Phase::kCompile));
  EXPECT_EQ(metric.value, 12.5e6);
  EXPECT_TRUE(metric.judged);
  EXPECT_EQ(metric.tolerance, 0.15);
  EXPECT_EQ(metric.variance_class, "cpu/compile");
  EXPECT_EQ(report.phases.count(Phase::kCompile), 1U);
  EXPECT_EQ(run_worker(item, backend(), {}, testing::TempDir()).status, WorkerStatus::kUnsupported)
      << "whose note is gone";
}

TEST(Worker, RefusesACaseThatCannotFitBeforeItAllocates) {
  Case huge = case_right_for(2);
  huge.footprint = {1e15};
  huge.may_be_large = true;
  bool prepared = false;
  huge.prepare = [&prepared](const PrepareContext&) {
    prepared = true;
    return PreparedPhase{};
  };
  const auto report = run_worker(huge, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kError);
  EXPECT_NE(report.message.find("needs 1000000000000000 bytes"), std::string::npos);
  EXPECT_FALSE(prepared);
}

// Memory that others hold may be free tomorrow; what the device does not have, it never has.
TEST(Worker, CallsACaseUnsupportedThatTheWholeDeviceHasNoRoomFor) {
  Case item = case_right_for(2);
  item.footprint = {4e9};
  item.may_be_large = true;
  Backend small = backend();
  small.all_bytes = [] { return 2e9; };
  const auto report = run_worker(item, small, {});
  EXPECT_EQ(report.status, WorkerStatus::kUnsupported);
  EXPECT_EQ(report.message,
            "out of memory: the case needs 4000000000 bytes, 1000000000 are available");
  small.all_bytes = [] { return 8e9; };
  EXPECT_EQ(run_worker(item, small, {}).status, WorkerStatus::kError);
}

TEST(Worker, SaysHowMuchMemoryThereIsWhereALibraryDoesNot) {
  Case item = case_right_for(2);
  item.footprint = {1e6};
  item.may_refuse = true;  // which too little memory is not
  item.prepare = [](const PrepareContext&) -> Prepared {
    TORCH_CHECK(false, "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate`");
  };
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kError);
  EXPECT_EQ(report.message,
            "out of memory: the case needs 1000000 bytes, 1000000000 are available: CUDA error: "
            "CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate` (LibTorch)");
}

// Nobody knows beforehand what a library's workspaces take: a footprint is a hint.
TEST(Worker, SaysWhatACaseAllocatesBesideWhatItDeclares) {
  Case item = case_right_for(2);
  item.footprint = {1e6};
  Backend counting = backend();
  counting.peak_bytes = [] { return 1e8; };  // the libraries' workspaces are 64 MiB at most
  auto report = run_worker(item, counting, {});
  EXPECT_EQ(report.status, WorkerStatus::kMeasured) << report.message;
  EXPECT_EQ(report.environment.at("memory_peak"), "100000000 bytes");
  EXPECT_EQ(report.environment.at("memory_declared"), "1000000 bytes");
  for (const double declared : {1e8, 0.0}) {
    item.footprint = {declared};
    report = run_worker(item, counting, {});
    EXPECT_EQ(report.status, WorkerStatus::kMeasured);
    EXPECT_EQ(report.environment.count("memory_declared"), 0U);
  }
}

TEST(Worker, CallsUnsupportedWhatDoesNotFitIntoADeviceOfItsOwn) {
  Case item = case_right_for(2);
  item.prepare = [](const PrepareContext&) -> Prepared {
    TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory. Tried to allocate 90 GiB");
  };
  Backend own = backend();  // with 1 GB free
  own.all_bytes = [] { return 1.05e9; };
  const auto report = run_worker(item, own, {});
  EXPECT_EQ(report.status, WorkerStatus::kUnsupported);
  EXPECT_NE(report.message.find("does not fit into the device"), std::string::npos);
  own.all_bytes = [] { return 3e9; };
  EXPECT_EQ(run_worker(item, own, {}).status, WorkerStatus::kError) << "others have most of it";
}

// Nothing is left out without a word.
TEST(Worker, SaysWhichLimitOfACpuACaseExceedsAndHowToLiftIt) {
  Case item = case_right_for(2);
  item.footprint = {2.2e9};
  auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kUnsupported);
  EXPECT_EQ(report.message,
            "it declares a footprint of 2.2 GB, and a case on a CPU is limited to 2.1 GB: ask for "
            "less, or lift both limits with Case::may_be_large");
  item.footprint = {1e6};
  item.work().executed.operations.count = 1.2e11;  // 0.8 s
  report = run_worker(item, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kUnsupported);
  EXPECT_NE(report.message.find("is expected to take 0.8 s by Work::executed"), std::string::npos)
      << report.message;
  item.may_be_large = true;
  EXPECT_EQ(run_worker(item, backend(), {}).status, WorkerStatus::kMeasured);
}

TEST(Worker, RefusesWhatACaseCannotDeclare) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::function<void(Case&)>> faults = {
      [=](Case& item) { item.footprint = {none}; },
      [=](Case& item) { item.work().traffic.bytes = {none}; },
      [=](Case& item) { item.work().executed.operations = {1e25}; },
      [=](Case& item) { item.work().tolerance = -0.5; },
      [=](Case& item) {
        item.work().own_metrics = {{"bytes", Unit::kCount, Better::kLower, none}};
      },
      [=](Case& item) { item.shown.compared_with = item.key; }};
  for (const auto& plant : faults) {
    Case item = case_right_for(2);
    plant(item);
    const auto report = run_worker(item, backend(), {});
    EXPECT_EQ(report.status, WorkerStatus::kError);
    EXPECT_EQ(report.message.find("the case declares what cannot be: "), 0U) << report.message;
  }
}

TEST(Worker, RecordsOnHowManyThreadsABodyRan) {
  Case item = case_right_for(2);
  EXPECT_EQ(run_worker(item, backend(), {}).phase(Phase::kWhole).protocol.count("threads"), 0U);
  item.prepare = [prepare = item.prepare](const PrepareContext& context) {
    at::set_num_threads(2);
    return prepare(context);
  };
  const auto protocol = run_worker(item, backend(), {}).phase(Phase::kWhole).protocol;
  EXPECT_EQ(std::get<std::int64_t>(protocol.at("threads")), 2);
}

TEST(Worker, HoldsAnOutputToTheLayoutThatItsCaseSays) {
  Case item = case_right_for(1);
  item.prepare = [](const PrepareContext&) {
    return PreparedPhase{[] {
                           return at::zeros({2, 3}).t();
                         },
                         [] {
                           return at::zeros({3, 2}, at::kDouble);
                         },
                         {Tolerance{}},
                         {}};
  };
  EXPECT_EQ(run_worker(item, backend(), {}).status, WorkerStatus::kMeasured);
  item.contiguous = false;
  EXPECT_EQ(run_worker(item, backend(), {}).status, WorkerStatus::kMeasured);
  item.contiguous = true;
  const auto report = run_worker(item, backend(), {});
  EXPECT_EQ(report.status, WorkerStatus::kWrong);
  EXPECT_EQ(report.message, "the output is not contiguous, and its case says otherwise");
}

TEST(Worker, PreconditionsTheDeviceForEachCeiling) {
  OneRun::preconditioned.reset();
  std::optional<Bound> preconditioned_then;
  Case item = case_right_for(2);
  item.work().traffic.bound = Bound::kCompute;
  const Ceiling bf16{"bf16", Unit::kGflopPerS};
  item.ceiling = ToldCeiling{bf16, [](Seconds) { return 1.0; }};
  item.prepare = [&preconditioned_then, prepare = item.prepare](const PrepareContext& context) {
    preconditioned_then = OneRun::preconditioned;
    return prepare(context);
  };
  const auto report = run_machine_worker({item}, backend());
  EXPECT_EQ(report.ceilings.count(bf16), 1U) << report.message;
  EXPECT_EQ(preconditioned_then, Bound::kCompute);
}

TEST(Worker, ReportsTheDevicesCeilings) {
  const auto report = run_machine_worker({}, backend());
  EXPECT_EQ(report.ceilings.at({"triad", Unit::kGbPerS}), 10);
  EXPECT_FALSE(report.environment.at("libtorch").empty());
}

}  // namespace
}  // namespace perfgate
