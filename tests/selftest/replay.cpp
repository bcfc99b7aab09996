#include "replay.h"

#include <ATen/ops/ones.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "perfgate/core/errors.h"
#include "perfgate/device/cpu.h"
#include "perfgate/model/case_key.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::selftest {
namespace {

constexpr const char* kRecording = PERFGATE_SOURCE_DIR "/fixtures/data/h200_noise.txt";
constexpr double kEventFloorUs = 2.70;

// A body is a function without a name; running it says what it stands for.
struct Selected {
  std::string operation;
  double times_slower = 1;
};
Selected& selected() {
  static Selected selected;
  return selected;
}

// Positions are handed out in order; workers of one run follow each other, so no lock is needed.
std::size_t next_position(const std::string& operation) {
  const char* folder = std::getenv("PERFGATE_REPLAY_TAPE");
  if (folder == nullptr) {
    return 0;
  }
  const auto path = std::filesystem::path(folder) / test_name_of(operation);
  std::size_t position = 0;
  std::ifstream(path) >> position;
  std::ofstream(path) << position + 1;
  return position;
}

class Recorded final : public Device {
 public:
  [[nodiscard]] DeviceIdentity identity() const override {
    return {"cuda", "Replayed H200", "GPU-replay00", {}};
  }
};

class Player final : public Sampler {
 public:
  MeasuredBody measure(const Body& body, const Conditions& conditions) override {
    if (body.before_each) {
      body.before_each();
    }
    body.run();
    const std::string& operation = selected().operation;
    if (operation.empty()) {
      return unrecorded();
    }
    const auto& series = recording_.at(operation);
    double net_us = selected().times_slower * series.at(next_position(operation) % series.size());
    MeasuredBody out;
    if (conditions.inject_percent > 0) {
      net_us *= 1 + conditions.inject_percent / 100;
      out.report.injected_percent = conditions.inject_percent;
    }
    const std::string variance_class =
        std::string("cuda/") + (body.traffic.bound == Bound::kMemory ? "memory/" : "compute/") +
        (series.front() < 40 ? "short" : "long");
    out.metrics[Quantity::kTime] = {net_us + kEventFloorUs, false, variance_class};
    out.metrics[Quantity::kNetTime] = {net_us, true, variance_class};
    out.report.protocol = {{"recording", std::string("h200_noise gap2")}};
    out.report.samples["net_us"] = {net_us};
    return out;
  }
  CeilingRates ceilings() override { return {{{"dram_read", Unit::kGbPerS}, 4430}}; }

 private:
  // A case that is no recording still has to be measured as something.
  static MeasuredBody unrecorded() {
    MeasuredBody out;
    out.metrics[Quantity::kNetTime] = {1, true, "cuda/memory/short"};
    out.metrics[Quantity::kCycles] = {1900, true, "cuda/cycles"};
    return out;
  }
  std::map<std::string, std::vector<double>> recording_ = read_recording(kRecording);
};

bool is_compute_bound(const std::string& operation) {
  return operation.rfind("mm_", 0) == 0 || operation == "sdpa" || operation == "lstm";
}

}  // namespace

std::map<std::string, std::vector<double>> read_recording(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) {
    throw SystemError("cannot read " + path, "the selftest needs its recording; restore it");
  }
  std::map<std::string, std::vector<double>> out;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string process;
    std::string operation;
    std::string variant;
    std::string label;
    int samples = 0;
    double median_us = 0;
    words >> process >> operation >> variant >> label >> samples >> label >> median_us;
    if (words && variant == "gap2") {
      out[operation].push_back(median_us - kEventFloorUs);
    }
  }
  return out;
}

void play(const std::string& operation, double times_slower) {
  selected() = {operation, times_slower};
}

std::vector<Case> replay_cases(at::DeviceType /*device*/) {
  std::vector<Case> out;
  for (const auto& [operation, series] : read_recording(kRecording)) {
    Case item;
    item.key = "replay/" + operation;
    item.work().traffic = {
        {1e6}, {1e6}, is_compute_bound(operation) ? Bound::kCompute : Bound::kMemory};
    item.work().executed = item.work().traffic;
    item.prepare = [name = operation](const PrepareContext&) {
      return PreparedPhase{[name] {
                             play(name);
                             return at::ones({1});
                           },
                           [] { return at::ones({1}, at::kDouble); },
                           {Tolerance{}},
                           {}};
    };
    out.push_back(std::move(item));
  }
  return out;
}

Backend make_replay_backend(const std::string& device) {
  if (device != "cpu" && device != "cuda") {  // workers of a GPU's gate are told "cuda"
    throw UsageError("no device \"" + device + "\"", "a recording is played on the cpu");
  }
  Backend out;
  out.device = std::make_unique<Recorded>();
  out.torch_device = "cpu";
  out.prepare_worker = [] {};
  out.available_bytes = [] { return static_cast<double>(available_memory_bytes()); };
  out.make_sampler = [] { return std::make_unique<Player>(); };
  out.plan = [](Seconds expected) { return plan_for(CudaProtocol{}, expected); };
  return out;
}

}  // namespace perfgate::selftest
