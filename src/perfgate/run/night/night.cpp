#include "perfgate/run/night/night.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <system_error>

#include "perfgate/baseline/store.h"
#include "perfgate/core/ascii.h"
#include "perfgate/core/files.h"
#include "perfgate/core/json.h"
#include "perfgate/report/derived.h"
#include "perfgate/report/exit_code.h"
#include "perfgate/report/export.h"
#include "perfgate/report/failure.h"
#include "perfgate/report/kernel_changes.h"
#include "perfgate/report/merge.h"
#include "perfgate/report/refresh_text.h"
#include "perfgate/report/results_json.h"
#include "perfgate/report/sorted_table.h"
#include "perfgate/report/summary.h"
#include "perfgate/run/cli/console.h"
#include "perfgate/run/machine/baselines_folder.h"
#include "perfgate/run/night/night_history.h"
#include "perfgate/run/night/published.h"

namespace perfgate {
namespace {

constexpr std::size_t kMaxResultsBytes = std::size_t{1} << 30;  // a session of 1200 cases is 0.1

ExitRules rules_of(const Options& options) {
  return {options.require_baseline, load_policy(options.paths.baselines).blind_share};
}

std::vector<Run> nights_of(const Options& options) {
  std::vector<Run> runs;
  std::vector<std::string> nothing_written;  // claimed by runs that were killed
  if (std::filesystem::is_directory(options.paths.results)) {
    for (const auto& entry : std::filesystem::directory_iterator(options.paths.results)) {
      if (entry.path().extension() != ".json" || !entry.is_regular_file()) {
        continue;
      }
      if (entry.file_size() == 0) {
        nothing_written.push_back(entry.path().string() + " ended before it wrote anything");
      } else {
        const auto document = parse_strict(read_file(entry.path(), kMaxResultsBytes),
                                           entry.path().string(), {kMaxResultsBytes});
        runs.push_back(run_from_json(JsonCursor(document, entry.path().string())));
        runs.back().source = entry.path().string();
      }
    }
  }
  if (runs.empty()) {
    throw UsageError("no results file in " + options.paths.results.string(),
                     "name the folder that the night wrote to with --results");
  }
  auto out = merged(std::move(runs), rules_of(options));
  if (!nothing_written.empty()) {  // of which model, nobody knows
    Run& last = out.back();
    last.unfinished.insert(last.unfinished.end(), nothing_written.begin(), nothing_written.end());
    last.partial = true;
    last.exit_code = stronger(last.exit_code, ExitCode::kFail);
  }
  return out;
}

struct Export {
  const ExportFormat* format;
  std::filesystem::path file;
  std::optional<std::size_t> limit;
};

// What stands behind the last colon, if that is a number; a FILE may have colons otherwise.
std::optional<std::size_t> limit_of(const std::string& text, const ExportFormat& format,
                                    const std::string& number) {
  std::size_t out = 0;
  const char* end = number.data() + number.size();
  const auto [stopped, error] = std::from_chars(number.data(), end, out);
  if (number.empty() || !std::all_of(number.begin(), number.end(), is_digit)) {
    return std::nullopt;
  }
  if (!format.has_limit) {
    throw UsageError("--export=" + text + ": " + format.name + " has no limit",
                     "leave it out; a FILE must not end in a colon and a number");
  }
  if (error != std::errc() || stopped != end || out < kLeastLimit) {
    throw UsageError("--export=" + text + ": the limit is of bytes, and " +
                         std::to_string(kLeastLimit) + " at least",
                     "a page for GitHub has " + std::to_string(kMarkdownLimit));
  }
  return out;
}

Export parse_export(const std::string& text) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  std::string names;
  for (const auto& format : export_formats()) {
    if (format.name == name && colon != std::string::npos && colon + 1 < text.size()) {
      const auto last = text.rfind(':');
      const auto limit =
          last > colon + 1 ? limit_of(text, format, text.substr(last + 1)) : std::nullopt;
      const auto end = limit ? last : text.size();
      return {&format, text.substr(colon + 1, end - colon - 1), limit};
    }
    names += (names.empty() ? "" : ", ") + format.name;
  }
  throw UsageError("--export=" + text + " is not FORMAT:FILE or FORMAT:FILE:LIMIT",
                   "the formats are " + names +
                       "; for example --export=junit:night.xml. Those of other benchmarks are "
                       "written by ctest/export.py");
}

// A file that an export may replace: nothing of perfgate's own, and nothing but a regular file.
void require_replaceable(const Paths& paths, const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  if (file == "-") {
    return;
  }
  const auto type = fs::symlink_status(file).type();
  if (type != fs::file_type::not_found && type != fs::file_type::regular) {
    throw UsageError("--export would replace " + file.string() + ", which is no regular file",
                     "name another file, or - for standard output");
  }
  const auto folder = fs::weakly_canonical(file.has_parent_path() ? file.parent_path() : ".");
  for (const auto& own : {paths.baselines, paths.results, paths.history}) {
    const auto within = folder.lexically_relative(fs::weakly_canonical(own));
    if (!within.empty() && *within.begin() != "..") {
      throw UsageError("--export would write into " + own.string() + ", which perfgate reads",
                       "name a file in another folder");
    }
  }
}

std::vector<CaseNight> history_for(const std::vector<Export>& exports,
                                   const std::filesystem::path& folder,
                                   const std::vector<Run>& nights) {
  std::vector<CaseNight> out;
  if (std::none_of(exports.begin(), exports.end(),
                   [](const Export& item) { return item.format->needs_history; })) {
    return out;
  }
  std::set<std::string> models;
  for (const auto& night : nights) {
    if (models.insert(night.info.device.model).second) {
      std::cerr << read_judged_nights(night_history_path(folder, night.info.device.model), out);
    }
  }
  return out;
}

void print_summary(const Options& options, const Run& night, const Baseline* baseline) {
  Console console(options);
  if (options.sort == TableOrder::kChange) {
    console.report(table_by_change(night, console.colour(), console.columns()));
  }
  const auto failures = failures_of(night, options.require_baseline);
  for (const auto& text : failure_texts(failures, night.info, baseline)) {
    console.report("\n" + text);
  }
  console.report(other_kernels_text(night.outcomes, baseline));
  console.report(is_refresh(night)
                     ? refresh_text(night, options.refresh.reason)
                     : published_text(night.outcomes,
                                      load_published(night.outcomes, options.suite.baselines)));
  console.report(summary_text(night, options.paths.results.string(), console.colour()));
}

}  // namespace

ExitCode report_night(const Options& options) {
  std::vector<Export> exports;  // refused before anything is written
  std::transform(options.command.exports.begin(), options.command.exports.end(),
                 std::back_inserter(exports), parse_export);
  for (const auto& [format, file, limit] : exports) {
    require_replaceable(options.paths, file);
  }
  const auto nights = nights_of(options);
  const auto baseline_of_night = [](const Run& night) {
    return load_baseline(night.info.baseline_path);
  };
  if (options.command.merge) {
    for (const auto& night : nights) {
      const auto baseline = baseline_of_night(night);
      print_summary(options, night, baseline ? &*baseline : nullptr);
    }
  }
  const Run night = as_one(nights);
  const auto loaded = nights.size() == 1 ? baseline_of_night(night) : std::nullopt;
  const Baseline* baseline = loaded ? &*loaded : nullptr;
  const auto history = history_for(exports, options.paths.history, nights);
  for (const auto& [format, file, limit] : exports) {
    const std::string text =
        format->text_of({night, baseline, options.require_baseline, &history, limit});
    if (file == "-") {
      std::cout << text;
    } else {
      write_atomically(file, text);
    }
  }
  return options.command.merge ? night.exit_code : ExitCode::kOk;
}

}  // namespace perfgate
