#include "perfgate/run/night/night_history.h"

#include <fmt/format.h>

#include <string_view>

#include "perfgate/baseline/store.h"
#include "perfgate/core/appended_file.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"
#include "perfgate/report/case_night_json.h"

namespace perfgate {

std::filesystem::path night_history_path(const std::filesystem::path& folder,
                                         const std::string& model) {
  return folder / (file_name_of(model) + ".nights.jsonl");
}

void require_writable_history(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder)) {
    throw UsageError("--history=" + folder.string() + " is no folder, nor can it be made",
                     "name another one");
  }
  const FileLock writable(lock_path(path));
}

std::string append_nights(const std::filesystem::path& path, const std::vector<CaseNight>& nights,
                          FileCalls& calls) {
  std::string lines;
  std::string said;
  for (const auto& night : nights) {
    if (is_readable(night)) {
      lines += line_of(night);
    } else {
      said += fmt::format("  history   {} is left out: its line could not be read again\n",
                          plain(night.case_key));
    }
  }
  if (lines.empty()) {
    return said;
  }
  std::filesystem::create_directories(path.parent_path());
  const FileLock guard(lock_path(path));
  const std::string torn = append_lines(path, lines, calls);
  return torn.empty() ? said
                      : said + fmt::format(
                                   "  history   a writer of {} was killed: its unfinished line "
                                   "was cut off, \"{}\"\n",
                                   path.string(), plain(torn.substr(0, 60)));
}

std::string for_each_night(const std::filesystem::path& path,
                           const std::function<void(const CaseNight&)>& visit) {
  if (!is_there(path)) {
    return "";
  }
  constexpr std::size_t kYears = std::size_t{4} << 30;  // of a thousand series, twenty
  const std::string text = read_file(path, kYears);
  CaseNightReader reader(path.string());
  std::size_t number = 0;
  std::size_t skipped = 0;
  std::size_t first_skipped = 0;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const auto* night = reader.read(std::string_view(text).substr(begin, end - begin), ++number);
    if (night != nullptr) {
      visit(*night);
    } else {
      first_skipped = skipped++ == 0 ? number : first_skipped;
    }
  }
  return skipped == 0 ? ""
                      : fmt::format(
                            "  history   {}, line {}{}: left out, a number there is infinite or "
                            "none; remove {} and this is said no more\n",
                            path.string(), first_skipped,
                            skipped == 1 ? "" : fmt::format(" and {} more", skipped - 1),
                            skipped == 1 ? "the line" : "these lines");
}

std::string read_judged_nights(const std::filesystem::path& path, std::vector<CaseNight>& nights) {
  return for_each_night(path, [&nights](const CaseNight& night) {
    if (!night.metrics.empty()) {
      nights.push_back(night);
    }
  });
}

}  // namespace perfgate
