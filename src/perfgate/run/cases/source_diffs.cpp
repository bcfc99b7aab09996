#include "perfgate/run/cases/source_diffs.h"

#include <algorithm>
#include <compare>
#include <set>

#include "perfgate/core/ascii.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/files.h"
#include "perfgate/core/folders.h"
#include "perfgate/gate/kernel_pairs.h"
#include "perfgate/process/subprocess.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;

struct OtherSource {
  std::string kernel;
  std::string recorded;  // versions
  std::string now;

  friend auto operator<=>(const OtherSource&, const OtherSource&) = default;
};

// Of every phase that was traced then and now; one that is launched in several ways once.
std::set<OtherSource> other_sources(const Outcome& outcome, const CaseRecord& record) {
  std::set<OtherSource> out;
  for (const auto& [phase, part] : record.phases) {
    const auto& now = kernels_of(outcome.reports.front().phase(phase));
    for (const auto& pair : paired_kernels(part.kernels, now)) {
      if (pair.before != nullptr && pair.now != nullptr &&
          has_other_source(*pair.before, *pair.now)) {
        out.insert({pair.now->name, pair.before->source, pair.now->source});
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
      out.begin(), out.end(), [](char c) { return !is_alnum(c) && c != '.'; }, '_');
  return out + ".py";
}

// What `diff -u` says of two files, whose names without the folder are its labels.
std::string unified_diff(const fs::path& before, const fs::path& now) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  constexpr int kSame = 0;
  constexpr int kDiffer = 1;
  constexpr int kNoSuchProgram = 127;
  ProcessRequest request;
  request.command = {"/usr/bin/env",
                     "diff",
                     "-u",
                     "--label",
                     before.filename().string(),
                     "--label",
                     now.filename().string(),
                     "--",
                     before.string(),
                     now.string()};
  request.output_bytes = kMostBytes;
  const ProcessResult result = run_process(request);
  if (result.exit_code != kSame && result.exit_code != kDiffer) {
    throw SystemError(
        "`diff`: " + result.ending(request.timeout) + " " + result.output,
        result.exit_code == kNoSuchProgram ? "install diffutils" : "compare the two by hand");
  }
  return result.output;
}

// Leaves both sources in the folder.
std::string difference(const OtherSource& other, const std::string& recorded,
                       const std::string& now, const fs::path& folder) {
  const auto write = [&](const std::string& version, const std::string& source) {
    fs::path file = folder / file_name_of(other.kernel, version);
    write_atomically(file, source);
    return file;
  };
  return unified_diff(write(other.recorded, recorded), write(other.now, now));
}

}  // namespace

fs::path folder_of_sources(const fs::path& results) {
  fs::path out = fs::absolute(results);
  return out.replace_extension(".sources");
}

std::string write_source_diff(const fs::path& folder, const Outcome& outcome,
                              const Baseline& baseline) {
  const auto record = baseline.cases.find(outcome.case_key);
  if (record == baseline.cases.end() || outcome.reports.empty()) {
    return "";
  }
  const auto& sources_now = outcome.reports.front().kernel_sources;
  const fs::path of_case = folder / outcome.case_key;
  std::string text;
  try {
    for (const auto& other : other_sources(outcome, record->second)) {
      const auto recorded = baseline.kernel_sources.find(other.recorded);
      const auto now = sources_now.find(other.now);
      if (recorded == baseline.kernel_sources.end() || now == sources_now.end()) {
        continue;
      }
      create_folders(of_case, "make its parent a folder that can be written");
      text += difference(other, recorded->second, now->second, of_case);
    }
    if (text.empty()) {
      return "";
    }
    const fs::path file = of_case.string() + ".diff";
    write_atomically(file, text);
    return file.string();
  } catch (const Error& error) {
    return std::string("no diff: ") + error.what();
  }
}

}  // namespace perfgate
