#include "perfgate/process/launcher.h"

#include <gtest/gtest.h>

#include <csignal>

#include "perfgate/core/errors.h"
#include "perfgate/process/subprocess.h"
#include "perfgate/process/worker_interface.h"

namespace perfgate {
namespace {

WorkerReport from(const ProcessResult& result) {
  return report_from(result, "demo/case", Seconds(60));
}

TEST(Launcher, TakesTheReportOfAWorkerThatEndedWell) {
  WorkerReport report;
  report.case_key = "demo/case";
  report.status = WorkerStatus::kMeasured;
  ProcessResult result;
  result.exit_code = 0;
  result.result = to_text(report);
  EXPECT_EQ(from(result).status, WorkerStatus::kMeasured);
}

TEST(Launcher, NamesTheSignalOfAWorkerThatCrashed) {
  ProcessResult result;
  result.signal = SIGSEGV;
  result.output = "first\nterminate called\n";
  const auto report = from(result);
  EXPECT_EQ(report.status, WorkerStatus::kError);
  EXPECT_EQ(report.message,
            "worker: signal 11 (Segmentation fault); it last said: terminate called");
}

TEST(Launcher, NamesTheTimeOutOfAWorkerThatHung) {
  ProcessResult result;
  result.timed_out = true;
  result.signal = SIGKILL;
  EXPECT_EQ(from(result).message, "worker: no result within 60 s: killed");
}

TEST(Launcher, TellsABodyThatTakesTooLongFromAReferenceThatDoes) {
  ProcessResult result;
  result.timed_out = true;
  result.signal = SIGKILL;
  EXPECT_EQ(from(result).killed_after_s, 60);
  result.result = kMeasuresNoMore;
  EXPECT_EQ(from(result).killed_after_s, std::nullopt);
  EXPECT_EQ(from(result).message,
            "worker: no result within 60 s: killed, while its numbers were checked");
}

TEST(Launcher, NamesTheExitCodeOfAWorkerThatGaveUp) {
  ProcessResult result;
  result.exit_code = 2;
  result.output = "perfgate: no case\n";
  EXPECT_EQ(from(result).message, "worker: exit code 2; it last said: perfgate: no case");
}

TEST(Launcher, RepeatsAWorkersOwnErrorWithHowToMendIt) {
  ProcessResult result;
  result.exit_code = 2;
  result.output = "a warning\nperfgate: no GPU\n  mend: nvidia-smi\n";
  EXPECT_EQ(from(result).message,
            "worker: exit code 2; it last said: perfgate: no GPU; mend: nvidia-smi");
}

TEST(Launcher, TellsThatACaseEndedItsProcessInsteadOfReporting) {
  ProcessResult result;
  result.exit_code = 0;
  EXPECT_EQ(from(result).status, WorkerStatus::kError);
  EXPECT_EQ(from(result).message, "worker: the case ended its process by exit(0)");
  result.output = "bye\n";
  EXPECT_EQ(from(result).message,
            "worker: the case ended its process by exit(0); it last said: bye");
}

TEST(Launcher, TellsThatTheKernelKilledAWorkerForMemoryAndWithinWhichLimit) {
  ProcessResult result;
  result.signal = SIGKILL;
  const std::size_t limit = std::size_t{5} << 29;
  const auto killed = why_killed(result, {3, limit}, {4, limit});
  EXPECT_EQ(report_from(result, "demo/case", Seconds(60), killed).message,
            "worker: signal 9 (Killed); the kernel killed it for want of memory: this container "
            "may use 2.5 GiB");
  EXPECT_EQ(why_killed(result, {3, {}}, {4, {}}),
            "the kernel killed it for want of memory: the machine's is used up");
  EXPECT_EQ(why_killed(result, {{}, limit}, {{}, limit}),
            "perhaps by the kernel for want of memory: this container may use 2.5 GiB");
}

TEST(Launcher, TakesNoOtherEndForWantOfMemory) {
  ProcessResult result;
  result.signal = SIGKILL;
  EXPECT_EQ(why_killed(result, {3, 1}, {3, 1}), std::nullopt);  // somebody else's kill
  EXPECT_EQ(why_killed(result, {}, {}), std::nullopt);
  result.timed_out = true;  // ours
  EXPECT_EQ(why_killed(result, {3, 1}, {4, 1}), std::nullopt);
  result.timed_out = false;
  result.signal = SIGSEGV;
  EXPECT_EQ(why_killed(result, {3, 1}, {4, 1}), std::nullopt);
}

TEST(Launcher, DoesNotTrustAWorkerThatTalksNonsense) {
  ProcessResult result;
  result.exit_code = 0;
  for (const char* nonsense : {"{", "[]", R"({"case": 1})"}) {
    result.result = nonsense;
    EXPECT_EQ(from(result).status, WorkerStatus::kError) << nonsense;
    EXPECT_NE(from(result).message.find("the worker's report"), std::string::npos);
    EXPECT_NE(from(result).message.find("report this as a bug"), std::string::npos);
  }
}

// As of a build of another commit, say.
TEST(WorkerInterface, OfAnotherVersionIsNamedAndNotMisread) {
  const std::string other = std::to_string(kWorkerInterface + 1);
  const std::string begin = R"({"interface": )" + other;
  EXPECT_THROW(worker_request_from_text(begin + R"(, "request": {"what": "we do not know"}})"),
               OtherInterface);
  ProcessResult result;
  result.exit_code = 0;
  result.result = begin + R"(, "report": {"what": "we do not know"}})";
  EXPECT_EQ(from(result).message, "the worker's report: at \"/interface\": " + other +
                                      ", and this perfgate has interface " +
                                      std::to_string(kWorkerInterface));
}

TEST(WorkerRequest, ArrivesAsItWasSent) {
  const auto got = worker_request_from_text(to_text({.case_key = "demo/case",
                                                     .check = false,
                                                     .inject_slowdown = 3,
                                                     .tuning = {{"algorithm", "7"}},
                                                     .chrome_trace = "/tmp/demo/case.json"}));
  EXPECT_EQ(got.case_key, "demo/case");
  EXPECT_FALSE(got.check);
  EXPECT_EQ(got.inject_slowdown, 3);
  EXPECT_EQ(got.tuning, (Tuning{{"algorithm", "7"}}));
  EXPECT_EQ(got.chrome_trace, "/tmp/demo/case.json");
}

TEST(WorkerRequest, ThatIsNoneIsRefused) {
  for (const char* nonsense :
       {"", "{", "[]", R"({"case": "a/b"})",
        R"({"case": 1, "check": true, "inject_slowdown": 0, "ceilings": {}})"}) {
    EXPECT_THROW(worker_request_from_text(nonsense), UsageError) << nonsense;
  }
}

}  // namespace
}  // namespace perfgate
