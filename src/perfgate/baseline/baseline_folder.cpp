#include "perfgate/baseline/baseline_folder.h"

#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <tuple>

#include "perfgate/core/errors.h"
#include "perfgate/core/json.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kJournal = "journal.json";

bool is_there(const fs::path& path) {
  std::error_code error;
  // Not exists(): a link that leads nowhere is a mistake, and reading it says so.
  return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

// Text by name, as the journal says; empty text removes the file. Nothing where there is none.
BaselineFiles read_journal(const fs::path& folder) {
  const fs::path path = folder / kJournal;
  if (!is_there(path)) {
    return {};
  }
  const json document = parse_strict(read_file(path), path.string());
  BaselineFiles out;
  for (const auto& [name, text] : JsonCursor(document, path.string()).texts()) {
    if (!is_baseline_file(name)) {
      throw UsageError(path.string() + " names \"" + name + "\", which is no file of a baseline",
                       "remove it: the refresh that began it is lost");
    }
    out[name] = text;
  }
  return out;
}

// Which files the folder has now, and each one's identity: a file is only ever replaced whole, by
// a new one.
using Stamps = std::map<std::string, std::tuple<ino_t, time_t, long>>;

Stamps stamps_of(const fs::path& folder) {
  Stamps out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    if (!is_baseline_file(name) && name != kJournal) {
      continue;  // a temporary file, or somebody's notes
    }
    struct stat status {};
    // A link that leads nowhere counts as it is: reading it says what is wrong.
    if (::stat(entry.path().c_str(), &status) == 0 || ::lstat(entry.path().c_str(), &status) == 0) {
      out[name] = {status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    }
  }
  return out;
}

// Ends what a killed writer began.
void apply(const fs::path& folder, const BaselineFiles& journal, FileCalls& calls) {
  for (const auto& [name, text] : journal) {
    if (text.empty()) {
      calls.unlink((folder / name).c_str());
    } else {
      write_atomically(folder / name, text, calls);
    }
  }
  calls.unlink((folder / kJournal).c_str());
}

void make_folders(const fs::path& folder) {
  for (const auto& part : {folder, folder / "cases", folder / "kernels"}) {
    std::error_code error;
    fs::create_directory(part, error);
    if (error) {
      throw SystemError("cannot make the folder " + part.string() + ": " + error.message(),
                        "make the folder around it writable, or name another one");
    }
  }
}

}  // namespace

std::optional<BaselineFiles> read_folder(const fs::path& folder) {
  if (!is_there(folder)) {
    return std::nullopt;
  }
  if (!fs::is_directory(folder)) {
    throw SystemError(folder.string() + " is no folder, and a baseline is one",
                      "remove it, or restore it from version control");
  }
  constexpr int kAttempts = 100;  // a writer replaces its files in milliseconds
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    try {
      const Stamps before = stamps_of(folder);
      BaselineFiles out;
      for (const auto& [name, stamp] : before) {
        if (name != kJournal) {
          out[name] = read_file(folder / name);
        }
      }
      for (auto& [name, text] : read_journal(folder)) {
        if (text.empty()) {
          out.erase(name);
        } else {
          out[name] = std::move(text);
        }
      }
      if (stamps_of(folder) == before) {
        return out.empty() ? std::nullopt : std::optional(out);
      }
    } catch (const SystemError&) {  // gone since it was listed, or not readable at all
      if (attempt + 1 == kAttempts) {
        throw;
      }
    }
  }
  throw SystemError(folder.string() + " was written again and again while it was read",
                    "end what writes it, or try again");
}

void replace_files(const fs::path& folder, const BaselineFiles& before, const BaselineFiles& after,
                   FileCalls& calls) {
  json journal = json::object();
  for (const auto& [name, text] : before) {
    if (after.count(name) == 0) {
      journal[name] = "";
    }
  }
  for (const auto& [name, text] : after) {
    const auto old = before.find(name);
    if (old == before.end() || old->second != text) {
      journal[name] = text;
    }
  }
  make_folders(folder);
  // A journal that is there already has been read as part of `before`: it is ended first, or its
  // files that we do not change would be lost with it.
  apply(folder, read_journal(folder), calls);
  if (journal.empty()) {
    return;
  }
  write_atomically(folder / kJournal, journal.dump(), calls);
  try {
    apply(folder, read_journal(folder), calls);
  } catch (const SystemError&) {  // a disk that is full: the journal counts, and stays
  }
}

}  // namespace perfgate
