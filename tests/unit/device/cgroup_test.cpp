#include "perfgate/device/cgroup.h"

#include <gtest/gtest.h>

#include "fixtures/temporary_folder.h"
#include "perfgate/device/cpu.h"

namespace perfgate {
namespace {

using testing_support::put_bytes;
using testing_support::TemporaryFolder;

constexpr std::size_t kMiB = std::size_t{1} << 20;

std::string mib(std::size_t size) { return std::to_string(size * kMiB) + "\n"; }

class Cgroup : public testing::Test {
 protected:
  void put(const std::string& path, const std::string& text) { put_bytes(root_ / path, text); }
  void in_version_2(const std::string& cgroup) {
    put("proc/self/cgroup", "0::" + cgroup + "\n");
    put("proc/self/mountinfo",
        "24 1 0:22 / /proc rw - proc proc rw\n"
        "31 24 0:27 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n");
  }
  // As in a container without a namespace of its own: the mount shows its own cgroup alone.
  void in_version_1() {
    put("proc/self/cgroup", "5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/\n");
    put("proc/self/mountinfo",
        "40 1 0:30 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
        "41 1 0:31 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  }
  [[nodiscard]] CgroupLimits limits() const { return cgroup_limits(root_.path()); }

  TemporaryFolder root_;
  const std::string top_ = "sys/fs/cgroup/";
};

TEST_F(Cgroup, LimitsNothingWhereThereIsNone) {
  EXPECT_EQ(limits().memory_bytes, std::nullopt);
  EXPECT_EQ(limits().available_bytes, std::nullopt);
  EXPECT_EQ(limits().cores, std::nullopt);
  in_version_2("/a");
  put(top_ + "a/memory.max", "max\n");
  put(top_ + "a/cpu.max", "max 100000\n");
  EXPECT_EQ(limits().memory_bytes, std::nullopt);
  EXPECT_EQ(limits().cores, std::nullopt);
}

TEST_F(Cgroup, LeavesOfItsMemoryWhatIsNotUsedAndWhatFilesWouldGiveBack) {
  in_version_2("/a");
  put(top_ + "a/memory.max", mib(1000));
  put(top_ + "a/memory.current", mib(700));
  EXPECT_EQ(limits().memory_bytes, 1000 * kMiB);
  EXPECT_EQ(limits().available_bytes, 300 * kMiB);
  put(top_ + "a/memory.stat", "anon 1\ninactive_file " + mib(200) + "active_file " + mib(100));
  EXPECT_EQ(limits().available_bytes, 600 * kMiB);
}

TEST_F(Cgroup, LeavesNothingWhereMoreIsUsedThanItMay) {
  in_version_2("/a");
  put(top_ + "a/memory.max", mib(10));
  put(top_ + "a/memory.current", mib(11));
  EXPECT_EQ(limits().available_bytes, 0U);
}

TEST_F(Cgroup, IsAsTightAsTheTightestAroundIt) {
  in_version_2("/a/b/c");
  put(top_ + "a/b/c/memory.max", mib(1000));
  put(top_ + "a/b/c/memory.current", mib(100));
  put(top_ + "a/memory.max", mib(2000));
  put(top_ + "a/memory.current", mib(1900));  // others use it
  put(top_ + "a/b/cpu.max", "50000 100000\n");
  put(top_ + "a/b/c/cpu.max", "200000 100000\n");
  EXPECT_EQ(limits().memory_bytes, 1000 * kMiB);
  EXPECT_EQ(limits().available_bytes, 100 * kMiB);
  EXPECT_EQ(limits().cores, 0.5);
}

TEST_F(Cgroup, IsTheMountWhereItsOwnNameCannotBeSeen) {
  for (const char* cgroup : {"/", "/../..", "/../other"}) {
    in_version_2(cgroup);
    put(top_ + "memory.max", mib(64));
    put(top_ + "cpu.max", "150000 100000\n");
    EXPECT_EQ(limits().memory_bytes, 64 * kMiB) << cgroup;
    EXPECT_EQ(limits().cores, 1.5) << cgroup;
  }
}

TEST_F(Cgroup, OfTheFirstVersionLimitsAsWell) {
  in_version_1();
  put(top_ + "memory/memory.limit_in_bytes", mib(512));
  put(top_ + "memory/memory.usage_in_bytes", mib(500));
  put(top_ + "memory/memory.stat", "inactive_file 0\ntotal_inactive_file " + mib(400));
  put(top_ + "cpu,cpuacct/cpu.cfs_quota_us", "25000\n");
  put(top_ + "cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(limits().memory_bytes, 512 * kMiB);
  EXPECT_EQ(limits().available_bytes, 412 * kMiB);
  EXPECT_EQ(limits().cores, 0.25);
  put(top_ + "memory/memory.limit_in_bytes", "9223372036854771712\n");
  put(top_ + "cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(limits().memory_bytes, std::nullopt);
  EXPECT_EQ(limits().cores, std::nullopt);
}

TEST_F(Cgroup, CountsWhomTheKernelHasKilledForMemory) {
  EXPECT_EQ(memory_kills(root_.path()), std::nullopt);
  put("proc/vmstat", "nr_free_pages 3\noom_kill 7\n");
  EXPECT_EQ(memory_kills(root_.path()), 7);  // of the machine
  in_version_2("/a");
  put(top_ + "a/memory.events", "low 0\nmax 12\noom 2\noom_kill 1\n");
  EXPECT_EQ(memory_kills(root_.path()), 1);
  in_version_1();
  put(top_ + "memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");
  EXPECT_EQ(memory_kills(root_.path()), 4);
}

TEST_F(Cgroup, LeavesTheSmallerOfItsOwnAndTheMachinesMemory) {
  put("proc/meminfo", "MemAvailable:    3072 kB\n");
  EXPECT_EQ(available_memory_bytes(root_.path()), 3 * kMiB);
  in_version_2("/a");
  put(top_ + "a/memory.max", mib(2));
  put(top_ + "a/memory.current", mib(1));
  EXPECT_EQ(available_memory_bytes(root_.path()), 1 * kMiB);
  put(top_ + "a/memory.max", mib(100));
  EXPECT_EQ(available_memory_bytes(root_.path()), 3 * kMiB);
}

TEST_F(Cgroup, WithAQuotaIsInTheIdentityAndWithoutOneNothingIs) {
  put("proc/cpuinfo", "processor : 0\nprocessor : 1\n");
  EXPECT_EQ(CpuDevice(root_.path()).identity().details.count("cpu_quota"), 0U);
  in_version_2("/a");
  put(top_ + "a/cpu.max", "50000 100000\n");
  EXPECT_EQ(CpuDevice(root_.path()).identity().details.at("cpu_quota"), "0.5 cores");
  put(top_ + "a/cpu.max", "200000 100000\n");  // all that there are: none
  EXPECT_EQ(CpuDevice(root_.path()).identity().details.count("cpu_quota"), 0U);
}

}  // namespace
}  // namespace perfgate
