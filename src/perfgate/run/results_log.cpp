#include "perfgate/run/results_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "perfgate/core/readable_json.h"
#include "perfgate/report/results_json.h"

namespace perfgate {
namespace {

constexpr double kSecondsPerSecondOfWriting = 20;

std::string file_stamp(std::string utc) {
  std::replace(utc.begin(), utc.end(), ':', '-');
  return utc.substr(0, utc.size() - 1);
}

}  // namespace

ResultsLog::ResultsLog(const std::filesystem::path& folder, const std::string& started,
                       const std::string& family, FileCalls& files, std::function<Seconds()> clock)
    : path_(folder / fmt::format("{}-{}-{}.json", file_stamp(started), family, ::getpid())),
      files_(files),
      clock_(std::move(clock)),
      started_(clock_()) {}

void ResultsLog::write(Run& run) {
  std::error_code error;  // what matters is whether the file can be written
  std::filesystem::create_directories(path_.parent_path(), error);
  const Seconds before = elapsed();
  run.elapsed_s = before.count();
  write_atomically(path_, dump_readable(to_json(run)), files_);
  next_ = elapsed() + kSecondsPerSecondOfWriting * (elapsed() - before);
}

void ResultsLog::write_if_due(Run& run) {
  if (elapsed() >= next_) {
    write(run);
  }
}

}  // namespace perfgate
