#pragma once
// What differs between the session that a baseline has and tonight's, in words.

#include <map>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/model/worker_report.h"

namespace perfgate {

/// "LibTorch 2.11.0 -> 2.12.0; cudnn 91002 -> 91100; NVIDIA_TF32_OVERRIDE unset -> 0". Sessions of
/// before 2026-11-27 have no settings: variables that are set now are then told as such.
///
/// Behind these the families whose sources have another version, "sources of ops, sparse", and the
/// commits that the suite was built from. Empty where nothing differs.
std::string session_changes(const SessionRecord& before, const SessionRecord& now);

/// Of these what can matter to a case of the family: not the sources of others, nor the commit
/// where these sources are all of the work. They are in perfgate's own suite, where their version
/// is recorded, and not in a guest's (`of_guest`), whose kernels lie elsewhere. Empty where nothing
/// does.
std::string changes_for_family(const SessionRecord& before, const SessionRecord& now,
                               const std::string& family, bool of_guest);

/// The same without sources and commits; empty where nothing differs.
std::string environment_changes(const SessionRecord& before, const SessionRecord& now);

/// Adds "LibTorch 2.11.0 -> 2.12.0" behind what is there, where the two differ.
void add_difference(std::string& out, const std::string& what, const std::string& before,
                    const std::string& now);

/// The same of LibTorch, whose build ("+cu130") sessions before 2026-11-28 did not record: "2.11.0"
/// is no other than "2.11.0+cu130".
void add_libtorch_difference(std::string& out, const std::string& before, const std::string& now);

/// Whether a setting is a variable of the environment, which is unset where a session does not name
/// it. Of a library's version that only says that it was not recorded.
bool is_variable(const std::string& setting);

/// The settings that only a case knows: the version of the Triton that compiled its kernels.
std::map<std::string, std::string> settings_of_case(const WorkerReport& report);

/// The session as this case was measured in it: with those settings.
SessionRecord session_of_case(SessionRecord session, const WorkerReport& report);

}  // namespace perfgate
