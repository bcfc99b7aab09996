#include "perfgate/run/machine/session_settings.h"

#include <gtest/gtest.h>

#include <array>

namespace perfgate {
namespace {

using Settings = std::map<std::string, std::string>;

template <std::size_t N>
Settings of_variables(std::array<const char*, N> variables) {
  return session_settings({}, variables.data());
}

TEST(SessionSettings, TakeWhatLibrariesRead) {
  EXPECT_EQ(of_variables(std::array{"NVIDIA_TF32_OVERRIDE=0", "ONEDNN_MAX_CPU_ISA=AVX2",
                                    "TORCH_CUDNN_SDPA_DEPRIORITIZED=1", "LD_PRELOAD=/tmp/a=b.so",
                                    static_cast<const char*>(nullptr)}),
            (Settings{{"NVIDIA_TF32_OVERRIDE", "0"},
                      {"ONEDNN_MAX_CPU_ISA", "AVX2"},
                      {"TORCH_CUDNN_SDPA_DEPRIORITIZED", "1"},
                      {"LD_PRELOAD", "/tmp/a=b.so"}}));
}

TEST(SessionSettings, TakeAContainersQuota) {
  const std::array<const char*, 1> none = {nullptr};
  EXPECT_EQ(session_settings({{"cpu_quota", "0.5 cores"}, {"cpu_mhz", "2700"}}, none.data()),
            (Settings{{"cpu_quota", "0.5 cores"}}));
}

TEST(SessionSettings, LeaveOutSecretsPlacesAndWhatPerfgateSets) {
  EXPECT_EQ(
      of_variables(std::array{"GITHUB_TOKEN=x", "HOME=/root", "CUDA_VISIBLE_DEVICES=0",
                              "CUDA_HOME=/usr/local/cuda", "OMP_NUM_THREADS=8", "ODD",
                              "NVIDIA_VISIBLE_DEVICES=all", "PERFGATE_CASE=*",
                              "PYTORCH_BOT_TOKEN=x", "CUDNN_PATH=/opt", "TRITON_CACHE_DIR=/tmp",
                              "GLIBC_TUNABLES=x", static_cast<const char*>(nullptr)}),
      Settings{});
}

TEST(SessionSettings, HoldNothingThatJsonOrATerminalCannot) {
  const auto settings = of_variables(std::array{"OMP_PROC_BIND=true\r", "MKL_ODD=\x1b[31mred\xff",
                                                static_cast<const char*>(nullptr)});
  EXPECT_EQ(settings, (Settings{{"OMP_PROC_BIND", "true?"}, {"MKL_ODD", "?[31mred?"}}));
  EXPECT_EQ(of_variables(std::array{("MKL_LONG=" + std::string(1000, 'x')).c_str(),
                                    static_cast<const char*>(nullptr)})
                .at("MKL_LONG")
                .size(),
            200U);
}

TEST(SessionSettings, TakeTheFactsThatMayDifferFromSessionToSession) {
  const std::array<const char*, 1> none = {nullptr};
  EXPECT_EQ(
      session_settings({{"cudnn", "91002"}, {"ecc", "on"}, {"temperature_c", "41"}}, none.data()),
      (Settings{{"cudnn", "91002"}, {"ecc", "on"}}));
}

}  // namespace
}  // namespace perfgate
