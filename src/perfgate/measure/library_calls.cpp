#include "perfgate/measure/library_calls.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>

#include "perfgate/core/numbers.h"
#include "perfgate/core/pattern.h"

namespace perfgate {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) {
    out.push_back(part);
  }
  return out;
}

Activity activity_of(std::string name, double nanoseconds) {
  Activity out;
  out.kernel.name = std::move(name);
  out.kernel.count = 1;
  out.start_is_known = false;
  out.end_ns = std::max<std::int64_t>(1, std::llround(nanoseconds));
  return out;
}

// "src:bf16::blocked:ab::f0 wei:s8:a:blocked:..." gives "bf16:s8"; one where all are alike.
std::string types_of(const std::string& memory) {
  std::vector<std::string> types;
  for (const auto& operand : split(memory, ' ')) {
    const auto parts = split(operand, ':');
    if (parts.size() > 1 && parts[1] != "undef" && (types.empty() || types.back() != parts[1])) {
      types.push_back(parts[1]);
    }
  }
  std::string out;
  for (const auto& type : types) {
    out += (out.empty() ? "" : ":") + type;
  }
  return out;
}

// ...primitive,exec,cpu,KIND,IMPLEMENTATION,PROPAGATION,MEMORY,ATTRIBUTES,AUXILIARY,PROBLEM,MS
std::optional<Activity> onednn_call(const std::string& line) {
  constexpr std::string_view kBefore = "primitive,exec,cpu,";
  enum : std::size_t { kKind, kImplementation, kPropagation, kMemory, kFields = 8 };
  const auto begin = line.find(kBefore);
  if (line.rfind("onednn_verbose,", 0) != 0 || begin == std::string::npos) {
    return std::nullopt;
  }
  const auto fields = split(line.substr(begin + kBefore.size()), ',');
  if (fields.size() < kFields) {
    return std::nullopt;
  }
  const std::string types = types_of(fields[kMemory]);
  Activity out = activity_of("oneDNN " + fields[kKind] + (types.empty() ? "" : " " + types),
                             1e6 * decimal_from(fields.back()).value_or(0));
  out.kernel.implementation = fields[kImplementation];
  return out;
}

// MKL_VERBOSE SGEMM(N,N,128,...) 112.88us CNR:OFF ... NThr:1
std::optional<Activity> mkl_call(const std::string& line) {
  static const Pattern pattern(R"(MKL_VERBOSE (\w+)\(.*\) ([0-9.]+)(ns|us|ms|s) .*)");
  const auto found = pattern.match(line);
  if (!found) {
    return std::nullopt;
  }
  const std::string& unit = found->at(3);
  const double scale = unit == "ns" ? 1 : unit == "us" ? 1e3 : unit == "ms" ? 1e6 : 1e9;
  return activity_of("MKL " + found->at(1), scale * decimal_from(found->at(2)).value_or(0));
}

}  // namespace

std::optional<Activity> library_call(const std::string& line) {
  auto out = onednn_call(line);
  return out ? out : mkl_call(line);
}

std::vector<Activity> library_calls(const std::string& text) {
  std::vector<Activity> out;
  for (const auto& line : split(text, '\n')) {
    if (auto call = library_call(line)) {
      out.push_back(std::move(*call));
    }
  }
  return out;
}

}  // namespace perfgate
