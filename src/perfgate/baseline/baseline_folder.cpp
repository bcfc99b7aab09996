#include "perfgate/baseline/baseline_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "perfgate/core/errors.h"
#include "perfgate/core/json.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kJournal = "journal.json";

// What a refresh does to one file: its text before and after, none where it is not there.
struct Replacement {
  std::optional<std::string> before;
  std::optional<std::string> after;
};
using Journal = std::map<std::string, Replacement>;

json to_json(const Journal& journal) {
  const auto text = [](const std::optional<std::string>& of) { return of ? json(*of) : json(); };
  json out = json::object();
  for (const auto& [name, replacement] : journal) {
    out[name] = {{"before", text(replacement.before)}, {"after", text(replacement.after)}};
  }
  return out;
}

std::optional<std::string> text_from(const JsonCursor& cursor) {
  return cursor.raw().is_null() ? std::nullopt : std::optional(cursor.text());
}

// Empty where there is none.
Journal read_journal(const fs::path& folder) {
  const fs::path path = folder / kJournal;
  if (!is_there(path)) {
    return {};
  }
  const json document = parse_strict(read_file(path), path.string());
  Journal out;
  for (const auto& [name, item] : JsonCursor(document, path.string()).members()) {
    if (!is_baseline_file(name)) {
      item.fail("no file of a baseline");
    }
    item.allow_only({"before", "after"});
    out[name] = {text_from(item.at("before")), text_from(item.at("after"))};
  }
  return out;
}

// Lays what a refresh began over the files as they are. One that is neither as the refresh found it
// nor as it leaves it was changed since, by somebody who did not see that it had not ended.
void overlay(const fs::path& folder, const Journal& journal, BaselineFiles& files) {
  for (const auto& [name, replacement] : journal) {
    const auto found = files.find(name);
    const auto now = found == files.end() ? std::nullopt : std::optional(found->second);
    if (now != replacement.before && now != replacement.after) {
      throw UsageError(
          (folder / name).string() + " was changed since a refresh began that did " + "not end",
          "remove " + (folder / kJournal).string() +
              " to keep the files as they are, or restore all of them from version "
              "control");
    }
    if (replacement.after) {
      files[name] = *replacement.after;
    } else if (found != files.end()) {
      files.erase(found);
    }
  }
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

// Replaces the files, and then ends the journal.
void apply(const fs::path& folder, const Journal& journal, FileCalls& calls) {
  for (const auto& [name, replacement] : journal) {
    if (replacement.after) {
      write_atomically(folder / name, *replacement.after, calls);
    } else if (calls.unlink((folder / name).c_str()) != 0 && errno != ENOENT) {
      throw SystemError("cannot remove " + (folder / name).string() + ": " + std::strerror(errno),
                        "make its folder writable");
    }
  }
  calls.unlink((folder / kJournal).c_str());
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directory(folder, error);
  if (error) {
    throw SystemError("cannot make the folder " + folder.string() + ": " + error.message(),
                      "make the folder around it writable, or name another one");
  }
}

// And those of its files.
void make_folders(const fs::path& folder, const BaselineFiles& files) {
  make_folder(folder);
  for (const auto& [name, text] : files) {
    make_folder((folder / name).parent_path());
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
      const Journal journal = read_journal(folder);
      if (stamps_of(folder) == before) {  // all of it is of one moment
        overlay(folder, journal, out);
        return out.empty() ? std::nullopt : std::optional(out);
      }
    } catch (const SystemError&) {  // gone since it was listed, or not readable at all
      if (attempt + 1 == kAttempts) {
        throw;
      }
    } catch (const fs::filesystem_error& error) {
      if (attempt + 1 == kAttempts) {
        throw SystemError("cannot list " + folder.string() + ": " + error.code().message(),
                          "make it and its folders readable");
      }
    }
  }
  throw SystemError(folder.string() + " was written again and again while it was read",
                    "end what writes it, or try again");
}

void replace_files(const fs::path& folder, const BaselineFiles& before, const BaselineFiles& after,
                   FileCalls& calls) {
  Journal journal;
  for (const auto& [name, text] : before) {
    if (after.count(name) == 0) {
      journal[name] = {text, std::nullopt};
    }
  }
  for (const auto& [name, text] : after) {
    const auto old = before.find(name);
    if (old == before.end()) {
      journal[name] = {std::nullopt, text};
    } else if (old->second != text) {
      journal[name] = {old->second, text};
    }
  }
  make_folders(folder, after);
  // A journal that is there already has been read as part of `before`: it is ended first, or its
  // files that we do not change would be lost with it.
  apply(folder, read_journal(folder), calls);
  if (journal.empty()) {
    return;
  }
  // A source is any text that somebody put there.
  const std::string text = to_json(journal).dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > JsonLimits{}.max_bytes) {
    throw UsageError(folder.string() + " would be too large to be read again",
                     "remove cases that nobody measures any more");
  }
  write_atomically(folder / kJournal, text, calls);
  try {
    apply(folder, journal, calls);
  } catch (const SystemError& error) {
    throw SystemError(error.problem() + "; what was recorded counts all the same, and stands in " +
                          (folder / kJournal).string(),
                      "free space; the next refresh replaces the files");
  }
}

}  // namespace perfgate
