#include "perfgate/run/cases/night_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures/temporary_folder.h"

namespace perfgate {
namespace {

using testing::ElementsAre;

class NightProgressTest : public testing::Test {
 protected:
  // A process of the night.
  NightProgress process(const std::vector<std::string>& own) {
    NightProgress out(night_, files_, [this] { return now_; });
    out.begin(own);
    return out;
  }
  void write_night(const std::string& keys) {
    write_atomically(night_ = folder_.path() / "night.txt", keys);
  }

  testing_support::TemporaryFolder folder_;
  FileCalls files_;
  std::filesystem::path night_;
  Seconds now_{0};
};

TEST_F(NightProgressTest, OfOneProcessIsItsOwn) {
  auto alone = process({"a/1", "a/2"});
  EXPECT_EQ(alone.total(), 2);
  EXPECT_TRUE(alone.is_first_on("GPU-1"));
  EXPECT_EQ(alone.next(), 1);
  EXPECT_EQ(alone.next(), 2);
  EXPECT_EQ(alone.next(), 3) << "a lost case";
  EXPECT_EQ(alone.total(), 3);
}

TEST_F(NightProgressTest, CountsOverTheProcessesOfANight) {
  write_night("a/1\na/2\nb/1\n");
  auto first = process({"a/1", "a/2"});
  EXPECT_THAT(first.cases(), ElementsAre("a/1", "a/2", "b/1"));
  EXPECT_EQ(first.next(), 1);
  auto beside = process({"b/1"});
  EXPECT_EQ(beside.total(), 3);
  EXPECT_EQ(beside.next(), 2);
  EXPECT_EQ(first.next(), 3);
}

TEST_F(NightProgressTest, HasOneFirstProcessADevice) {
  write_night("a/1\nb/1\n");
  auto first = process({"a/1"});
  auto second = process({"b/1"});
  EXPECT_TRUE(first.is_first_on("GPU-1"));
  EXPECT_FALSE(second.is_first_on("GPU-1"));
  EXPECT_TRUE(second.is_first_on("GPU-2"));
}

TEST_F(NightProgressTest, CountsByItselfWhereTheRecordCannotBeWritten) {
  write_night("a/1\na/2\nb/1\n");
  std::filesystem::create_directory(folder_.path() / "night.txt.progress");
  auto first = process({"a/1", "a/2"});
  EXPECT_TRUE(first.is_first_on("GPU-1"));
  EXPECT_EQ(first.next(), 1);
  EXPECT_EQ(first.next(), 2);
  EXPECT_EQ(first.total(), 3);
}

TEST_F(NightProgressTest, ExpectsTheRestAtTheRateOfWhatIsDone) {
  write_night("a/1\na/2\nb/1\nb/2\nb/3\n");
  auto first = process({"a/1", "a/2"});
  first.next();
  first.next();
  now_ = Seconds(100);
  auto second = process({"b/1", "b/2", "b/3"});
  EXPECT_EQ(second.eta_s(), 0) << "nothing is known yet";
  now_ = Seconds(104);
  second.next();
  EXPECT_DOUBLE_EQ(second.eta_s(), 8);
}

}  // namespace
}  // namespace perfgate
