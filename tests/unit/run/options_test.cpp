#include "perfgate/run/cli/options.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "fixtures/comma_locale.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

ParsedOptions parsed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "perfgate");
  return parse_options(static_cast<int>(arguments.size()), arguments.data());
}

std::string refusal(std::vector<const char*> arguments) {
  try {
    parsed(std::move(arguments));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Options, ReadsFlags) {
  const auto options =
      parsed({"--case=a/*", "--refresh", "--reason=new driver", "--baselines=/tmp/b"}).options;
  EXPECT_EQ(options.selection.case_glob, "a/*");
  EXPECT_TRUE(options.refresh.wanted);
  EXPECT_EQ(options.refresh.reason, "new driver");
  EXPECT_EQ(options.paths.baselines, "/tmp/b");
}

TEST(Options, EveryFlagHasAnEnvironmentTwinThatTheFlagOverrides) {
  setenv("PERFGATE_CASE", "from/environment", 1);
  setenv("PERFGATE_REQUIRE_BASELINE", "true", 1);
  EXPECT_EQ(parsed({}).options.selection.case_glob, "from/environment");
  EXPECT_TRUE(parsed({}).options.require_baseline);
  EXPECT_EQ(parsed({"--case=x"}).options.selection.case_glob, "x");
  unsetenv("PERFGATE_CASE");
  unsetenv("PERFGATE_REQUIRE_BASELINE");
  EXPECT_FALSE(parsed({}).options.require_baseline);
}

TEST(Options, NumbersAreTheSameInEveryLocale) {
  const testing_support::CommaLocale locale;
  if (!locale.is_set()) {
    GTEST_SKIP() << "localedef makes no locale here";
  }
  EXPECT_EQ(parsed({"--inject_slowdown=2.5"}).options.inject_slowdown, 2.5);
  EXPECT_NE(refusal({"--inject_slowdown=2,5"}), "accepted");
  setenv("PERFGATE_INJECT_SLOWDOWN", "7.5", 1);
  EXPECT_EQ(parsed({}).options.inject_slowdown, 7.5);
  unsetenv("PERFGATE_INJECT_SLOWDOWN");
}

TEST(Options, SaysWhichNumbersAreTakenWhateverTheStreamsDo) {
  const testing_support::CommaStreams streams;
  EXPECT_NE(refusal({"--worker_timeout=0.01"}).find("not a number from 0.1 to 86400"),
            std::string::npos)
      << refusal({"--worker_timeout=0.01"});
  for (const char* value : {"nan", "inf", "1e3x", "0x10", ""}) {
    EXPECT_NE(refusal({("--canaries=" + std::string(value)).c_str()}), "accepted") << value;
  }
}

TEST(Options, RefusesNamesThatNoJsonHolds) {
  for (const char* flag : {"--results=", "--history=", "--baselines=", "--packages=", "--progress=",
                           "--device_id=", "--night="}) {
    const std::string name = flag + std::string("caf\xe9");
    EXPECT_NE(
        refusal({name.c_str()}).find(flag + std::string("caf? holds bytes that are not UTF-8")),
        std::string::npos)
        << refusal({name.c_str()});
  }
  EXPECT_EQ(refusal({"--results=caf\xc3\xa9"}), "accepted");
}

TEST(Options, RefusesMisspeltFlagsOfItsOwnAndOfGoogleTests) {
  for (const char* flag : {"--refesh", "--gtest_fliter=x", "-x", "stray", "--case"}) {
    EXPECT_NE(refusal({flag}), "accepted") << flag;
  }
  EXPECT_NE(refusal({"--gtest_fliter=x"}).find("--gtest_fliter=x"), std::string::npos);
}

TEST(Options, RefusesAFlagWithoutItsValueInsteadOfTakingTheNextOne) {
  EXPECT_NE(refusal({"--reason=", "--refresh"}).find("--reason= has no value"), std::string::npos);
  EXPECT_NE(refusal({"--case="}), "accepted");
  EXPECT_EQ(refusal({"--reason=a=", "--refresh"}), "accepted");
}

TEST(Options, HandsGoogleTestItsOwnFlags) {
  const auto googletest = parsed({"--gtest_filter=A.*", "--gtest_shuffle"}).googletest;
  EXPECT_EQ(googletest,
            (std::vector<std::string>{"perfgate", "--gtest_filter=A.*", "--gtest_shuffle"}));
}

TEST(Options, ReadsWhatThisBuildIsComparedWith) {
  EXPECT_FALSE(parsed({}).options.against.wanted());
  const auto against = parsed({"--against_env=before:LD_LIBRARY_PATH=/a:/b=c",
                               "--against_env=before:A=", "--against_env=now:B=before:1",
                               "--against=/proc/self/exe", "--pairs=8"})
                           .options.against;
  EXPECT_TRUE(against.wanted());
  EXPECT_EQ(against.program, "/proc/self/exe");
  EXPECT_EQ(against.most_pairs, 8);
  EXPECT_EQ(against.variables_before,
            (std::map<std::string, std::string>{{"A", ""}, {"LD_LIBRARY_PATH", "/a:/b=c"}}));
  EXPECT_EQ(against.variables_now, (std::map<std::string, std::string>{{"B", "before:1"}}));
  EXPECT_TRUE(parsed({"--against_env=now:B=1"}).options.against.wanted());
}

TEST(Options, RefusesAComparisonThatMakesNoSense) {
  for (const char* flag :
       {"--against=/nowhere", "--against_env=now:NAME", "--against_env=now:=1",
        "--against_env=now:PERFGATE_CASE=a", "--against_env=before:CUDA_VISIBLE_DEVICES=1",
        "--against_env=now:A=1\n2", "--pairs=8"}) {
    EXPECT_NE(refusal({flag}), "accepted") << flag;
  }
  for (const char* flag : {"--refresh", "--require_baseline", "--missing", "--strict_kernels",
                           "--profile", "--canaries=5", "--gtest_shuffle", "--pairs=1"}) {
    EXPECT_NE(refusal({"--against_env=now:A=1", flag}), "accepted") << flag;
  }
  EXPECT_EQ(refusal({"--against_env=now:A=1", "--family=ops"}), "accepted");
  EXPECT_EQ(refusal({"--against_env=now:A=1", "--gtest_filter=A.*"}), "accepted");
}

TEST(Options, AsksWhichSideAVariableIsOf) {
  const auto text = refusal({"--against_env=A=1"});
  EXPECT_NE(text.find("--against_env=now:A=1"), std::string::npos);
  EXPECT_NE(text.find("--against_env=before:A=1"), std::string::npos);
}

// A comparison of two builds that differ in nothing would say "unchanged".
TEST(Options, RefusesAVariableThatPerfgateSetsItself) {
  for (const char* name :
       {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_THREAD_LIMIT"}) {
    for (const char* side : {"", "now:", "before:"}) {
      const std::string flag = "--against_env=" + std::string(side) + name + "=2";
      const auto text = refusal({flag.c_str()});
      EXPECT_NE(text.find(std::string("must not set ") + name + ": it would change nothing"),
                std::string::npos)
          << text;
      EXPECT_NE(text.find("on one thread"), std::string::npos);
    }
  }
  EXPECT_EQ(refusal({"--against_env=now:OMP_SCHEDULE=static"}), "accepted");
}

TEST(Options, JoinsSeveralCases) {
  EXPECT_EQ(parsed({"--case=a/*", "--case=b/*"}).options.selection.case_glob, "a/*,b/*");
  EXPECT_EQ(parsed({"--case=a/*,b/*"}).options.selection.case_glob, "a/*,b/*");
}

TEST(Options, RefusesWhatIsAskedOfAHistoryWhereNoneIsShown) {
  EXPECT_THROW(parsed({"--since=2026-11-20"}), UsageError);
  EXPECT_THROW(parsed({"--last=3"}), UsageError);
  const auto options = parsed({"--show_history", "--last=3", "--since=2.14.0"}).options;
  EXPECT_EQ(options.command.last, 3);
  EXPECT_EQ(options.command.since, "2.14.0");
}

TEST(Options, ReadsWhatIsBisected) {
  EXPECT_FALSE(parsed({}).options.bisect.wanted());
  const auto options = parsed({"--bisect=list", "--bisect_make=make it", "--pairs=40"}).options;
  EXPECT_TRUE(options.bisect.wanted());
  EXPECT_EQ(options.bisect.list, "list");
  EXPECT_EQ(options.bisect.make, "make it");
  EXPECT_EQ(options.against.most_pairs, 40);
}

TEST(Options, RefusesABisectionThatMakesNoSense) {
  EXPECT_NE(refusal({"--bisect_make=make"}), "accepted");
  for (const char* flag : {"--against=/proc/self/exe", "--against_env=now:A=1",
                           "--inject_slowdown=5", "--refresh", "--missing", "--gtest_shuffle"}) {
    EXPECT_NE(refusal({"--bisect=list", flag}), "accepted") << flag;
  }
}

TEST(Options, RefusesValuesOutOfRange) {
  EXPECT_NE(refusal({"--inject_slowdown=-5"}), "accepted");
  EXPECT_NE(refusal({"--inject_slowdown=much"}), "accepted");
  EXPECT_NE(refusal({"--worker_timeout=0"}), "accepted");
  EXPECT_NE(refusal({"--color=purple"}), "accepted");
  EXPECT_EQ(refusal({"--color=never"}), "accepted");
}

TEST(Options, NeverRecordsAnInjectedSlowdown) {
  EXPECT_NE(refusal({"--refresh", "--inject_slowdown=20"}), "accepted");
}

TEST(Options, GatesCanariesBehindANightOfCasesAsTheyAre) {
  EXPECT_EQ(parsed({}).options.canaries, 0);
  EXPECT_EQ(parsed({"--canaries=2.5"}).options.canaries, 2.5);
  for (const char* value : {"-1", "101", "some", "nan"}) {
    EXPECT_NE(refusal({("--canaries=" + std::string(value)).c_str()}), "accepted") << value;
  }
  EXPECT_NE(refusal({"--canaries=2", "--refresh"}), "accepted");
  EXPECT_NE(refusal({"--canaries=2", "--inject_slowdown=5"}), "accepted");
}

TEST(Options, NeverForbidsOtherKernelsWhileTheyAreRecorded) {
  EXPECT_TRUE(parsed({"--strict_kernels"}).options.strict_kernels);
  EXPECT_NE(refusal({"--refresh", "--strict_kernels"}), "accepted");
  EXPECT_NE(refusal({"--inject_slowdown=5", "--strict_kernels"}), "accepted");
  EXPECT_NE(refusal({"--merge", "--strict_kernels"}), "accepted");
  EXPECT_NE(refusal({"--merge", "--profile"}), "accepted");
}

TEST(Options, RepeatsTheBodyOfOneCaseAsItIs) {
  EXPECT_EQ(parsed({"--worker=a/b", "--repeat=3"}).options.command.repeat, 3);
  EXPECT_NE(refusal({"--repeat=3"}), "accepted");
  EXPECT_NE(refusal({"--worker=a/b", "--repeat=0"}), "accepted");
  EXPECT_NE(refusal({"--worker=a/b", "--repeat=3", "--inject_slowdown=5"}), "accepted");
}

TEST(Options, TimesKernelsAsTheyWereTunedOrInEveryConfiguration) {
  EXPECT_EQ(parsed({}).options.command.kernels, "");
  EXPECT_EQ(parsed({"--kernels", "--case=a/b"}).options.command.kernels, "chosen");
  EXPECT_EQ(parsed({"--kernels=all_configs"}).options.command.kernels, "all_configs");
  EXPECT_NE(refusal({"--kernels=some"}), "accepted");
}

TEST(Options, HelpNamesEveryFlagItsTwinAndEveryExitCode) {
  const auto help = parsed({"--help"}).help;
  ASSERT_TRUE(help.has_value());
  for (const char* text : {"--case",
                           "PERFGATE_CASE",
                           "--refresh",
                           "--reason",
                           "--baselines",
                           "--results",
                           "--device",
                           "--require_baseline",
                           "--profile",
                           "--strict_kernels",
                           "--inject_slowdown",
                           "--canaries",
                           "--worker",
                           "--repeat",
                           "--kernels",
                           "--merge",
                           "--export",
                           "junit",
                           "--resource_spec",
                           "77",
                           "128 + n"}) {
    EXPECT_NE(help->find(text), std::string::npos) << text;
  }
}

TEST(DeviceOfCTest, IsTheGpuWhoseIdItGives) {
  EXPECT_EQ(device_from_ctest("id:gpu_b398e28c_0,slots:1"), "cuda:gpu_b398e28c_0");
}

TEST(DeviceOfCTest, IsTheFirstVisibleOneWithoutResources) {
  EXPECT_EQ(device_from_ctest(nullptr), "cuda");
  EXPECT_EQ(device_from_ctest(""), "cuda");
  EXPECT_EQ(device_from_ctest("slots:1"), "cuda");
}

}  // namespace
}  // namespace perfgate
