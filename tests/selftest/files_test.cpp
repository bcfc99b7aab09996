// What a gate writes, and what lies where it would write, as a user meets it.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "perfgate/core/files.h"
#include "usage.h"

namespace perfgate::selftest {
namespace {

namespace fs = std::filesystem;

TEST_F(Usage, ExportsANightAndRefusesAFormatThatIsNotThere) {
  const auto results = "--results=" + (folder_.path() / "night").string();
  const auto file = folder_.path() / "night.xml";
  ASSERT_EQ(folder_.run({"--case=misbehaving/wrong", results}), 1);
  EXPECT_EQ(folder_.run({"--export=junit:" + file.string(), results}), 0) << folder_.printed();
  EXPECT_NE(read_file(file).find("<failure message=\"WRONG"), std::string::npos);
  EXPECT_EQ(folder_.run({"--export=xunit:" + file.string(), results}), 2);
  EXPECT_NE(folder_.printed().find("junit, markdown"), std::string::npos) << folder_.printed();
  EXPECT_EQ(folder_.run({"--export=junit:" + (folder_.path() / "no/x").string(), results}), 2);
}

TEST_F(Usage, ExportsOverNothingButRegularFilesThatAreNotItsOwn) {
  const auto results = "--results=" + (folder_.path() / "night").string();
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa", results}), 0);
  const auto baseline = read_file(folder_.baseline_file());
  const auto exported = [&](const fs::path& file) {
    return folder_.run({"--export=junit:" + file.string(), results});
  };
  EXPECT_EQ(exported("/dev/null"), 2);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_NE(folder_.printed().find("/dev/null, which is no regular file"), std::string::npos);
  fs::create_symlink(folder_.baseline_file(), folder_.path() / "link.xml");
  EXPECT_EQ(exported(folder_.path() / "link.xml"), 2);
  EXPECT_EQ(exported(folder_.baseline_file()), 2);
  EXPECT_NE(folder_.printed().find("which perfgate reads"), std::string::npos);
  EXPECT_EQ(exported(folder_.path() / "night" / "junit.json"), 2);
  EXPECT_EQ(read_file(folder_.baseline_file()), baseline);
  EXPECT_EQ(exported(folder_.path() / "night.xml"), 0) << folder_.printed();
}

// A disk that is full behind standard output, or a reader that went away.
TEST_F(Usage, WhatStandardOutputDidNotTakeIsAnError) {
  auto command = folder_.command({"--list_cases"});
  std::string text;
  for (const auto& word : command) {
    text += "'" + word + "' ";
  }
  const int status = std::system((text + "> /dev/full 2> /dev/null").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST_F(Usage, ADeviceLockThatIsALinkOrAFifoIsRefusedAtOnce) {
  const auto locks = folder_.path() / "locks";
  fs::create_directory(locks);
  const std::map<std::string, std::string> there = {{"PERFGATE_LOCK_DIR", locks.string()}};
  ASSERT_EQ(folder_.run({"--case=replay/sdpa"}, there), 77);
  const auto lock = fs::directory_iterator(locks)->path();
  fs::remove(lock);
  fs::create_symlink("elsewhere", lock);
  EXPECT_EQ(folder_.run({"--case=replay/sdpa"}, there), 2);
  EXPECT_NE(folder_.printed().find(lock.string() + " is a symbolic link"), std::string::npos);
  EXPECT_FALSE(fs::exists(locks / "elsewhere"));
  fs::remove(lock);
  ASSERT_EQ(::mkfifo(lock.c_str(), 0600), 0);
  EXPECT_EQ(folder_.run({"--case=replay/sdpa"}, there), 2);
}

TEST_F(Usage, FifosInPlaceOfItsFilesAreRefusedAtOnceByName) {
  ASSERT_EQ(folder_.run({"--refresh", "--case=replay/sdpa"}), 0);
  const auto baseline = folder_.baseline_file();
  const auto in_place_of = [&](const fs::path& file) {
    fs::remove(file);
    EXPECT_EQ(::mkfifo(file.c_str(), 0600), 0);
    EXPECT_EQ(folder_.run({"--case=replay/sdpa"}), 2);
    EXPECT_NE(folder_.printed().find(file.string()), std::string::npos) << folder_.printed();
    fs::remove(file);
  };
  in_place_of(baseline);
  in_place_of(folder_.path() / "baselines" / "policy.json");
}

}  // namespace
}  // namespace perfgate::selftest
