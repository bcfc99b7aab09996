#include "taken_out.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "perfgate/baseline/store.h"

namespace perfgate {
namespace {

// Of which judged metrics a session has measurements.
std::size_t judged_in(const CaseRecord& record, const std::string& session) {
  const auto measurements = measurements_of(record.revisions.back(), session);
  return static_cast<std::size_t>(
      std::count_if(measurements.begin(), measurements.end(),
                    [&](const auto& item) { return record.metrics.at(item.first).judged; }));
}

// Takes a session's measurements out.
SessionMeasurements extract(Revision& revision, const std::string& id) {
  SessionMeasurements out;
  std::erase(revision.reference, id);
  for (auto& [metric, sessions] : revision.measurements) {
    if (auto session = sessions.extract(id)) {
      out[metric] = std::move(session.mapped());
    }
  }
  return out;
}

// The reference sessions of the device that has enough of them, of as many judged metrics as
// possible.
std::vector<std::string> repeated_sessions(const Baseline& baseline, const CaseRecord& record) {
  std::map<std::string, std::vector<std::string>> by_device;
  for (const auto& id : record.revisions.back().reference) {
    by_device[baseline.sessions.at(id).device_id].push_back(id);
  }
  std::vector<std::string> out;
  for (const auto& [device, ids] : by_device) {
    if (ids.size() >= kSessions &&
        (out.empty() || judged_in(record, ids.front()) > judged_in(record, out.front()))) {
      out = ids;
    }
  }
  return out;
}

// Whether every judged metric still has a session to be compared with.
bool can_be_judged(const CaseRecord& record, const Revision& left) {
  return !left.reference.empty() &&
         std::all_of(record.metrics.begin(), record.metrics.end(), [&](const auto& item) {
           return !item.second.judged || !references_with(left, item.first).empty();
         });
}

}  // namespace

std::optional<Night> take_out(const Baseline& baseline, CaseRecord& record, int which) {
  const auto ids = repeated_sessions(baseline, record);
  if (ids.empty()) {
    return std::nullopt;
  }
  const auto& id = ids.at(static_cast<std::size_t>(which));
  const auto& taken = baseline.sessions.at(id);
  Night out{taken.device_id, taken.ceilings, {}};
  out.measurements = extract(record.revisions.back(), id);
  return out;
}

std::optional<Night> take_session_out(const Baseline& baseline, CaseRecord& record,
                                      const std::string& session_id) {
  Revision left = record.revisions.back();
  if (std::erase(left.reference, session_id) == 0) {
    return std::nullopt;
  }
  const SessionRecord& taken = baseline.sessions.at(session_id);
  Night out{taken.device_id, taken.ceilings, {}};
  out.measurements = extract(left, session_id);
  const bool known = std::any_of(
      left.reference.begin(), left.reference.end(),
      [&](const std::string& id) { return baseline.sessions.at(id).device_id == taken.device_id; });
  if (!known) {
    left.later.erase(taken.device_id);  // of a device without a reference nothing is kept
  }
  if (!can_be_judged(record, left)) {
    return std::nullopt;
  }
  record.revisions.back() = std::move(left);
  return out;
}

std::map<std::string, Night> take_session_out(Baseline& baseline, const std::string& session_id) {
  std::map<std::string, Night> out;
  for (auto& [key, record] : baseline.cases) {
    if (auto night = take_session_out(baseline, record, session_id)) {
      out[key] = std::move(*night);
    }
  }
  return out;
}

std::multimap<std::string, Night> take_device_out(Baseline& baseline, const std::string& device_id,
                                                  int kept) {
  const auto is_of_device = [&](const std::string& id) {
    return baseline.sessions.at(id).device_id == device_id;
  };
  std::multimap<std::string, Night> out;
  for (auto& [key, record] : baseline.cases) {
    Revision left = record.revisions.back();
    std::vector<std::string> own;
    std::copy_if(left.reference.begin(), left.reference.end(), std::back_inserter(own),
                 is_of_device);
    std::erase_if(left.reference, is_of_device);
    if (!can_be_judged(record, left) || static_cast<int>(own.size()) <= kept) {
      continue;
    }
    const std::vector<std::string> nights(own.begin() + kept, own.end());
    left.reference.insert(left.reference.end(), own.begin(), own.begin() + kept);
    for (const auto& id : nights) {
      Night night{device_id, baseline.sessions.at(id).ceilings, {}};
      night.measurements = extract(left, id);
      out.emplace(key, std::move(night));
    }
    record.revisions.back() = std::move(left);
  }
  return out;
}

SessionMeasurements slower(SessionMeasurements session, double by,
                           const std::function<bool(Metric)>& which) {
  for (auto& [metric, measurements] : session) {
    if (which(metric)) {
      for (double& value : measurements) {
        value *= better_of(metric) == Better::kLower ? 1 + by : 1 / (1 + by);
      }
    }
  }
  return session;
}

std::set<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::set<std::string> out;
  for (std::string line; std::getline(stream, line);) {
    out.insert(line);
  }
  return out;
}

}  // namespace perfgate
