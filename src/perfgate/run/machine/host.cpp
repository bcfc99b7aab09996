#include "perfgate/run/machine/host.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <optional>

#include "perfgate/core/ascii.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/core/version.h"
#include "perfgate_commit.h"

namespace perfgate {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string name_part(std::string host) {
  constexpr std::size_t kLongest = 64;
  std::replace_if(
      host.begin(), host.end(), [](char c) { return !is_alnum(c) && c != '-' && c != '_'; }, '-');
  return host.empty() ? "unknown" : host.substr(0, kLongest);
}

std::string perfgate_version() { return std::string(kVersion) + " (git " PERFGATE_COMMIT ")"; }

std::string program_text() { return "perfgate " + perfgate_version() + ", " PERFGATE_COMPILER; }

std::string default_device() { return PERFGATE_DEFAULT_DEVICE; }

SessionRecord describe_session(const DeviceIdentity& identity, const Suite& suite) {
  SessionRecord out;
  out.date = utc_now();
  out.device_id = identity.device_id;
  out.host = plain_line(host_name());
  out.commit = plain_line(suite.commit);
  out.workloads = suite.workloads;
  out.compiler = PERFGATE_COMPILER;
  const auto detail = [&identity](const char* what) {
    const auto found = identity.details.find(what);
    return found == identity.details.end() ? std::nullopt : std::optional(found->second);
  };
  out.driver = detail("driver");
  out.cuda = detail("cuda");
  return out;
}

}  // namespace perfgate
