#include "perfgate/run/cases/night_progress.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "perfgate/core/appended_file.h"
#include "perfgate/core/errors.h"

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

NightProgress::NightProgress(const std::filesystem::path& night, FileCalls& files,
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

// A record that cannot be written or read costs the night its common count, and no measurement.
template <class Shared>
void NightProgress::with_record(const Shared& shared) {
  if (record_.empty()) {
    return;
  }
  try {
    const FileLock lock(beside(record_, ".lock"));
    shared();
  } catch (const Error&) {
    record_.clear();
  }
}

// What the others have written since, too.
void NightProgress::read() {
  if (!is_there(record_)) {
    return;
  }
  done_ = 0;
  std::istringstream lines(read_file(record_));
  for (std::string line; std::getline(lines, line);) {
    done_ += line == kCase ? 1 : 0;
    if (line.starts_with(kDevice)) {
      devices_.insert(line.substr(kDevice.size()));
    }
  }
}

void NightProgress::append(const std::string& line) {
  append_lines(record_, line + "\n", files_);
  read();
}

bool NightProgress::is_first_on(const std::string& device_id) {
  bool out = true;
  with_record([&] {
    read();
    out = devices_.count(device_id) == 0;
    if (out) {
      append(std::string(kDevice) + device_id);
    }
  });
  return out;
}

int NightProgress::done() {
  with_record([this] { read(); });
  return done_;
}

int NightProgress::next() {
  bool counted = false;
  with_record([&] {
    append(std::string(kCase));
    counted = true;
  });
  done_ += counted ? 0 : 1;
  total_ = std::max(total_, done_);
  return done_;
}

double NightProgress::eta_s() const {
  const int since = done_ - done_before_;
  return since > 0 ? (clock_() - began_).count() / since * (total_ - done_) : 0;
}

}  // namespace perfgate
