#include "perfgate/baseline/joining.h"

#include <algorithm>
#include <set>

#include "perfgate/model/case_key.h"
#include "perfgate/model/libtorch_version.h"

namespace perfgate {
namespace {

constexpr std::size_t kMostBuilds = 20;

Build first_build(const Baseline& baseline, const Revision& revision, const std::string& case_key) {
  return build_of(baseline.sessions.at(revision.reference.front()), case_key);
}

std::set<std::string> devices_of(const Baseline& baseline, const Revision& revision) {
  std::set<std::string> out;
  for (const auto& id : revision.reference) {
    out.insert(baseline.sessions.at(id).device_id);
  }
  for (const auto& [device, sessions] : revision.later) {
    out.insert(device);
  }
  return out;
}

bool is_one_build(const Build& a, const Build& b) {
  return is_one_libtorch(a.libtorch, b.libtorch) && a.workload == b.workload;
}

bool has(const std::vector<Build>& builds, const Build& build) {
  return std::any_of(builds.begin(), builds.end(),
                     [&](const Build& other) { return is_one_build(other, build); });
}

}  // namespace

Build build_of(const SessionRecord& session, const std::string& case_key) {
  const auto workload = session.workloads.find(family_of(case_key));
  return {session.libtorch, workload == session.workloads.end() ? "" : workload->second};
}

Joining joining(const Baseline& baseline, const Revision& revision, const std::string& case_key,
                const SessionRecord& session, int known_device_sessions) {
  const Build build = build_of(session, case_key);
  if (is_one_build(build, first_build(baseline, revision, case_key))) {
    return Joining::kReference;
  }
  const int own = sessions_on(baseline, revision, session.device_id);
  if (own >= known_device_sessions || (own > 0 && devices_of(baseline, revision).size() == 1)) {
    return Joining::kNoise;
  }
  return has(revision.found_as_fast, build) ? Joining::kReference : Joining::kRefused;
}

void note_as_fast(const Baseline& baseline, const std::string& case_key,
                  const SessionRecord& session, int known_device_sessions, Revision& revision) {
  const Build first = first_build(baseline, revision, case_key);
  const Build build = build_of(session, case_key);
  const auto of_the_first = std::count_if(revision.reference.begin(), revision.reference.end(),
                                          [&](const std::string& id) {
                                            const auto& other = baseline.sessions.at(id);
                                            return other.device_id == session.device_id &&
                                                   is_one_build(build_of(other, case_key), first);
                                          });
  auto& builds = revision.found_as_fast;
  if (is_one_build(build, first) || of_the_first < known_device_sessions || has(builds, build)) {
    return;
  }
  builds.push_back(build);
  if (builds.size() > kMostBuilds) {
    builds.erase(builds.begin());
  }
}

}  // namespace perfgate
