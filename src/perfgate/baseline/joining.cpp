#include "perfgate/baseline/joining.h"

#include <algorithm>
#include <map>
#include <set>

#include "perfgate/model/case_key.h"

namespace perfgate {
namespace {

// Every session that the epoch has figures of.
std::set<std::string> sessions_of(const Epoch& epoch) {
  std::set<std::string> out;
  for (const auto& [metric, sessions] : epoch.figures) {
    for (const auto& [id, figures] : sessions) {
      out.insert(id);
    }
  }
  return out;
}

// Of each unit, how many of these sessions.
template <class Ids>
std::map<std::string, int> by_unit(const Baseline& baseline, const Ids& ids) {
  std::map<std::string, int> out;
  for (const auto& id : ids) {
    ++out[baseline.sessions.at(id).unit];
  }
  return out;
}

}  // namespace

Build build_of(const SessionRecord& session, const std::string& case_key) {
  const auto workload = session.workloads.find(family_of(case_key));
  return {session.libtorch, workload == session.workloads.end() ? "" : workload->second};
}

Joining joining(const Baseline& baseline, const Epoch& epoch, const std::string& case_key,
                const SessionRecord& session, int known_unit_sessions) {
  const Build build = build_of(session, case_key);
  const Build first = build_of(baseline.sessions.at(epoch.anchor.front()), case_key);
  if (build == first) {
    return Joining::kReference;
  }
  const auto ids = sessions_of(epoch);
  const auto sessions = by_unit(baseline, ids);
  const auto own = sessions.find(session.unit);
  if (own != sessions.end() && (own->second >= known_unit_sessions || sessions.size() == 1)) {
    return Joining::kNoise;
  }
  std::vector<std::string> first_anchors;
  std::copy_if(
      epoch.anchor.begin(), epoch.anchor.end(), std::back_inserter(first_anchors),
      [&](const std::string& id) { return build_of(baseline.sessions.at(id), case_key) == first; });
  const auto anchored = by_unit(baseline, first_anchors);
  const bool found_as_fast = std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
    const auto& other = baseline.sessions.at(id);
    const auto unit = anchored.find(other.unit);
    return build_of(other, case_key) == build && unit != anchored.end() &&
           unit->second >= known_unit_sessions;
  });
  return found_as_fast ? Joining::kReference : Joining::kRefused;
}

}  // namespace perfgate
