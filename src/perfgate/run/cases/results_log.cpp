#include "perfgate/run/cases/results_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "perfgate/core/errors.h"
#include "perfgate/core/readable_json.h"
#include "perfgate/report/results_json.h"
#include "perfgate/run/machine/host.h"

namespace perfgate {
namespace {

constexpr double kSecondsPerSecondOfWriting = 20;

std::string file_stamp(std::string utc) {
  std::replace(utc.begin(), utc.end(), ':', '-');
  return utc.substr(0, utc.size() - 1);
}

std::string file_name(const RunInfo& info) {
  const std::string shard =
      info.shards > 1 ? fmt::format("-{}of{}", info.shard + 1, info.shards) : "";
  return fmt::format("{}-{}{}-{}-{}.json", file_stamp(info.started), info.family, shard,
                     name_part(info.session.host), ::getpid());
}

}  // namespace

ResultsLog::ResultsLog(const std::filesystem::path& folder, const RunInfo& info, FileCalls& files,
                       std::function<Seconds()> clock)
    : path_(folder / file_name(info)),
      files_(files),
      clock_(std::move(clock)),
      started_(clock_()) {}

void ResultsLog::claim() {
  constexpr int kTries = 1000;
  const auto first = path_;
  for (int i = 1; i <= kTries; ++i) {
    if (i > 1) {  // containers of one host may have its name and the same process ids
      path_ = first.parent_path() / fmt::format("{}-{}.json", first.stem().string(), i);
    }
    const int fd =
        files_.open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd >= 0) {
      files_.close(fd);
      claimed_ = true;
      return;
    }
    if (errno != EEXIST) {
      break;  // what is written says it, with how to mend it
    }
  }
  path_ = first;
}

void ResultsLog::write(Run& run) {
  std::error_code error;  // what matters is whether the file can be written
  std::filesystem::create_directories(path_.parent_path(), error);
  const bool is_first = !claimed_;
  if (is_first) {
    claim();
  }
  const Seconds before = elapsed();
  run.elapsed_s = before.count();
  try {
    write_atomically(path_, dump_readable(to_json(run)), files_);
  } catch (const SystemError&) {
    if (is_first && claimed_) {  // an empty file is no results
      files_.unlink(path_.c_str());
      claimed_ = false;
    }
    throw;
  }
  next_ = elapsed() + kSecondsPerSecondOfWriting * (elapsed() - before);
}

void ResultsLog::write_if_due(Run& run) {
  if (elapsed() >= next_) {
    write(run);
  }
}

}  // namespace perfgate
