#pragma once
// --case and --family as a GoogleTest filter, so that its own filter, shuffle, sharding and repeat
// keep working on what is left.

#include <functional>
#include <string>
#include <vector>

#include "perfgate/run/cli/options.h"

namespace perfgate {

struct DeclaredCase {
  std::string key;
  bool nightly = true;  ///< runs without being asked for by --case
};

/// The declared keys that --case (without it: what is a night's) and --family select. A glob that
/// matches cases of a night leaves out what runs on request alone. Throws UsageError saying what is
/// possible when the family or one of several globs matches no case at all; both together may well
/// select nothing, and so may a family that CTest gates (`gated`): one of GPUs alone, say.
std::vector<std::string> selected_keys(const Selection& selection,
                                       const std::vector<DeclaredCase>& declared,
                                       const std::vector<std::string>& gated = {});

struct Shard {
  int index = 0;
  int total = 1;
};

/// From the values of GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX, null where unset. Throws UsageError
/// when they make no sense.
Shard shard_from(const char* total, const char* index);

/// The keys of one shard. A case and what it is compared with share one, since a speed-up of two
/// devices is none; such groups are dealt out in turn.
std::vector<std::string> shard_of(
    const std::vector<std::string>& keys, const Shard& shard,
    const std::function<std::string(const std::string&)>& compared_with);

/// Whether GoogleTest's filter takes the test: patterns with * and ?, separated by ':', those
/// behind a '-' excluded.
bool matches_filter(const std::string& test, const std::string& filter);

/// `user_filter` without the tests in `excluded` (full names).
std::string filter_without(const std::string& user_filter,
                           const std::vector<std::string>& excluded);

}  // namespace perfgate
