#include "perfgate/run/cases/results_log.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cerrno>

#include "fixtures/temporary_folder.h"
#include "perfgate/core/errors.h"
#include "perfgate/run/cases/source_diffs.h"
#include "perfgate/run/cases/trace_folder.h"
#include "perfgate/run/machine/host.h"
#include "perfgate/run/machine/run_folder.h"

namespace perfgate {
namespace {

using testing::MatchesRegex;
using testing_support::TemporaryFolder;

class Results : public testing::Test {
 protected:
  Results() {
    run_.info.started = "2026-11-24T02:00:00Z";
    run_.info.family = "ops";
    run_.info.session.host = "node7.example.org";
  }
  [[nodiscard]] ResultsLog log() {
    return {folder_.path(), run_.info, files_, [] { return Seconds(0); }};
  }
  [[nodiscard]] std::string name() { return log().path().filename().string(); }

  TemporaryFolder folder_;
  FileCalls files_;
  perfgate::Run run_;
};

TEST_F(Results, AreNamedAfterTheirHostAndShard) {
  const std::string pid = std::to_string(::getpid());
  EXPECT_EQ(name(), "2026-11-24T02-00-00-ops-node7-example-org-" + pid + ".json");
  run_.info.shard = 1;
  run_.info.shards = 4;
  EXPECT_EQ(name(), "2026-11-24T02-00-00-ops-2of4-node7-example-org-" + pid + ".json");
  run_.info.session.host = "../a b";
  EXPECT_EQ(name(), "2026-11-24T02-00-00-ops-2of4----a-b-" + pid + ".json");
}

TEST_F(Results, OfRunsThatAreCalledAlikeLieBesideEachOtherWithWhatBelongsToThem) {
  ResultsLog one = log();
  ResultsLog other = log();
  one.write(run_);
  other.write(run_);
  other.write(run_);
  EXPECT_NE(one.path(), other.path());
  EXPECT_GT(std::filesystem::file_size(one.path()), 0U);
  EXPECT_GT(std::filesystem::file_size(other.path()), 0U);
  EXPECT_NE(folder_of_traces(one.path()), folder_of_traces(other.path()));
  EXPECT_NE(folder_of_sources(one.path()), folder_of_sources(other.path()));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(files, 2);
}

class FullDisk : public FileCalls {
 public:
  ssize_t write(int /*fd*/, const void* /*data*/, std::size_t /*size*/) override {
    errno = ENOSPC;
    return -1;
  }
};

TEST_F(Results, ThatCannotBeWrittenLeaveNothingBehind) {
  FullDisk disk;
  ResultsLog log(folder_.path(), run_.info, disk, [] { return Seconds(0); });
  EXPECT_THROW(log.write(run_), SystemError);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST(RunName, BeginsWithTheTimeAndHasItsHostWithoutDots) {
  EXPECT_THAT(run_name(), MatchesRegex("2[0-9-]+T[0-9-]+Z-" + name_part(host_name()) + "-[0-9]+"));
  EXPECT_EQ(run_name().find('.'), std::string::npos);
}

}  // namespace
}  // namespace perfgate
