#include "perfgate/workloads/compiled_package.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "perfgate/workloads/gpt_fast/gemv.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;

class CompiledPackage : public testing::Test {
 protected:
  CompiledPackage() {
    std::string pattern = testing::TempDir() + "packagesXXXXXX";
    context_.packages = mkdtemp(pattern.data());
  }
  // One by one: libtorch_cpu.so brings a remove_all of its own that crashes under another
  // libstdc++.
  ~CompiledPackage() override {
    for (const auto& path :
         {context_.packages / "demo.pt2", context_.packages / "demo.json", context_.packages}) {
      std::error_code ignored;
      fs::remove(path, ignored);
    }
  }

  void put(const std::map<std::string, std::string>& note) {
    std::ofstream(context_.packages / "demo.pt2") << "not a package";
    std::ofstream(context_.packages / "demo.json") << nlohmann::json(note).dump();
  }
  // The words of the refusal, or "loaded".
  std::string refusal() {
    try {
      load_package(context_, {"demo", "demo.py", {}});
    } catch (const Unsupported& unsupported) {
      return unsupported.what();
    }
    return "loaded";
  }
  PrepareContext context_{at::kCPU, {}, "this CPU"};
};

TEST_F(CompiledPackage, ThatIsMissingIsUnsupportedAndSaysHowToMakeIt) {
  EXPECT_NE(refusal().find("--target packages"), std::string::npos);
}

TEST_F(CompiledPackage, OfAnotherProcessorIsNeverLoaded) {
  auto note = package_environment(context_);
  note["architecture"] = "that CPU";
  put(note);
  EXPECT_NE(refusal().find("another architecture (that CPU, here this CPU)"), std::string::npos);
}

TEST_F(CompiledPackage, OfAnotherLibTorchIsNeverLoaded) {
  auto note = package_environment(context_);
  note["libtorch"] = "1.0.0";
  put(note);
  EXPECT_NE(refusal().find("another libtorch (1.0.0"), std::string::npos);
}

TEST_F(CompiledPackage, WithADamagedNoteIsUnsupportedAndSaysHowToMakeIt) {
  put({{"architecture", "this CPU"}});
  EXPECT_NE(refusal().find("damaged note"), std::string::npos);
  std::ofstream(context_.packages / "demo.json") << "{";
  EXPECT_NE(refusal().find("--target packages"), std::string::npos);
}

TEST_F(CompiledPackage, OfThisEnvironmentIsGivenToTheLoader) {
  put(package_environment(context_));
  EXPECT_ANY_THROW({ EXPECT_EQ(refusal(), ""); });  // "not a package", says the loader
}

TEST(PackageRequest, AsksForEveryCompiledCaseOnceWithItsArguments) {
  const auto cases = gpt_fast::gemv(at::DeviceType::CPU);
  const auto request = package_request(cases, {at::kCPU, {}, "this CPU"});
  EXPECT_EQ(request["packages"].size(), 8U);  // two dtypes, four widths
  EXPECT_EQ(request["packages"][0]["name"], "gpt_fast/gemv/int8/D1024");
  EXPECT_EQ(request["packages"][0]["arguments"]["width"], 1024);
  EXPECT_EQ(request["environment"]["architecture"], "this CPU");
}

}  // namespace
}  // namespace perfgate
