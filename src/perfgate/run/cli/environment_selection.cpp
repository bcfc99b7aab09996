#include "perfgate/run/cli/environment_selection.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "perfgate/core/plain_text.h"

namespace perfgate {
namespace {

std::string text_in_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : shortened(plain_line(value));
}

}  // namespace

std::string environment_selection(int argc, const char* const* argv) {
  if (!text_in_environment("PERFGATE_CALLER").empty()) {
    return "";
  }
  const auto given = [argc, argv](const std::string& flag) {
    return std::any_of(argv + 1, argv + argc, [&flag](const std::string& argument) {
      return argument == flag || argument.rfind(flag + "=", 0) == 0;
    });
  };
  std::string out;
  for (const auto& [name, flag] :
       {std::pair("PERFGATE_CASE", "--case"), std::pair("PERFGATE_FAMILY", "--family"),
        std::pair("PERFGATE_MISSING", "--missing"), std::pair("PERFGATE_RECORDED", "--recorded"),
        std::pair("PERFGATE_LEARNING", "--learning"), std::pair("PERFGATE_REFRESH", "--refresh"),
        std::pair("PERFGATE_DEVICE", "--device"), std::pair("GTEST_FILTER", "--gtest_filter"),
        std::pair("TESTBRIDGE_TEST_ONLY", "--gtest_filter")}) {
    if (const std::string value = text_in_environment(name);
        !value.empty() && value != "false" && !given(flag)) {
      out += (out.empty() ? "" : " ") + std::string(name) + "=" + value;
    }
  }
  // CTest's own entries and record_sessions.py deal out shards, and say so.
  if (text_in_environment("PERFGATE_SHARDED_BY").empty()) {
    if (const std::string shards = text_in_environment("GTEST_TOTAL_SHARDS"); !shards.empty()) {
      out += (out.empty() ? "" : " ") + ("GTEST_TOTAL_SHARDS=" + shards);
    }
  }
  return out;
}

}  // namespace perfgate
