#include "perfgate/process/subprocess.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "fixtures/temporary_folder.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

ProcessRequest shell_request(const std::string& script) {
  ProcessRequest request;
  request.command = {"/bin/sh", "-c", script};
  return request;
}

ProcessResult shell(const std::string& script, double timeout_s = 20) {
  auto request = shell_request(script);
  request.timeout = std::chrono::duration<double>(timeout_s);
  return run_process(request);
}

TEST(Subprocess, ReportsTheExitCodeAndWhatWasPrinted) {
  const auto result = shell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_FALSE(result.signal.has_value());
  EXPECT_NE(result.output.find("out"), std::string::npos);
  EXPECT_NE(result.output.find("err"), std::string::npos);
  EXPECT_EQ(result.ending(std::chrono::seconds(20)), "exit code 7");
}

TEST(Subprocess, NamesTheSignalThatEndedIt) {
  const auto result = shell("kill -SEGV $$");
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.ending(std::chrono::seconds(20)), "signal 11 (Segmentation fault)");
}

TEST(Subprocess, KillsWhatHangsTogetherWithItsChildren) {
  const auto result = shell("sleep 1000 & echo $!; wait", 0.3);
  EXPECT_TRUE(result.timed_out);
  const pid_t grandchild = std::stoi(result.output);
  for (int i = 0; i < 100 && kill(grandchild, 0) == 0; ++i) {
    // A killed orphan stays in the table until init reaps it; a zombie counts as gone.
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(stat), {}};
    if (text.find(" Z ") != std::string::npos) {
      return;
    }
    usleep(10'000);
  }
  EXPECT_NE(kill(grandchild, 0), 0) << "the grandchild is still running";
}

TEST(Subprocess, DoesNotWaitForAGrandchildThatHoldsThePipes) {
  const auto result = shell("sleep 1000 & exit 4");
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_FALSE(result.timed_out);
}

TEST(Subprocess, ReadsAResultLargerThanAPipe) {
  ProcessRequest request;
  // The flag arrives as "$0": the descriptor behind its '='.
  request.command = {"/bin/sh", "-c", "fd=${0#*=}; head -c 300000 /dev/zero | tr '\\0' x >&$fd"};
  request.pipe_flag = "--pipe";
  const auto result = run_process(request);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.result, std::string(300000, 'x'));
}

TEST(Subprocess, KeepsOnlyTheTailOfEndlessOutput) {
  const auto result = shell("head -c 1000000 /dev/zero | tr '\\0' y; echo the end");
  EXPECT_LT(result.output.size(), 200'000U);
  EXPECT_NE(result.output.find("the end"), std::string::npos);
}

TEST(Subprocess, KeepsAsMuchOutputAsIsWanted) {
  ProcessRequest request;
  request.command = {"/bin/sh", "-c", "head -c 100000 /dev/zero | tr '\\0' y"};
  request.output_bytes = 100'000;
  EXPECT_EQ(run_process(request).output, std::string(100'000, 'y'));
}

// It took 4 GB of ours in five seconds.
TEST(Subprocess, KillsOneThatFloodsItsResultPipe) {
  auto request = shell_request("while :; do printf '%65536s' x >&3; done");
  request.pipe_flag = "--fd";
  request.result_bytes = 1 << 20;
  request.timeout = std::chrono::seconds(60);
  const auto result = run_process(request);
  EXPECT_TRUE(result.flooded);
  EXPECT_LT(result.result.size(), std::size_t{2} << 20);
  EXPECT_EQ(result.ending(request.timeout), "it wrote more than any report: killed");
}

TEST(Subprocess, FindsWhatAChildLeftInASessionOfItsOwn) {
  adopt_orphans();
  const auto result = run_process(shell_request("setsid sleep 1000 >/dev/null 2>&1 & echo $!"));
  const pid_t orphan = std::stoi(result.output);
  EXPECT_EQ(::kill(orphan, 0), 0);
  kill_orphans({});
  EXPECT_NE(::kill(orphan, 0), 0);
}

TEST(Subprocess, LeavesOursAloneAmongOrphans) {
  adopt_orphans();
  Subprocess ours(shell_request("sleep 1000"));
  kill_orphans({ours.id()});
  EXPECT_EQ(::kill(ours.id(), 0), 0);
}

TEST(Subprocess, AddsToTheEnvironmentAndReplacesIt) {
  setenv("PERFGATE_TEST_VARIABLE", "old", 1);
  ProcessRequest request;
  request.command = {"/bin/sh", "-c", "echo $PERFGATE_TEST_VARIABLE $HOME_OF_NOBODY"};
  request.environment = {{"PERFGATE_TEST_VARIABLE", "new"}, {"HOME_OF_NOBODY", "added"}};
  EXPECT_EQ(run_process(request).output, "new added\n");
}

TEST(Subprocess, WaitsForItsInputAndReadsItWhole) {
  ProcessRequest request;
  request.command = {"/bin/sh", "-c", "wc -c"};
  Subprocess process(request);
  process.send(std::string(300000, 'x'));
  EXPECT_EQ(process.finish().output, "300000\n");
}

TEST(Subprocess, HasNoInputUnlessItIsSent) { EXPECT_EQ(shell("wc -c").output, "0\n"); }

TEST(Subprocess, SendingToOneThatHasEndedLeavesItsEndToBeTold) {
  ProcessRequest request;
  request.command = {"/bin/sh", "-c", "exit 5"};
  Subprocess process(request);
  usleep(50'000);
  process.send(std::string(300000, 'x'));
  EXPECT_EQ(process.finish().exit_code, 5);
}

TEST(Subprocess, ItsResultIsThereBeforeItsEnd) {
  ProcessRequest request;
  request.command = {"/bin/sh", "-c", "echo done >&3; exec 3>&-; sleep 0.2; exit 6"};
  request.pipe_flag = "--pipe";
  Subprocess process(request);
  EXPECT_EQ(process.result(), "done\n");
  const auto end = process.finish();
  EXPECT_EQ(end.exit_code, 6);
  EXPECT_EQ(end.result, "done\n");
}

TEST(Subprocess, ALineOfItsResultIsThereBeforeTheRest) {
  testing_support::TemporaryFolder folder;
  const auto go = (folder.path() / "go").string();
  ProcessRequest request;
  request.command = {"/bin/sh", "-c",
                     "echo first >&3; until [ -e " + go + " ]; do sleep 0.01; done; echo rest >&3"};
  request.pipe_flag = "--pipe";
  Subprocess process(request);
  process.wait_for_line();  // or neither of us went on
  std::ofstream(go) << "\n";
  EXPECT_EQ(process.finish().result, "first\nrest\n");
}

TEST(Subprocess, IsNotWaitedForALineThatItCannotWriteAnyMore) {
  ProcessRequest request;
  request.command = {"/bin/sh", "-c", "printf half >&3; exit 4"};
  request.pipe_flag = "--pipe";
  Subprocess process(request);
  process.wait_for_line();
  EXPECT_EQ(process.finish().exit_code, 4);
}

TEST(Subprocess, TimesOutWhereNoResultComes) {
  ProcessRequest request;
  request.command = {"/bin/sh", "-c", "sleep 1000"};
  request.pipe_flag = "--pipe";
  request.timeout = std::chrono::duration<double>(0.2);
  Subprocess process(request);
  EXPECT_EQ(process.result(), "");
  EXPECT_TRUE(process.finish().timed_out);
}

TEST(Subprocess, LeavesNothingRunningWhenItIsNotWaitedFor) {
  testing_support::TemporaryFolder folder;
  const auto file = folder.path() / "pid";
  {
    ProcessRequest request;
    request.command = {"/bin/sh", "-c", "echo $$ > " + file.string() + "; exec sleep 1000"};
    const Subprocess process(request);
    while (!std::filesystem::exists(file) || std::filesystem::file_size(file) == 0) {
      usleep(1000);
    }
  }
  pid_t child = 0;
  std::ifstream(file) >> child;
  EXPECT_NE(kill(child, 0), 0);
}

TEST(Subprocess, SaysWhatCannotBeStarted) {
  ProcessRequest request;
  request.command = {"/no/such/program"};
  EXPECT_THROW(run_process(request), SystemError);
}

}  // namespace
}  // namespace perfgate
