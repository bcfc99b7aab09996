// A file of lines that grows, when writers are killed and disks are full.

#include "perfgate/core/appended_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>

#include "fixtures/failing_file_calls.h"
#include "fixtures/temporary_folder.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

using testing::_;
using testing::NiceMock;
using testing::SetErrnoAndReturn;
using testing_support::MockFileCalls;

class AppendedFile : public testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
  testing_support::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "lines";
  NiceMock<MockFileCalls> calls_;
};

TEST_F(AppendedFile, GrowsByWholeLines) {
  EXPECT_EQ(append_lines(path_, "a\nb\n", calls_), "");
  EXPECT_EQ(append_lines(path_, "c\n", calls_), "");
  EXPECT_EQ(read_file(path_), "a\nb\nc\n");
}

TEST_F(AppendedFile, CutsOffWhatAKilledWriterLeftOfALineAndReturnsIt) {
  write("a\nb\nhalf a li");
  EXPECT_EQ(append_lines(path_, "c\n", calls_), "half a li");
  EXPECT_EQ(read_file(path_), "a\nb\nc\n");
  write("of one line alone");
  EXPECT_EQ(append_lines(path_, "c\n", calls_), "of one line alone");
  EXPECT_EQ(read_file(path_), "c\n");
  const std::string longer(200'000, 'x');  // than a block
  write("a\n" + longer);
  EXPECT_EQ(append_lines(path_, "c\n", calls_), longer);
  EXPECT_EQ(read_file(path_), "a\nc\n");
}

TEST_F(AppendedFile, HasItsWholeLinesWhereTheDiskIsFull) {
  write("a\n");
  EXPECT_CALL(calls_, write(_, _, _))
      .WillOnce([this](int fd, const void* data, std::size_t) {
        return calls_.FileCalls::write(fd, data, 1);
      })
      .WillOnce(SetErrnoAndReturn(ENOSPC, -1));
  EXPECT_THROW(append_lines(path_, "bcd\n", calls_), SystemError);
  EXPECT_EQ(read_file(path_), "a\n");
}

TEST_F(AppendedFile, GoesOnWhereASignalInterrupts) {
  EXPECT_CALL(calls_, write(_, _, _))
      .WillOnce(SetErrnoAndReturn(EINTR, -1))
      .WillRepeatedly([this](int fd, const void* data, std::size_t size) {
        return calls_.FileCalls::write(fd, data, size);
      });
  append_lines(path_, "a\n", calls_);
  EXPECT_EQ(read_file(path_), "a\n");
}

TEST_F(AppendedFile, SaysThatItCannotBeFlushed) {
  EXPECT_CALL(calls_, fsync(_)).WillOnce(SetErrnoAndReturn(EIO, -1));
  EXPECT_THROW(append_lines(path_, "a\n", calls_), SystemError);
}

TEST_F(AppendedFile, IsARegularFile) {
  EXPECT_THROW(append_lines(folder_.path(), "a\n", calls_), SystemError);
}

}  // namespace
}  // namespace perfgate
