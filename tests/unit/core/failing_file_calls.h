#pragma once
// FileCalls that do the real thing until a test makes one of them fail.

#include <gmock/gmock.h>

#include <cerrno>

#include "perfgate/core/files.h"

namespace perfgate::testing_support {

class MockFileCalls : public FileCalls {
 public:
  MockFileCalls() {
    using testing::_;
    ON_CALL(*this, open(_, _, _)).WillByDefault([this](const char* path, int flags, mode_t mode) {
      return FileCalls::open(path, flags, mode);
    });
    ON_CALL(*this, write(_, _, _))
        .WillByDefault([this](int fd, const void* data, std::size_t size) {
          return FileCalls::write(fd, data, size);
        });
    ON_CALL(*this, fsync(_)).WillByDefault([this](int fd) { return FileCalls::fsync(fd); });
    ON_CALL(*this, close(_)).WillByDefault([this](int fd) { return FileCalls::close(fd); });
    ON_CALL(*this, rename(_, _)).WillByDefault([this](const char* from, const char* to) {
      return FileCalls::rename(from, to);
    });
    ON_CALL(*this, unlink(_)).WillByDefault([this](const char* path) {
      return FileCalls::unlink(path);
    });
  }
  MOCK_METHOD(int, open, (const char*, int, mode_t), (override));
  MOCK_METHOD(ssize_t, write, (int, const void*, std::size_t), (override));
  MOCK_METHOD(int, fsync, (int), (override));
  MOCK_METHOD(int, close, (int), (override));
  MOCK_METHOD(int, rename, (const char*, const char*), (override));
  MOCK_METHOD(int, unlink, (const char*), (override));
};

/// The failure that the real call did not have.
inline int fail_with(int code) {
  errno = code;
  return -1;
}

}  // namespace perfgate::testing_support
