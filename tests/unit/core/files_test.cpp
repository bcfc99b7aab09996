// Each system call behind write_atomically fails once; whatever fails, the old file stays whole.
#include "perfgate/core/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixtures/failing_file_calls.h"
#include "fixtures/message_of.h"
#include "fixtures/temporary_folder.h"

namespace perfgate {
namespace {

using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::NiceMock;
using testing_support::bytes_of;
using testing_support::fail_with;
using testing_support::message_of;
using testing_support::MockFileCalls;
using testing_support::put_bytes;
using testing_support::TemporaryFolder;

class WriteAtomically : public testing::Test {
 protected:
  WriteAtomically() { put_bytes(target_, "old"); }

  void expect_refused_with_the_old_file_whole(const std::string& reason) {
    EXPECT_THAT(message_of<SystemError>([&] { write_atomically(target_, "new text", calls_); }),
                AllOf(HasSubstr(target_.string()), HasSubstr(reason), HasSubstr("\n  mend: ")));
    EXPECT_EQ(bytes_of(target_), "old");
    EXPECT_EQ(folder_.entries(), 1u);  // no temporary left
  }

  TemporaryFolder folder_;
  std::filesystem::path target_ = folder_ / "b.json";
  NiceMock<MockFileCalls> calls_;
};

TEST_F(WriteAtomically, ReplacesTheFileAndLeavesNothingElse) {
  write_atomically(target_, "new text");
  EXPECT_EQ(bytes_of(target_), "new text");
  EXPECT_EQ(folder_.entries(), 1u);
}

TEST_F(WriteAtomically, CreatesAMissingFileAndWritesAnEmptyText) {
  write_atomically(folder_ / "new.json", "text");
  write_atomically(target_, "");
  EXPECT_EQ(bytes_of(folder_ / "new.json"), "text");
  EXPECT_EQ(bytes_of(target_), "");
}

TEST_F(WriteAtomically, FlushesTheDataBeforeTheRenameAndTheFolderAfterIt) {
  const testing::InSequence order;
  EXPECT_CALL(calls_, fsync(_));
  EXPECT_CALL(calls_, rename(_, testing::StrEq(target_.string())));
  EXPECT_CALL(calls_, fsync(_));
  write_atomically(target_, "new", calls_);
}

TEST_F(WriteAtomically, KeepsTheOldFileWhenTheFolderIsNotWritable) {
  EXPECT_CALL(calls_, open(_, _, _)).WillOnce([](auto...) { return fail_with(EACCES); });
  expect_refused_with_the_old_file_whole("make the folder writable");
}

TEST_F(WriteAtomically, KeepsTheOldFileWhenTheDiskIsFull) {
  EXPECT_CALL(calls_, write(_, _, _)).WillOnce([](auto...) { return fail_with(ENOSPC); });
  expect_refused_with_the_old_file_whole("free space on that disk");
}

TEST_F(WriteAtomically, KeepsTheOldFileWhenTheDiskFillsUpHalfWay) {
  EXPECT_CALL(calls_, write(_, _, _))
      .WillOnce([](int fd, const void* data, std::size_t) { return ::write(fd, data, 3); })
      .WillOnce([](auto...) { return fail_with(ENOSPC); });
  expect_refused_with_the_old_file_whole("free space on that disk");
}

TEST_F(WriteAtomically, TakesAWriteOfNothingForAFullDisk) {
  EXPECT_CALL(calls_, write(_, _, _)).WillOnce(testing::Return(0));
  expect_refused_with_the_old_file_whole("No space left");
}

TEST_F(WriteAtomically, GoesOnAfterAnInterruptedAndAShortWrite) {
  EXPECT_CALL(calls_, write(_, _, _))
      .WillOnce([](auto...) { return fail_with(EINTR); })
      .WillOnce([](int fd, const void* data, std::size_t) { return ::write(fd, data, 3); })
      .WillOnce([](int fd, const void* data, std::size_t size) { return ::write(fd, data, size); });
  write_atomically(target_, "new text", calls_);
  EXPECT_EQ(bytes_of(target_), "new text");
}

TEST_F(WriteAtomically, KeepsTheOldFileWhenTheFlushFails) {
  EXPECT_CALL(calls_, fsync(_)).WillOnce([](int) { return fail_with(EIO); });
  expect_refused_with_the_old_file_whole("cannot flush to disk");
}

TEST_F(WriteAtomically, KeepsTheOldFileWhenCloseReportsALateError) {
  EXPECT_CALL(calls_, close(_)).WillOnce([](int fd) {
    ::close(fd);
    return fail_with(EIO);
  });
  expect_refused_with_the_old_file_whole("cannot close");
}

TEST_F(WriteAtomically, KeepsTheOldFileWhenTheRenameFails) {
  EXPECT_CALL(calls_, rename(_, _)).WillOnce([](auto...) { return fail_with(EACCES); });
  expect_refused_with_the_old_file_whole("cannot replace");
}

TEST_F(WriteAtomically, CountsAsDoneWhenOnlyTheFolderCannotBeFlushed) {
  EXPECT_CALL(calls_, fsync(_)).WillOnce([](int fd) { return ::fsync(fd); }).WillOnce([](int) {
    return fail_with(EINVAL);
  });
  EXPECT_NO_THROW(write_atomically(target_, "new", calls_));
  EXPECT_EQ(bytes_of(target_), "new");
}

TEST(ReadFile, ReturnsAllBytes) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\r\n", 5);
  put_bytes(folder / "f", bytes);
  EXPECT_EQ(read_file(folder / "f", 5), bytes);
}

TEST(ReadFile, NamesWhatIsMissingADirectoryOrTooLarge) {
  const TemporaryFolder folder;
  put_bytes(folder / "f", "123456");
  EXPECT_THAT(message_of<SystemError>([&] { (void)read_file(folder / "no"); }),
              AllOf(HasSubstr("/no: No such file"), HasSubstr("mend: check the path")));
  EXPECT_THAT(message_of<SystemError>([&] { (void)read_file(folder.path()); }),
              AllOf(HasSubstr(folder.path().string()), HasSubstr("is a folder")));
  EXPECT_THAT(message_of<UsageError>([&] { (void)read_file(folder / "f", 5); }),
              HasSubstr("/f: more than 5 bytes, the limit"));
}

// Waiting for somebody to write a FIFO, or reading /dev/zero to its end, would take for ever.
TEST(ReadFile, RefusesAFifoADeviceAndASocketAtOnceAndNamesThem) {
  TemporaryFolder folder;
  const auto fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(message_of<SystemError>([&] { (void)read_file(fifo); }),
              HasSubstr("fifo is a FIFO, and a regular file is needed"));
  EXPECT_THAT(message_of<SystemError>([] { (void)read_file("/dev/zero"); }),
              HasSubstr("/dev/zero is a device"));
}

TEST(WrittenFile, ReplacesNothingButARegularFile) {
  TemporaryFolder folder;
  const auto fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(message_of<SystemError>([&] { write_atomically(fifo, "x"); }),
              HasSubstr("is a FIFO"));
  EXPECT_TRUE(std::filesystem::is_fifo(fifo));
  EXPECT_THAT(message_of<SystemError>([&] { write_atomically("/dev/null", "x"); }),
              HasSubstr("/dev/null is a device"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(WrittenFile, WritesThroughALinkToTheFileThatItStandsFor) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "elsewhere");
  put_bytes(folder / "elsewhere/file", "old");
  std::filesystem::create_symlink("elsewhere/file", folder / "link");
  write_atomically(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(bytes_of(folder / "elsewhere/file"), "new");
}

TEST(WrittenFile, RefusesATemporaryFileThatIsALink) {
  TemporaryFolder folder;
  put_bytes(folder / "precious", "precious");
  std::filesystem::create_symlink("precious", folder / "file.tmp");
  EXPECT_THAT(message_of<SystemError>([&] { write_atomically(folder / "file", "x"); }),
              HasSubstr("file.tmp is a symbolic link"));
  EXPECT_EQ(bytes_of(folder / "precious"), "precious");
  EXPECT_FALSE(std::filesystem::exists(folder / "file"));
}

}  // namespace
}  // namespace perfgate
