#include "perfgate/run/night_progress.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "perfgate/core/appended_file.h"

namespace perfgate {
namespace {

constexpr std::string_view kCase = "case";
constexpr std::string_view kDevice = "device ";

std::filesystem::path beside(const std::filesystem::path& file, const char* ending) {
  return file.empty() ? file : std::filesystem::path(file.string() + ending);
}

std::set<std::string> lines_of(const std::filesystem::path& file) {
  std::set<std::string> out;
  std::istringstream lines(read_file(file));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) {
      out.insert(line);
    }
  }
  return out;
}

}  // namespace

NightProgress::NightProgress(std::filesystem::path night, FileCalls& files,
                             std::function<Seconds()> clock)
    : record_(beside(night, ".progress")), files_(files), clock_(std::move(clock)) {
  if (!night.empty()) {
    cases_ = lines_of(night);
  }
}

void NightProgress::begin(const std::vector<std::string>& own) {
  cases_.insert(own.begin(), own.end());
  total_ = static_cast<int>(cases_.size());
  began_ = clock_();
  done_before_ = done();
}

// What the others have written since, too.
int NightProgress::read() {
  if (!record_.empty() && is_there(record_)) {
    done_ = 0;
    std::istringstream lines(read_file(record_));
    for (std::string line; std::getline(lines, line);) {
      done_ += line == kCase ? 1 : 0;
      if (line.starts_with(kDevice)) {
        devices_.insert(line.substr(kDevice.size()));
      }
    }
  }
  return done_;
}

int NightProgress::append(const std::string& line) {
  if (record_.empty()) {
    return line == kCase ? ++done_ : done_;
  }
  append_lines(record_, line + "\n", files_);
  return read();
}

bool NightProgress::is_first_on(const std::string& device_id) {
  if (record_.empty()) {
    return true;
  }
  const FileLock lock(beside(record_, ".lock"));
  read();
  if (devices_.count(device_id) > 0) {
    return false;
  }
  append(std::string(kDevice) + device_id);
  return true;
}

int NightProgress::done() {
  if (record_.empty()) {
    return done_;
  }
  const FileLock lock(beside(record_, ".lock"));
  return read();
}

int NightProgress::next() {
  int out = 0;
  if (record_.empty()) {
    out = append(std::string(kCase));
  } else {
    const FileLock lock(beside(record_, ".lock"));
    out = append(std::string(kCase));
  }
  total_ = std::max(total_, out);
  return out;
}

double NightProgress::eta_s() {
  const int since = done() - done_before_;
  return since > 0 ? (clock_() - began_).count() / since * (total_ - done_) : 0;
}

}  // namespace perfgate
