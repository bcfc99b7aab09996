#include "perfgate/gate/cusum.h"

#include <algorithm>
#include <cmath>

#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

constexpr double kNormal = 1e9;         // degrees of freedom
constexpr double kSuccessive = 2. / 3;  // degrees of freedom that a successive difference is worth

double normal_score(double t, double degrees) {
  const double tail = student_t_upper_tail(t, degrees);
  return tail > 0 ? student_t_quantile(tail, kNormal) : t;
}

}  // namespace

double cusum_limit(double share, double allowance) {
  const double nights = 1 / share;
  double x = 1;  // 2 k b, by exp(x) = 2 k^2 nights + x + 1; each step brings x nearer
  for (int i = 0; i < 100; ++i) {
    x = std::log(2 * allowance * allowance * nights + x + 1);
  }
  constexpr double kOvershoot = 1.166;
  return std::max(0.0, x / (2 * allowance) - kOvershoot);
}

Cusum::Cusum(const NightPoint& reference, const CusumRule& rule)
    : rule_(rule),
      reference_precision_(1 / (reference.reference_noise * reference.reference_noise)),
      degrees_(reference.degrees) {}

void Cusum::add(const NightPoint& night) {
  nights_.push_back(night);
  if (!creep_) {
    count(nights_.size() - 1);
    look();
  } else if (is_back()) {
    creep_.reset();
  }
}

std::optional<Creep> Cusum::creep() const {
  auto out = creep_;
  if (out) {
    const auto newest =
        std::max(out->since, nights_.size() - std::min(rule_.newest_nights, nights_.size()));
    double precision = 0;
    for (std::size_t i = newest; i < nights_.size(); ++i) {
      const double weight = 1 / (nights_[i].noise * nights_[i].noise);
      out->change.log += weight * nights_[i].change.log;
      precision += weight;
    }
    out->change.log /= precision;
  }
  return out;
}

Cusum::Level Cusum::before(std::size_t first) const {
  const double precision = reference_precision_ + sums_[first].precision;
  return {sums_[first].weighted / precision, precision};
}

Cusum::Level Cusum::since(std::size_t first) const {
  const double precision = sums_.back().precision - sums_[first].precision;
  return {(sums_.back().weighted - sums_[first].weighted) / precision, precision};
}

// The one difference that leads onto a slowdown's first night would be taken for noise.
Cusum::Noise Cusum::noise(std::size_t first) const {
  double squares = sums_.back().differences;
  double pairs = std::max<double>(0, static_cast<double>(counted_.size()) - 1);
  if (first > 0 && first < counted_.size()) {
    squares -= sums_[first + 1].differences - sums_[first].differences;
    --pairs;
  }
  const double degrees = degrees_ + kSuccessive * pairs;
  return {(degrees_ + kSuccessive * squares) / degrees, degrees};
}

void Cusum::count(std::size_t which) {
  const NightPoint& night = nights_[which];
  const double variance = night.noise * night.noise;
  const Level usual = before(counted_.size());
  const double reach =
      rule_.clip * std::sqrt(noise(counted_.size()).factor * (variance + 1 / usual.precision));
  Sums sums = sums_.back();
  const double change = std::clamp(night.change.log, usual.mean - reach, usual.mean + reach);
  if (!counted_.empty()) {
    const double step = change - sums.change;
    sums.differences += step * step / (variance + sums.variance);
  }
  sums.change = change;
  sums.variance = variance;
  sums.precision += 1 / variance;
  sums.weighted += change / variance;
  sums_.push_back(sums);
  counted_.push_back(which);
}

void Cusum::look() {
  double most = rule_.limit;
  const std::size_t nights = counted_.size();
  for (std::size_t t = 0; t + static_cast<std::size_t>(rule_.least_nights) <= nights; ++t) {
    const Level old = before(t);
    const Level now = since(t);
    const double slower_by = now.mean - old.mean;
    if (slower_by <= 0 || now.mean <= rule_.tolerance) {
      continue;
    }
    const Noise noise_now = noise(t);
    const double variance = 1 / now.precision + 1 / old.precision;
    const double p = static_cast<double>(nights - t) / (now.precision * variance);
    const double score = slower_by / std::sqrt(noise_now.factor * variance);
    const auto sum = [&](double z) { return std::sqrt(p) * z - rule_.allowance * p; };
    if (sum(score) <= most) {
      continue;  // a normal score is smaller still, and takes long to compute
    }
    const double exact = sum(normal_score(score, noise_now.degrees));
    if (exact > most) {
      most = exact;
      creep_ = {counted_[t], counted_.back(), {}};
      found_ = {t, old.mean, slower_by, noise_now.factor};
    }
  }
}

bool Cusum::is_back() {
  const NightPoint& night = nights_.back();
  const double variance = found_.noise_factor * night.noise * night.noise;
  const double reach = rule_.clip * std::sqrt(variance);
  const double above = std::clamp(night.change.log - found_.old, -reach, found_.slower_by + reach);
  back_ += found_.slower_by * (found_.slower_by / 2 - above) / variance;
  if (back_ <= 0) {
    back_ = 0;
    nights_back_ = 0;
    return false;
  }
  ++nights_back_;
  if (back_ <= 2 * rule_.allowance * rule_.limit ||
      nights_back_ < static_cast<std::size_t>(rule_.least_nights)) {
    return false;
  }
  sums_.resize(found_.first + 1);
  counted_.resize(found_.first);
  for (std::size_t i = nights_.size() - nights_back_; i < nights_.size(); ++i) {
    count(i);
  }
  back_ = 0;
  nights_back_ = 0;
  return true;
}

std::optional<Creep> find_creep(std::span<const NightPoint> nights, const CusumRule& rule) {
  if (nights.empty()) {
    return std::nullopt;
  }
  Cusum cusum(nights.back(), rule);
  for (const auto& night : nights) {
    cusum.add(night);
  }
  return cusum.creep();
}

}  // namespace perfgate
