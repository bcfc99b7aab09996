#include "perfgate/run/night/night_history.h"

#include <fmt/format.h>

#include <string_view>

#include "perfgate/baseline/store.h"
#include "perfgate/core/appended_file.h"
#include "perfgate/report/case_night_json.h"

namespace perfgate {

std::filesystem::path night_history_path(const std::filesystem::path& folder,
                                         const std::string& model) {
  return folder / (file_name_of(model) + ".nights.jsonl");
}

std::string append_nights(const std::filesystem::path& path, const std::vector<CaseNight>& nights,
                          FileCalls& calls) {
  if (nights.empty()) {
    return "";
  }
  std::string lines;
  for (const auto& night : nights) {
    lines += line_of(night);
  }
  std::filesystem::create_directories(path.parent_path());
  const FileLock guard(lock_path(path));
  return append_lines(path, lines, calls);
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

}  // namespace perfgate
