// --export=FORMAT:FILE:LIMIT, as it is taken apart and written.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "fixtures/case_run_fixture.h"
#include "fixtures/message_of.h"
#include "perfgate/run/night/night.h"

namespace perfgate {
namespace {

using testing::_;
using testing::HasSubstr;
using testing::Return;
using testing_support::kKey;
using testing_support::report;

class Exports : public testing_support::CaseRunTest {
 protected:
  void SetUp() override {
    record(3, 0.5);
    auto slow = testing_support::failed(WorkerStatus::kError);
    slow.message = std::string(3 << 20, 'x');
    EXPECT_CALL(launcher_, launch(kKey, _, _)).WillRepeatedly(Return(slow));
    gate_once();
  }
  // What stands in the file afterwards.
  std::string written(const std::string& format, const std::string& file,
                      const std::string& limit = "") {
    Options options;
    options.paths = settings_.paths;
    options.command.exports = {format + ":" + (folder_ / file).string() + limit};
    report_night(options);
    return read_file(folder_ / file);
  }
  std::string refusal(const std::string& format, const std::string& file) {
    return testing_support::message_of([&] { (void)written(format, file); });
  }
};

TEST_F(Exports, HaveTheLimitThatIsAskedFor) {
  EXPECT_LE(written("markdown", "a.md", ":1000").size(), 1000U);
  EXPECT_GT(written("markdown", "a.md").size(), 1000U);
  EXPECT_LE(written("junit", "a.xml", ":2000").size(), 2000U);
  EXPECT_GT(written("junit", "a.xml").size(), 2000U);
}

TEST_F(Exports, TakeAFileWithColonsInItsName) {
  EXPECT_THAT(written("markdown", "a:b:c"), HasSubstr("FAILED"));
  EXPECT_THAT(written("markdown", "03:30:am"), HasSubstr("FAILED"));
  EXPECT_LE(written("markdown", "a:b", ":1000").size(), 1000U);
  EXPECT_THAT(written("html", "a:b.html"), HasSubstr("<html"));
}

TEST_F(Exports, RefuseALimitOfWhatHasNoneAndOneThatIsNone) {
  EXPECT_THAT(refusal("html", "a:1000"), HasSubstr("html has no limit"));
  EXPECT_THAT(refusal("markdown", "a:10"), HasSubstr("512 at least"));
  EXPECT_THAT(refusal("markdown", "a:99999999999999999999999"), HasSubstr("512 at least"));
  EXPECT_THAT(refusal("xunit", "a"), HasSubstr("is not FORMAT:FILE or FORMAT:FILE:LIMIT"));
  EXPECT_THAT(refusal("google_benchmark", "a"), HasSubstr("written by ctest/export.py"));
}

TEST_F(Exports, RepeatNoTextOfMegabytes) {
  EXPECT_LT(written("junit", "a.xml").size(), 20000U);
  EXPECT_LT(written("markdown", "a.md").size(), 20000U);
  std::size_t results = 0;
  for (const auto& file : std::filesystem::directory_iterator(settings_.paths.results)) {
    results = std::max<std::size_t>(results, file.file_size());
  }
  EXPECT_LT(results, 40000U);
}

}  // namespace
}  // namespace perfgate
