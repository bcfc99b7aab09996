#include "perfgate/workloads/compiled_package.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
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
    context_.packages.folder = mkdtemp(pattern.data());
    context_.packages.make_command = "make them";
  }
  // One by one: libtorch_cpu.so brings a remove_all of its own that crashes under another
  // libstdc++.
  ~CompiledPackage() override {
    for (const auto& path : {context_.packages.folder / "demo.pt2",
                             context_.packages.folder / "demo.json", context_.packages.folder}) {
      std::error_code ignored;
      fs::remove(path, ignored);
    }
  }

  void put(const nlohmann::json& note) {
    std::ofstream(context_.packages.folder / "demo.pt2") << "not a package";
    std::ofstream(context_.packages.folder / "demo.json") << note.dump();
  }
  // As the exporter writes it beside these bytes.
  [[nodiscard]] nlohmann::json good_note() const {
    Case item;
    item.key = "demo/compiled";
    item.package = package_;
    const auto asked = package_request({item}, context_)["packages"][0];
    nlohmann::json out = package_environment(context_);
    out["source"] = asked["source"];
    out["program_sha256"] = asked["program_sha256"];
    out["arguments"] = asked["arguments"];
    out["package_sha1"] = "96951a151e8429efaa11efbc696c96e8c569dbef";  // sha1sum
    return out;
  }
  // The words of the refusal, or "loaded".
  std::string refusal() {
    try {
      load_package(context_, package_);
    } catch (const Unsupported& unsupported) {
      return unsupported.what();
    }
    return "loaded";
  }
  PrepareContext context_{at::kCPU, {}, "this CPU"};
  Package package_{"demo", "gpt_fast/gemv.py", {{"width", std::int64_t{64}}}};
};

TEST_F(CompiledPackage, ThatIsMissingIsUnsupportedAndSaysHowToMakeIt) {
  EXPECT_NE(refusal().find("make it: make them"), std::string::npos);
}

TEST_F(CompiledPackage, OfAnotherProcessorIsNeverLoaded) {
  auto note = good_note();
  note["architecture"] = "that CPU";
  put(note);
  EXPECT_NE(refusal().find("another architecture (that CPU, here this CPU)"), std::string::npos);
}

TEST_F(CompiledPackage, OfAnotherLibTorchIsNeverLoaded) {
  auto note = good_note();
  note["libtorch"] = "1.0.0";
  put(note);
  EXPECT_NE(refusal().find("another libtorch (1.0.0"), std::string::npos);
}

TEST_F(CompiledPackage, WithADamagedNoteIsUnsupportedAndSaysHowToMakeIt) {
  put({{"architecture", "this CPU"}});
  EXPECT_NE(refusal().find("damaged note"), std::string::npos);
  std::ofstream(context_.packages.folder / "demo.json") << "{";
  EXPECT_NE(refusal().find("make it: make them"), std::string::npos);
}

TEST_F(CompiledPackage, FromAnotherProgramOrWithOtherArgumentsIsNeverLoaded) {
  auto note = good_note();
  note["program_sha256"] = "0123";
  put(note);
  EXPECT_NE(refusal().find("another program_sha256 (0123, here "), std::string::npos);
  note = good_note();
  note["arguments"]["width"] = 65;
  put(note);
  EXPECT_NE(refusal().find("another arguments ({\"width\":65}, here {\"width\":64})"),
            std::string::npos)
      << refusal();
}

TEST_F(CompiledPackage, ThatWasChangedSinceItWasMadeIsNeverLoaded) {
  put(good_note());
  std::ofstream(context_.packages.folder / "demo.pt2") << "other code";
  EXPECT_NE(refusal().find("another package_sha1"), std::string::npos) << refusal();
}

TEST_F(CompiledPackage, ThatAnybodyMayWriteIsNeverLoaded) {
  put(good_note());
  for (const auto& path : {context_.packages.folder / "demo.pt2", context_.packages.folder}) {
    fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
    EXPECT_NE(refusal().find("that anybody may write"), std::string::npos) << refusal();
    fs::permissions(path, fs::perms::others_write, fs::perm_options::remove);
  }
}

TEST_F(CompiledPackage, WithAFifoForANoteIsRefusedAtOnce) {
  put(good_note());
  fs::remove(context_.packages.folder / "demo.json");
  ASSERT_EQ(::mkfifo((context_.packages.folder / "demo.json").c_str(), 0600), 0);
  EXPECT_NE(refusal().find("demo.json is a FIFO"), std::string::npos) << refusal();
}

TEST_F(CompiledPackage, SaysHowLongItTookToCompileWhereItsNoteDoes) {
  auto note = good_note();
  put(note);
  try {
    compile_time(context_, package_);
    FAIL() << "the note does not say";
  } catch (const Unsupported& unsupported) {
    EXPECT_NE(std::string(unsupported.what()).find("what it took to compile"), std::string::npos);
  }
  note["compile_processor_s"] = 41.5;
  put(note);
  EXPECT_EQ(compile_time(context_, package_), Seconds(41.5));
  EXPECT_ANY_THROW({ EXPECT_EQ(refusal(), ""); });  // no reason to refuse it
}

TEST_F(CompiledPackage, OfThisEnvironmentIsGivenToTheLoader) {
  put(good_note());
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

TEST(PackageRequest, BringsWhatThePackageWasTunedTo) {
  const auto cases = gpt_fast::gemv(at::kCPU);
  const auto compiled =
      std::find_if(cases.begin(), cases.end(), [](const Case& item) { return item.package; });
  ASSERT_NE(compiled, cases.end());
  const PackageTuning tuning = {"2.11.0", "3.6.0", {{"model", {{"0123", "XBLOCK 2"}}}}};
  const PrepareContext context{at::kCPU, {}, "this CPU"};
  const auto asked = package_request({*compiled}, context,
                                     {{compiled->package->name, tuning}, {"another", tuning}});
  ASSERT_EQ(asked["packages"].size(), 1U);
  EXPECT_EQ(asked["packages"][0]["tuning"], to_json(tuning));
  EXPECT_FALSE(package_request({*compiled}, context)["packages"][0].contains("tuning"));
}

TEST(PackageRequest, AsksOnceForWhatSeveralCasesLoad) {
  Case one;
  one.key = "demo/compiled";
  one.package = Package{"demo", "gpt_fast/gemv.py", {{"width", std::int64_t{64}}}};
  Case other = one;
  other.key = "demo/compiled_graph";
  const PrepareContext context{at::kCPU, {}, "this CPU"};
  const auto request = package_request({one, other}, context);
  EXPECT_EQ(request["packages"].size(), 1U);
  EXPECT_EQ(request["packages"][0]["case"], "demo/compiled");
  EXPECT_EQ(request["packages"][0]["timed"], false);
  one.package->timed = true;
  EXPECT_EQ(package_request({one}, context)["packages"][0]["timed"], true);
  EXPECT_THROW(package_request({one, other}, context), std::invalid_argument);
  one.package->timed = false;

  other.package->arguments["width"] = std::int64_t{128};
  EXPECT_THROW(package_request({one, other}, context), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate
