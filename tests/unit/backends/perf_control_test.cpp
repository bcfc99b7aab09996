#include "perfgate/backends/perf_control.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

// Stands for a perf that has opened both pipes, as it does for reading and writing alike.
class Perf {
 public:
  Perf() {
    std::filesystem::create_directories(folder_);
    mkfifo(path("control").c_str(), 0600);
    mkfifo(path("ack").c_str(), 0600);
    control_ = ::open(path("control").c_str(), O_RDWR | O_NONBLOCK);
    answers_ = ::open(path("ack").c_str(), O_RDWR | O_NONBLOCK);
  }
  ~Perf() {
    ::close(control_);
    ::close(answers_);
    std::filesystem::remove_all(folder_);
  }
  std::string fifos() const { return path("control") + "," + path("ack"); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  void answers_once() const { ASSERT_EQ(::write(answers_, "ack\n", 4), 4); }
  std::string heard() const {
    std::array<char, 64> text{};
    const auto length = ::read(control_, text.data(), text.size());
    return length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : "";
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("perf" + std::to_string(::getpid()));
  int control_ = -1;
  int answers_ = -1;
};

TEST(PerfControl, TellsPerfWhereToBeginAndToEnd) {
  const Perf perf;
  PerfControl control(perf.fifos());
  perf.answers_once();
  control.enable();
  EXPECT_EQ(perf.heard(), "enable\n");
  perf.answers_once();
  control.disable();
  EXPECT_EQ(perf.heard(), "disable\n");
}

TEST(PerfControl, DoesNotWaitForEver) {
  const Perf perf;
  PerfControl control(perf.fifos(), Seconds(0.01));
  EXPECT_THROW(control.enable(), SystemError);
}

TEST(PerfControl, RefusesPipesThatNobodyListensTo) {
  const Perf perf;
  const std::string closed = perf.path("closed");
  mkfifo(closed.c_str(), 0600);
  EXPECT_THROW(PerfControl(closed + "," + perf.path("ack")), UsageError);
  EXPECT_THROW(PerfControl("/nowhere/control," + perf.path("ack")), UsageError);
  EXPECT_THROW(PerfControl(perf.path("control")), UsageError);
}

}  // namespace
}  // namespace perfgate
