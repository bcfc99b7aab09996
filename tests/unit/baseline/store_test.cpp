#include "perfgate/baseline/store.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "fixtures/failing_file_calls.h"
#include "fixtures/message_of.h"
#include "fixtures/sample_baseline.h"
#include "fixtures/temporary_folder.h"
#include "perfgate/baseline/baseline_json.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::bytes_of;
using testing_support::measured;
using testing_support::message_of;
using testing_support::put_bytes;
using testing_support::record_session;
using testing_support::session_on;
using testing_support::TemporaryFolder;

const DeviceRecord kDevice = {"cpu", "Test CPU", {}};

/// Adds one session of a case named after `key`.
std::function<void(Baseline&)> adding(const std::string& key) {
  return [key](Baseline& baseline) {
    record_session(baseline, session_on("u1"), {measured(key, {81})});
  };
}

class Store : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "b";
  FileCalls calls_;
};

TEST_F(Store, NamesTheFileAfterTheModelInHarmlessCharacters) {
  EXPECT_EQ(baseline_path("baselines", "NVIDIA H200"), "baselines/NVIDIA_H200");
  EXPECT_EQ(baseline_path("b", "a-B_9.c"), "b/a-B_9.c");
  EXPECT_EQ(baseline_path("b", "../x @ 2.2/\xc3\xa9"), "b/.._x___2.2___");
}

TEST_F(Store, FindsNoBaselineWhereThereIsNoFile) {
  EXPECT_FALSE(load_baseline(path_).has_value());
  EXPECT_EQ(folder_.entries(), 0u);
}

TEST_F(Store, LoadsWhatAnUpdateWrote) {
  update_baseline(path_, kDevice, adding("a/x"), calls_);
  const auto baseline = load_baseline(path_);
  ASSERT_TRUE(baseline.has_value());
  EXPECT_EQ(baseline->device.model, "Test CPU");
  EXPECT_EQ(baseline->cases.count("a/x"), 1u);
}

TEST_F(Store, KeepsTheSourcesThatRecordedKernelsNameAndNoOthers) {
  const auto with_source = [](const std::string& version) {
    return [version](Baseline& baseline) {
      adding("a/x")(baseline);
      KernelRecord kernel;
      kernel.name = "triton_red_mm";
      kernel.count = 1;
      kernel.busy_us = 10;
      kernel.source = version;
      baseline.cases.at("a/x").phases.begin()->second.kernels = {kernel};
      baseline.kernel_sources[version] = "@triton.jit\n";
      baseline.kernel_sources["../outside"] = "@triton.jit\n";
    };
  };
  update_baseline(path_, kDevice, with_source("0123abcd"), calls_);
  EXPECT_EQ(bytes_of(path_ / "sources/0123abcd.txt"), "@triton.jit\n");
  EXPECT_EQ(load_baseline(path_)->kernel_sources.count("0123abcd"), 1U);
  update_baseline(path_, kDevice, with_source("4567"), calls_);
  EXPECT_FALSE(std::filesystem::exists(path_ / "sources/0123abcd.txt"));
  EXPECT_EQ(load_baseline(path_)->kernel_sources.size(), 1U);
  update_baseline(path_, kDevice, with_source("../outside"), calls_);  // no version of ours
  EXPECT_TRUE(load_baseline(path_)->kernel_sources.empty());
  EXPECT_FALSE(std::filesystem::exists(path_ / "outside.txt"));
}

TEST_F(Store, RefusesAMalformedFileByPlaceAndLeavesItsBytes) {
  const std::string bytes = R"({"schema_version": 1, "device": {"kind": "cpu"}, "device": 2})";
  put_bytes(path_ / "device.json", bytes);
  const auto refusal =
      AllOf(HasSubstr(path_.string() + "/device.json: at \"/device\""), HasSubstr("twice"));
  EXPECT_THAT(message_of([&] { (void)load_baseline(path_); }), refusal);
  EXPECT_THAT(message_of([&] { update_baseline(path_, kDevice, adding("a/x"), calls_); }), refusal);
  EXPECT_EQ(bytes_of(path_ / "device.json"), bytes);
}

TEST_F(Store, RefusesWhatIsNoFolderAndAFolderThatIsNoBaseline) {
  put_bytes(folder_ / "file", "{}");
  EXPECT_THROW((void)load_baseline(folder_ / "file"), SystemError);
  put_bytes(path_ / "cases/a.json", "{}");
  EXPECT_THROW((void)load_baseline(path_), UsageError);
}

TEST_F(Store, RefusesABaselineInOneFileAndSaysWhatToDo) {
  put_bytes(folder_ / "b.json", "{}");
  const auto refusal = AllOf(HasSubstr("in one file"), HasSubstr("carry_over.py"));
  EXPECT_THAT(message_of([&] { (void)load_baseline(path_); }), refusal);
  EXPECT_THAT(message_of([&] { update_baseline(path_, kDevice, adding("a/x"), calls_); }), refusal);
}

// As a writer leaves it that is killed once its journal is there.
TEST_F(Store, ReadsWhatAKilledWriterBeganAndTheNextOneEndsIt) {
  update_baseline(path_, kDevice, adding("a/x"), calls_);
  const auto cases = bytes_of(path_ / "cases/a.json");
  const auto device = bytes_of(path_ / "device.json");
  auto with_b = nlohmann::json::parse(device);
  with_b["families"] = {"a", "b"};
  const nlohmann::json journal = {
      {"cases/b.json",
       {{"before", nullptr},
        {"after", R"({"schema_version": 2, "cases": {"b/y": )" +
                      nlohmann::json::parse(cases)["cases"]["a/x"].dump() + "}}"}}},
      {"device.json", {{"before", device}, {"after", with_b.dump()}}}};
  put_bytes(path_ / "journal.json", journal.dump());
  EXPECT_EQ(load_baseline(path_)->cases.count("b/y"), 1u);
  update_baseline(path_, kDevice, adding("c/z"), calls_);
  EXPECT_FALSE(std::filesystem::exists(path_ / "journal.json"));
  for (const char* key : {"a/x", "b/y", "c/z"}) {
    EXPECT_EQ(load_baseline(path_)->cases.count(key), 1u) << key;
  }
}

// After a checkout, say, of files that a killed refresh had begun to replace.
TEST_F(Store, RefusesAJournalOfFilesThatWereChangedSince) {
  update_baseline(path_, kDevice, adding("a/x"), calls_);
  const auto device = bytes_of(path_ / "device.json");
  const nlohmann::json journal = {
      {"device.json", {{"before", "{}"}, {"after", R"({"of": "another time"})"}}}};
  put_bytes(path_ / "journal.json", journal.dump());
  const auto refusal =
      AllOf(HasSubstr("device.json was changed since a refresh began"), HasSubstr("journal.json"));
  EXPECT_THAT(message_of([&] { (void)load_baseline(path_); }), refusal);
  EXPECT_THAT(message_of([&] { update_baseline(path_, kDevice, adding("b/y"), calls_); }), refusal);
  EXPECT_EQ(bytes_of(path_ / "device.json"), device);
}

TEST_F(Store, MissesAFileOfCasesThatGotLost) {
  update_baseline(path_, kDevice, adding("a/x"), calls_);
  update_baseline(path_, kDevice, adding("b/y"), calls_);
  std::filesystem::remove(path_ / "cases/a.json");
  EXPECT_THAT(
      message_of([&] { (void)load_baseline(path_); }),
      AllOf(HasSubstr("device.json: at \"/families\""), HasSubstr("there is no cases/a.json")));
}

// It was written, and then no night could read it.
TEST_F(Store, WritesNothingThatItCouldNotReadAgain) {
  update_baseline(path_, kDevice, adding("a/x"), calls_);
  const auto before = bytes_of(path_ / "device.json");
  const auto damage = [this](const std::function<void(Baseline&)>& how) {
    return message_of([&] { update_baseline(path_, kDevice, how, calls_); });
  };
  EXPECT_THAT(damage([](Baseline& b) { b.cases["a/x"].metrics[kTime].tolerance = 1; }),
              AllOf(HasSubstr("b as it would be written"), HasSubstr("would pass anything")));
  EXPECT_THAT(damage([](Baseline& b) { b.cases["a//x"] = b.cases["a/x"]; }),
              HasSubstr("not a case key"));
  EXPECT_THAT(damage([](Baseline& b) { b.device.model.assign(65u << 20, 'x'); }),
              HasSubstr("limit"));
  EXPECT_EQ(bytes_of(path_ / "device.json"), before);
  EXPECT_THROW(update_baseline(path_, kDevice, adding("b/y"), calls_,
                               [](const Baseline&) { throw std::runtime_error("not judged"); }),
               std::runtime_error);
  EXPECT_EQ(bytes_of(path_ / "device.json"), before);
}

TEST_F(Store, MergesAnUpdateIntoWhatIsThereByThen) {
  update_baseline(path_, kDevice, adding("a/x"), calls_);
  update_baseline(path_, kDevice, adding("b/y"), calls_);
  const auto baseline = load_baseline(path_);
  EXPECT_EQ(baseline->cases.count("a/x"), 1u);
  EXPECT_EQ(baseline->cases.count("b/y"), 1u);
  EXPECT_EQ(baseline->sessions.size(), 2u);
}

TEST_F(Store, RefusesTheFileOfAnotherDevice) {
  update_baseline(path_, kDevice, adding("a/x"), calls_);
  const std::string before = bytes_of(path_ / "device.json");
  for (const DeviceRecord& other :
       {DeviceRecord{"cpu", "Other CPU", {}}, DeviceRecord{"cuda", "Test CPU", {}}}) {
    EXPECT_THAT(message_of([&] { update_baseline(path_, other, adding("b/y"), calls_); }),
                AllOf(HasSubstr(path_.string()), HasSubstr(other.model)));
  }
  EXPECT_EQ(bytes_of(path_ / "device.json"), before);
}

TEST_F(Store, KeepsTheOldBytesWhenTheDiskIsFull) {
  update_baseline(path_, kDevice, adding("a/x"), calls_);
  const std::string before = bytes_of(path_ / "device.json");
  testing::NiceMock<testing_support::MockFileCalls> full;
  EXPECT_CALL(full, write).WillOnce([](auto...) { return testing_support::fail_with(ENOSPC); });
  EXPECT_THROW(update_baseline(path_, kDevice, adding("b/y"), full), SystemError);
  EXPECT_EQ(bytes_of(path_ / "device.json"), before);
  EXPECT_EQ(folder_.entries(), 2u);  // the file and its lock
}

TEST_F(Store, KeepsTheOldBytesWhenTheChangeThrows) {
  update_baseline(path_, kDevice, adding("a/x"), calls_);
  const std::string before = bytes_of(path_ / "device.json");
  const auto spoil = [](Baseline& baseline) {
    baseline.cases.clear();
    throw std::runtime_error("half way");
  };
  EXPECT_THROW(update_baseline(path_, kDevice, spoil, calls_), std::runtime_error);
  EXPECT_EQ(bytes_of(path_ / "device.json"), before);
}

TEST_F(Store, SaysWhichFolderIsMissing) {
  EXPECT_THAT(message_of<SystemError>(
                  [&] { update_baseline(folder_ / "no/b", kDevice, adding("a/x"), calls_); }),
              AllOf(HasSubstr("no/b"), HasSubstr("create the folder")));
}

TEST_F(Store, LosesNothingWhenTwoProcessesUpdateAtOnce) {
  constexpr int kUpdates = 20;
  std::vector<pid_t> children;
  for (const std::string name : {"a", "b"}) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int status = 0;
      try {
        for (int i = 0; i < kUpdates; ++i) {
          update_baseline(path_, kDevice, adding(name + "/" + std::to_string(i)), calls_);
        }
      } catch (...) {
        status = 1;
      }
      ::_exit(status);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const auto baseline = load_baseline(path_);
  ASSERT_TRUE(baseline.has_value());
  EXPECT_EQ(baseline->cases.size(), 2u * kUpdates);
  EXPECT_EQ(baseline->sessions.size(), 2u * kUpdates);
}

}  // namespace
}  // namespace perfgate
