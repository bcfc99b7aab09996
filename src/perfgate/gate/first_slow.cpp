#include "perfgate/gate/first_slow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "perfgate/gate/change.h"

namespace perfgate {
namespace {

// Of a first change, as a share of both.
constexpr std::array<double, 5> kShares = {0.25, 0.5, 0.75, -0.5, 1.5};
const double kLargestDelta = std::log(100.0);
// delta's posterior given a hypothesis is close to Student's t, whose scale is the unit here.
constexpr double kReach = 8;
constexpr int kPoints = 49;

// Of values with masses; interpolated between the middles of the masses.
double quantile(const std::vector<std::pair<double, double>>& sorted, double total, double at) {
  double below = 0;
  double last_value = sorted.front().first;
  double last_at = 0;
  for (const auto& [value, mass] : sorted) {
    const double here = (below + mass / 2) / total;
    if (here >= at) {
      return here > last_at ? last_value + (value - last_value) * (at - last_at) / (here - last_at)
                            : value;
    }
    last_value = value;
    last_at = here;
    below += mass;
  }
  return sorted.back().first;
}

ChangeEstimate estimate(std::vector<std::pair<double, double>> values) {
  double total = 0;
  double sum = 0;
  for (const auto& [value, mass] : values) {
    total += mass;
    sum += mass * value;
  }
  if (total <= 0) {
    return {};
  }
  std::sort(values.begin(), values.end());
  return {relative({sum / total}), relative({quantile(values, total, 0.025)}),
          relative({quantile(values, total, 0.975)})};
}

}  // namespace

// Levels of the marks, in units of delta, and the gaps of the changes; `share`: the first one's.
struct FirstSlowData::Hypothesis {
  double prior = 0;
  std::size_t first = 0;
  std::size_t second = 0;  // as the first where there is one change
  double share = 1;
  bool is_none = false;
  std::vector<double> levels;

  // What the changes add at this delta; the second of one change is 0.
  [[nodiscard]] std::pair<double, double> steps(double delta) const {
    return {share * delta, (1 - share) * delta};
  }
  // Whether the second change is the first slow build.
  [[nodiscard]] bool second_is_first_slow(double delta, double least) const {
    const auto [one, other] = steps(delta);
    return one < least && other > one;
  }
};

// A hypothesis at one delta.
struct FirstSlowData::Point {
  std::size_t hypothesis = 0;
  double delta = 0;
  double mass = 0;
};

std::size_t FirstSlow::best() const {
  return static_cast<std::size_t>(std::max_element(mass.begin(), mass.end()) - mass.begin());
}

FirstSlowData::FirstSlowData(std::size_t builds, const FirstSlowPrior& prior)
    : prior_(prior), marks_{0, builds - 1} {
  if (builds < 2) {
    throw std::logic_error("a bisection is of at least two builds");
  }
}

void FirstSlowData::mark(std::size_t build) {
  const auto place = std::lower_bound(marks_.begin(), marks_.end(), build);
  if (place == marks_.end()) {
    throw std::logic_error("no such build");
  }
  if (*place != build) {
    marks_.insert(place, build);
  }
}

void FirstSlowData::add(std::size_t before, std::size_t now, std::span<const double> differences) {
  mark(before);
  mark(now);
  auto found = std::find_if(pairs_.begin(), pairs_.end(), [=](const Pairs& pairs) {
    return pairs.before == before && pairs.now == now;
  });
  if (found == pairs_.end()) {
    pairs_.push_back({before, now});
    found = pairs_.end() - 1;
  }
  for (const double difference : differences) {
    found->count += 1;
    found->sum += difference;
    found->squares += difference * difference;
  }
}

std::size_t FirstSlowData::pairs() const {
  return static_cast<std::size_t>(
      std::accumulate(pairs_.begin(), pairs_.end(), 0.0,
                      [](double sum, const Pairs& pairs) { return sum + pairs.count; }));
}

std::vector<FirstSlowData::Hypothesis> FirstSlowData::hypotheses() const {
  const std::size_t gaps = marks_.size() - 1;
  const auto places = static_cast<double>(marks_.back() - marks_.front());
  const double two_places = places * (places - 1) / 2;
  const double several = two_places > 0 ? prior_.several : 0;
  const auto size = [this](std::size_t gap) {
    return static_cast<double>(marks_[gap + 1] - marks_[gap]);
  };
  const auto levels = [&](std::size_t first, std::size_t second, double share) {
    std::vector<double> out(marks_.size());
    for (std::size_t mark = 0; mark < marks_.size(); ++mark) {
      out[mark] = mark > second ? 1 : mark > first ? share : 0;
    }
    return out;
  };
  std::vector<Hypothesis> out;
  out.push_back({prior_.none, gaps, gaps, 1, true, std::vector<double>(marks_.size(), 0.0)});
  const double slow = 1 - prior_.none;
  for (std::size_t first = 0; first < gaps; ++first) {
    // Two changes in one gap look like one.
    const double unseen =
        several > 0 ? several * size(first) * (size(first) - 1) / 2 / two_places : 0;
    out.push_back({slow * ((1 - several) * size(first) / places + unseen), first, first, 1, false,
                   levels(first, first, 1)});
    for (std::size_t second = first + 1; several > 0 && second < gaps; ++second) {
      for (const double share : kShares) {
        const double prior =
            slow * several * size(first) * size(second) / two_places / kShares.size();
        out.push_back({prior, first, second, share, false, levels(first, second, share)});
      }
    }
  }
  return out;
}

std::vector<FirstSlowData::Point> FirstSlowData::integrate() const {
  const double least = std::log1p(prior_.tolerance) / 2;
  const double density = 1 / std::log(kLargestDelta / least);
  double count = prior_.noise.degrees;
  double squares = prior_.noise.degrees * prior_.noise.variance;
  for (const auto& pairs : pairs_) {
    count += pairs.count;
    squares += pairs.squares;
  }
  const auto hypotheses = this->hypotheses();
  std::vector<double> logs;
  std::vector<Point> out;
  const auto add = [&](std::size_t i, double delta, double around, double weight) {
    out.push_back({i, delta, hypotheses[i].prior * weight});
    logs.push_back(-count / 2 * std::log(around));
  };
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const auto& hypothesis = hypotheses[i];
    if (hypothesis.is_none) {
      add(i, 0, squares, 1);
      continue;
    }
    double product = 0;
    double square = 0;
    for (const auto& pairs : pairs_) {
      const auto level = [&](std::size_t build) {
        const auto at = std::lower_bound(marks_.begin(), marks_.end(), build) - marks_.begin();
        return hypothesis.levels[static_cast<std::size_t>(at)];
      };
      const double x = level(pairs.now) - level(pairs.before);
      product += x * pairs.sum;
      square += x * x * pairs.count;
    }
    if (square <= 0) {
      throw std::logic_error("the ends of a bisection were not compared");
    }
    const double mode = product / square;
    const double scale = std::sqrt((squares - product * mode) / count / square);
    const double from = std::clamp(mode - kReach * scale, least, kLargestDelta);
    const double to = std::clamp(mode + kReach * scale, from + scale, kLargestDelta + scale);
    const double width = (to - from) / (kPoints - 1);
    for (int point = 0; point < kPoints; ++point) {
      const double delta = from + point * width;
      add(i, delta, squares - 2 * product * delta + square * delta * delta,
          density / delta * width);
    }
  }
  const double largest = *std::max_element(logs.begin(), logs.end());
  double total = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].mass *= std::exp(logs[i] - largest);
    total += out[i].mass;
  }
  for (auto& point : out) {
    point.mass /= total;
  }
  return out;
}

FirstSlow FirstSlowData::posterior() const {
  const double least = std::log1p(prior_.tolerance) / 2;
  const auto hypotheses = this->hypotheses();
  const std::size_t gaps = marks_.size() - 1;
  FirstSlow out;
  out.none = 0;
  out.mass.assign(gaps, 0);
  out.another.assign(gaps, 0);
  std::vector<std::vector<std::pair<double, double>>> changes(gaps);
  for (const auto& point : integrate()) {
    const auto& hypothesis = hypotheses[point.hypothesis];
    if (hypothesis.is_none) {
      out.none += point.mass;
      continue;
    }
    const auto [one, other] = hypothesis.steps(point.delta);
    const bool second = hypothesis.second_is_first_slow(point.delta, least);
    const std::size_t gap = second ? hypothesis.second : hypothesis.first;
    out.mass[gap] += point.mass;
    out.another[gap] += std::abs(second ? one : other) >= least ? point.mass : 0;
    changes[gap].emplace_back(second ? other : one, point.mass);
  }
  for (std::size_t gap = 0; gap < gaps; ++gap) {
    out.gaps.push_back({marks_[gap], marks_[gap + 1]});
    out.another[gap] /= std::max(out.mass[gap], std::numeric_limits<double>::min());
    out.changes.push_back(estimate(std::move(changes[gap])));
  }
  return out;
}

std::vector<WeighedLevels> FirstSlowData::weighed_levels() const {
  const double least = std::log1p(prior_.tolerance) / 2;
  std::vector<WeighedLevels> out;
  for (const auto& hypothesis : hypotheses()) {
    out.push_back({0, hypothesis.first, 0, hypothesis.levels});
  }
  const auto hypotheses = this->hypotheses();
  for (const auto& point : integrate()) {
    auto& state = out[point.hypothesis];
    state.mass += point.mass;
    state.delta += point.mass * point.delta;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].delta /= std::max(out[i].mass, std::numeric_limits<double>::min());
    if (!hypotheses[i].is_none && hypotheses[i].second_is_first_slow(out[i].delta, least)) {
      out[i].first_gap = hypotheses[i].second;
    }
  }
  return out;
}

double FirstSlowData::variance() const {
  const auto states = weighed_levels();
  const auto best = std::max_element(
      states.begin(), states.end(),
      [](const WeighedLevels& a, const WeighedLevels& b) { return a.mass < b.mass; });
  double count = prior_.noise.degrees;
  double squares = prior_.noise.degrees * prior_.noise.variance;
  for (const auto& pairs : pairs_) {
    const auto level = [&](std::size_t build) {
      const auto at = std::lower_bound(marks_.begin(), marks_.end(), build) - marks_.begin();
      return best->levels[static_cast<std::size_t>(at)];
    };
    const double mean = best->delta * (level(pairs.now) - level(pairs.before));
    count += pairs.count;
    squares += pairs.squares - 2 * mean * pairs.sum + mean * mean * pairs.count;
  }
  return squares / count;
}

}  // namespace perfgate
