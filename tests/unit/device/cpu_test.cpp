#include "perfgate/device/cpu.h"

#include <gmock/gmock.h>

#include "fixtures/message_of.h"
#include "fixtures/temporary_folder.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_support::message_of;
using testing_support::put_bytes;
using testing_support::TemporaryFolder;

// Cut from real files; two processors, flags shortened.
constexpr const char* kIntel = R"(processor	: 0
vendor_id	: GenuineIntel
cpu family	: 6
model		: 143
model name	: Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz
stepping	: 8
cpu MHz		: 2699.998
flags		: fpu sse2 avx avx2 avx512f avx512bw

processor	: 1
vendor_id	: GenuineIntel
cpu family	: 6
model		: 143
model name	: Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz
stepping	: 8
cpu MHz		: 3100.000
flags		: fpu sse2 avx avx2 avx512f avx512bw
)";

constexpr const char* kAmd = R"(processor	: 0
vendor_id	: AuthenticAMD
cpu family	: 23
model		: 49
model name	: AMD EPYC 7B12
stepping	: 0
flags		: fpu sse2 avx avx2 sha_ni
)";

constexpr const char* kArm = R"(processor	: 0
BogoMIPS	: 243.75
Features	: fp asimd sve
CPU implementer	: 0x41
CPU architecture: 8
CPU part	: 0xd40

processor	: 1
CPU implementer	: 0x41
CPU part	: 0xd40
)";

std::string with_flags(const std::string& flags) {
  return "processor : 0\nmodel name : X\ncpu family : 1\nmodel : 2\nstepping : 3\nflags : " +
         flags + "\n";
}

TEST(CpuModel, IsNameFamilyModelSteppingVectorUnitAndCores) {
  EXPECT_EQ(cpu_model(kIntel), "Intel Xeon Platinum 8481C CPU @ 2.70GHz 6-143-8 avx512 2c");
  EXPECT_EQ(cpu_model(kAmd), "AMD EPYC 7B12 23-49-0 avx2 1c");
}

TEST(CpuModel, TakesPartNumbersWhereThereIsNoName) {
  EXPECT_EQ(cpu_model(kArm), "CPU 0x41-0xd40 2c");
}

TEST(CpuModel, TellsVectorUnitsApart) {
  EXPECT_EQ(cpu_model(with_flags("sse2")), "X 1-2-3 sse2 1c");
  EXPECT_EQ(cpu_model(with_flags("sse2 avx")), "X 1-2-3 avx 1c");
  EXPECT_EQ(cpu_model(with_flags("sse2 avx avx2")), "X 1-2-3 avx2 1c");
  EXPECT_EQ(cpu_model(with_flags("avx2 avx512f")), "X 1-2-3 avx512 1c");
  EXPECT_EQ(cpu_model(with_flags("avx2 avx512f avx512_bf16")), "X 1-2-3 avx512-bf16 1c");
  EXPECT_EQ(cpu_model(with_flags("avx512f avx512_bf16 amx_bf16")), "X 1-2-3 avx512-amx 1c");
}

TEST(CpuModel, DoesNotTakeAPartOfAFlagForTheFlag) {
  EXPECT_EQ(cpu_model(with_flags("avx512fp16x avx2_not")), "X 1-2-3 sse2 1c");
}

class CpuDeviceOnAFakeRoot : public testing::Test {
 protected:
  CpuDeviceOnAFakeRoot() {
    put_bytes(root_ / "proc/cpuinfo", kIntel);
    put_bytes(root_ / "proc/sys/kernel/random/boot_id", "b007-1d\n");
    put_bytes(root_ / "proc/meminfo", "MemTotal:  4000 kB\nMemAvailable:    3072 kB\n");
  }
  TemporaryFolder root_;
};

TEST_F(CpuDeviceOnAFakeRoot, IsIdentifiedByItsMachineId) {
  put_bytes(root_ / "etc/machine-id", "3d1219c7c4c5404aaa1f6d2a48adfda4\n");
  const DeviceIdentity identity = CpuDevice(root_.path()).identity();
  EXPECT_EQ(identity.kind, "cpu");
  EXPECT_EQ(identity.model, cpu_model(kIntel));
  EXPECT_EQ(identity.device_id, "3d1219c7c4c5404aaa1f6d2a48adfda4");
  EXPECT_EQ(identity.why_not_kept, std::nullopt);
}

TEST_F(CpuDeviceOnAFakeRoot, IsIdentifiedByItsBootWithoutAMachineId) {
  EXPECT_EQ(CpuDevice(root_.path()).identity().device_id, "b007-1d");
  EXPECT_THAT(CpuDevice(root_.path()).identity().why_not_kept.value(),
              HasSubstr("etc/machine-id has none"));
  put_bytes(root_ / "etc/machine-id", "\n");
  EXPECT_EQ(CpuDevice(root_.path()).identity().device_id, "b007-1d");
}

TEST_F(CpuDeviceOnAFakeRoot, TellsItsDetailsAndWhatIsUnknown) {
  EXPECT_EQ(CpuDevice(root_.path()).identity().details.at("governor"), "unknown");
  const std::string cpu0 = "sys/devices/system/cpu/cpu0/";
  put_bytes(root_ / (cpu0 + "cpufreq/scaling_governor"), "performance\n");
  put_bytes(root_ / (cpu0 + "cache/index3/size"), "107520K\n");
  put_bytes(root_ / "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  const auto details = CpuDevice(root_.path()).identity().details;
  EXPECT_EQ(details.at("governor"), "performance");
  EXPECT_EQ(details.at("cpu_mhz"), "2699.998");
  EXPECT_EQ(details.at("llc"), "107520K");
  EXPECT_EQ(details.at("transparent_hugepage"), "always [madvise] never");
}

TEST_F(CpuDeviceOnAFakeRoot, HasTheMemoryThatIsAvailable) {
  EXPECT_EQ(available_memory_bytes(root_.path()), 3u * 1024 * 1024);  // 3072 kB, kB = 1024 bytes
}

TEST(AvailableMemoryBytes, SaysWhereItLookedWhenThereIsNone) {
  const TemporaryFolder root;
  put_bytes(root / "proc/meminfo", "MemTotal:  4000 kB\n");
  EXPECT_THAT(message_of<SystemError>([&] { (void)available_memory_bytes(root.path()); }),
              testing::AllOf(HasSubstr((root / "proc/meminfo").string()), HasSubstr("mend: ")));
}

}  // namespace
}  // namespace perfgate
