#include "certificate.h"

#include <fmt/format.h>

#include <array>
#include <functional>

#include "perfgate/model/case_key.h"

namespace perfgate {
namespace {

constexpr const char* kAll = "all";

// Sizes, by the least multiple of the MDE; what is less than the MDE need not be found.
constexpr std::array<double, 5> kSizes = {0, 1, 1.25, 1.5, 2};

double size_of(double multiple) {
  constexpr double kRounding = 1e-9;
  double out = kSizes[0];
  for (const double size : kSizes) {
    out = multiple >= size - kRounding ? size : out;
  }
  return out;
}

std::string size_text(double size) {
  for (std::size_t i = 0; i + 1 < kSizes.size(); ++i) {
    if (kSizes[i] == size) {
      return fmt::format("{:g} to {:g} x MDE", size, kSizes[i + 1]);
    }
  }
  return fmt::format("{:g} x MDE or more", size);
}

void count(Trials& trials, CanaryResult result) {
  if (result == CanaryResult::kVoid) {
    ++trials.said_nothing;
    return;
  }
  ++trials.cases;
  trials.found += result == CanaryResult::kFound ? 1 : 0;
}

// What --inject_slowdown came to, where the case was judged.
std::optional<Injection> injected_into(const Outcome& outcome) {
  const Judgement* judgement = outcome.deciding();
  if (judgement == nullptr || !injected_share(outcome, judgement->metric.phase)) {
    return std::nullopt;
  }
  return Injection{judgement->metric, judgement->mde, 0};
}

void count_injected(Tally& tally, const Outcome& outcome, const Injection& injection,
                    CanaryResult result) {
  const auto share = injected_share(outcome, injection.metric.phase);
  const double multiple = share.value_or(injection.least) / injection.mde;
  count(tally.injected[size_of(multiple)], result);
}

bool is_alarm(Verdict verdict) {
  return verdict == Verdict::kRegressed || verdict == Verdict::kUnsteady ||
         verdict == Verdict::kImproved;
}

std::string row_of(const std::string& family, const Tally& tally) {
  return fmt::format("  {:<16} {:>6} {:>7} {:>7} {:>7} {:>7} {:>8} {:>9} {:>7}\n", family,
                     tally.nights, tally.judged, tally.unjudged, tally.alarms, tally.suspected,
                     tally.nights_with_alarm, tally.repeats, tally.repeat_alarms);
}

std::string injected_row(const std::string& family, const std::string& size, const Trials& trials) {
  return fmt::format(
      "  {:<16} injected {:<17} found {:>6} of {:>6}{}\n", family, size, trials.found, trials.cases,
      trials.said_nothing > 0 ? fmt::format(", {} said nothing", trials.said_nothing) : "");
}

}  // namespace

void Certificate::count_unchanged(Place& place, const std::vector<Outcome>& outcomes) {
  std::set<std::string> families;
  std::set<std::string> alarmed;
  for (const auto& outcome : outcomes) {
    if (injected_into(outcome)) {
      continue;
    }
    for (const std::string& family : {std::string(kAll), family_of(outcome.case_key)}) {
      Tally& tally = place.by_family[family];
      families.insert(family);
      if (was_judged(outcome)) {
        ++tally.judged;
        tally.alarms += is_alarm(outcome.verdict) ? 1 : 0;
        tally.suspected += outcome.verdict == Verdict::kSuspect ? 1 : 0;
      } else {
        tally.unjudged += outcome.verdict == Verdict::kMachineInvalid ? 1 : 0;
      }
      if (is_alarm(outcome.verdict)) {
        alarmed.insert(family);
      }
    }
    if (is_alarm(outcome.verdict) && outcome.deciding() != nullptr) {
      const Judgement& judgement = *outcome.deciding();
      ++place.alarms[fmt::format("{} {} {} {:+.1f} %, p = {:.0e}, budget {:.0e}",
                                 name_of(outcome.verdict), outcome.case_key,
                                 text_of(judgement.metric), 100 * judgement.change,
                                 judgement.p_value, judgement.alpha)];
    }
  }
  for (const auto& family : families) {
    ++place.by_family[family].nights;
  }
  for (const auto& family : alarmed) {
    ++place.by_family[family].nights_with_alarm;
  }
}

void Certificate::add(const Run& night) {
  const bool is_cpu = night.info.device.kind == "cpu";
  Place& place =
      places_[fmt::format("{} nights: {}", is_cpu ? "CPU" : "GPU", night.info.device.model)];
  place.dates.insert(night.info.started.substr(0, 10));
  place.devices.insert(night.info.session.device_id);
  count_unchanged(place, night.outcomes);
  const auto in_both = [&place](const std::string& key, const std::function<void(Tally&)>& count) {
    count(place.by_family[kAll]);
    count(place.by_family[family_of(key)]);
  };
  for (const auto& outcome : night.outcomes) {
    if (const auto injection = injected_into(outcome)) {
      in_both(outcome.case_key, [&](Tally& tally) {
        count_injected(tally, outcome, *injection, result_of(outcome, injection));
      });
    }
  }
  for (const auto& canary : night.canaries) {
    in_both(canary.outcome.case_key, [&](Tally& tally) {
      if (canary.injection) {
        count_injected(tally, canary.outcome, *canary.injection, canary.result);
      } else if (canary.result != CanaryResult::kVoid) {
        ++tally.repeats;
        tally.repeat_alarms += canary.result == CanaryResult::kAlarm ? 1 : 0;
      }
    });
  }
}

void Certificate::add_recorded(const std::string& where, const std::string& date,
                               const std::vector<Outcome>& outcomes) {
  Place& place = places_[where];
  place.dates.insert(date.substr(0, 10));
  for (const auto& outcome : outcomes) {
    place.devices.insert(outcome.device_id);
  }
  count_unchanged(place, outcomes);
}

void Certificate::add_injected(const std::string& where, const std::string& case_key,
                               double multiple, bool found) {
  Place& place = places_[where];
  for (const std::string& family : {std::string(kAll), family_of(case_key)}) {
    count(place.by_family[family].injected[size_of(multiple)],
          found ? CanaryResult::kFound : CanaryResult::kMissed);
  }
}

void Certificate::add_canary(const std::string& where, const std::string& case_key, bool found) {
  Place& place = places_[where];
  for (const std::string& family : {std::string(kAll), family_of(case_key)}) {
    count(place.by_family[family].as_canaries,
          found ? CanaryResult::kFound : CanaryResult::kMissed);
  }
}

std::string Certificate::text() const {
  std::string out;
  for (const auto& [where, place] : places_) {
    out += fmt::format("{}{}, {} device{}, {}\n", out.empty() ? "" : "\n", where,
                       place.devices.size(), place.devices.size() == 1 ? "" : "s",
                       place.dates.size() == 1
                           ? *place.dates.begin()
                           : *place.dates.begin() + " to " + *place.dates.rbegin());
    out += fmt::format("  {:<16} {:>6} {:>7} {:>7} {:>7} {:>7} {:>8} {:>9} {:>7}\n", "family",
                       "nights", "judged", "invalid", "alarms", "suspect", "alarmed", "repeated",
                       "alarms");
    for (const auto& [family, tally] : place.by_family) {
      out += row_of(family, tally);
    }
    for (const auto& [family, tally] : place.by_family) {
      for (const auto& [size, trials] : tally.injected) {
        out += injected_row(family, size_text(size), trials);
      }
      if (tally.as_canaries.cases > 0) {
        out += injected_row(family, "as a canary", tally.as_canaries);
      }
    }
    for (const auto& [alarm, times] : place.alarms) {
      out += fmt::format("  alarm            {}{}\n", alarm,
                         times > 1 ? fmt::format(" ({} times)", times) : "");
    }
  }
  return out;
}

}  // namespace perfgate
