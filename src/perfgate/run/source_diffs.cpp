#include "perfgate/run/source_diffs.h"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <vector>

#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/gate/kernel_pairs.h"
#include "perfgate/process/subprocess.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;

struct OtherSource {
  std::string kernel;
  std::string recorded;  // versions
  std::string now;
};

// Of every phase that was traced then and now.
std::vector<OtherSource> other_sources(const Outcome& outcome, const CaseRecord& record) {
  std::vector<OtherSource> out;
  for (const auto& [phase, part] : record.phases) {
    const auto& now = kernels_of(outcome.reports.front().phase(phase));
    for (const auto& pair : paired_kernels(part.kernels, now)) {
      if (pair.before != nullptr && pair.now != nullptr &&
          has_other_source(*pair.before, *pair.now)) {
        out.push_back({pair.now->name, pair.before->source, pair.now->source});
      }
    }
  }
  return out;
}

// A name that any file system takes, whatever a package calls its kernels.
std::string file_name_of(const std::string& kernel, const std::string& version) {
  constexpr std::size_t kLongest = 120;
  std::string out = kernel.substr(0, kLongest) + "." + version.substr(0, kLongest);
  std::replace_if(
      out.begin(), out.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.'; }, '_');
  return out + ".py";
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw SystemError("cannot create " + folder.string() + ": " + error.message(),
                      "make its parent a folder that can be written");
  }
}

// What `diff -u` says of two files; their names without the folder are its labels.
std::string unified_diff(const fs::path& before, const fs::path& now) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  constexpr int kFilesDiffer = 1;
  ProcessRequest request;
  request.command = {"/usr/bin/env",
                     "diff",
                     "-u",
                     "--label",
                     before.filename().string(),
                     "--label",
                     now.filename().string(),
                     before.string(),
                     now.string()};
  request.output_bytes = kMostBytes;
  const ProcessResult result = run_process(request);
  if (result.exit_code != kFilesDiffer) {
    throw SystemError(
        "`diff` of two kernels' sources: " + result.ending(request.timeout) + " " + result.output,
        "install diffutils");
  }
  return result.output;
}

}  // namespace

std::string write_source_diff(const fs::path& results, const Outcome& outcome,
                              const Baseline& baseline) {
  const auto record = baseline.cases.find(outcome.case_key);
  if (record == baseline.cases.end() || outcome.reports.empty()) {
    return "";
  }
  const auto& sources_now = outcome.reports.front().kernel_sources;
  const fs::path folder = results / kSourceFolder / outcome.case_key;
  std::string text;
  try {
    for (const auto& other : other_sources(outcome, record->second)) {
      const auto recorded = baseline.kernel_sources.find(other.recorded);
      const auto now = sources_now.find(other.now);
      if (recorded == baseline.kernel_sources.end() || now == sources_now.end()) {
        continue;
      }
      create_folder(folder);
      const auto write = [&](const std::string& version, const std::string& source) {
        fs::path file = folder / file_name_of(other.kernel, version);
        write_atomically(file, source);
        return file;
      };
      text += unified_diff(write(other.recorded, recorded->second), write(other.now, now->second));
    }
    if (text.empty()) {
      return "";
    }
    const fs::path file = folder.string() + ".diff";
    write_atomically(file, text);
    return file.string();
  } catch (const Error& error) {
    return std::string("no diff: ") + error.what();
  }
}

}  // namespace perfgate
