// How long a history of nights takes to read and to judge: a year of a thousand series, as nights
// append them, which is written into FOLDER.
//   bench_history FOLDER

#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "command_line.h"
#include "perfgate/gate/cusum.h"
#include "perfgate/run/night/night_history.h"

namespace {

constexpr int kSeries = 1000;
constexpr int kNights = 365;
constexpr double kNoise = 0.0015;  // in logs

// Of this process's own, which others on the machine do not lengthen.
double cpu_seconds_of(const std::function<void()>& what) {
  const std::clock_t begin = std::clock();
  what();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

std::vector<perfgate::CaseNight> night_of(int number, std::mt19937_64& random) {
  std::normal_distribution<double> normal(0, kNoise);
  std::vector<perfgate::CaseNight> out;
  for (int i = 0; i < kSeries; ++i) {
    const double change = normal(random);
    perfgate::CaseNight night{
        fmt::format("2026-{:02}-{:02}T03:00:00Z", 1 + number / 31, 1 + number % 31),
        "NVIDIA H200",
        "GPU-a32602a2-7d04-5b43-9c9e-2a5a0de7b0ab",
        "0123abcd",
        "2.11.0+cu130",
        "580.159.04",
        fmt::format("gpt_fast/gather_gemv/bf16/N{}/E8/eager", i),
        "2026-11-21T07-04-00Z-GPU-a32602a2",
        1,
        perfgate::Verdict::kPass,
        {}};
    night.metrics[perfgate::kNetTime] = {123.4567 * std::exp(change), change,
                                         perfgate::SeriesNoise{kNoise, kNoise / 2, 10}, 3,
                                         perfgate::Verdict::kPass};
    out.push_back(std::move(night));
  }
  return out;
}

int run(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_history FOLDER\n");
    return 2;
  }
  const auto path = perfgate::night_history_path(argv[1], "A year");
  std::filesystem::remove(path);
  std::mt19937_64 random(20261127);
  perfgate::FileCalls disk;
  for (int night = 0; night < kNights; ++night) {
    append_nights(path, night_of(night, random), disk);
  }
  std::map<std::string, std::vector<perfgate::NightPoint>> points;
  const double reading = cpu_seconds_of([&] {
    perfgate::for_each_night(path, [&](const perfgate::CaseNight& night) {
      const auto& one = night.metrics.begin()->second;
      points[night.case_key].push_back(
          {one.change, one.noise->night, one.noise->reference, one.noise->degrees});
    });
  });
  const perfgate::CusumRule rule{1, 3, 2, 5, 0, perfgate::cusum_limit(0.01 / kSeries, 1)};
  int creeps = 0;
  const double judging = cpu_seconds_of([&] {
    for (const auto& [key, nights] : points) {
      creeps += find_creep(nights, rule) ? 1 : 0;
    }
  });
  fmt::print(
      "{} series, {} nights, {:.0f} MB: read in {:.2f} s of CPU time, judged in {:.2f} s; {} "
      "creeps stand\n",
      points.size(), kNights, static_cast<double>(std::filesystem::file_size(path)) / 1e6, reading,
      judging, creeps);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return perfgate::ended(run, argc, argv); }
