#include "perfgate/measure/host_pass.h"

#include <cmath>

#include "perfgate/measure/host_control.h"
#include "perfgate/measure/sample_taker.h"
#include "perfgate/stats/descriptive.h"

namespace perfgate {
namespace {

// Whose noise they share. Hosts of one kind of GPU differ by half, and by far less over a control.
constexpr const char* kEnqueueClass = "cuda/enqueue";
constexpr const char* kRelativeEnqueueClass = "cuda/relative_enqueue";

// Relative. Half of the 20 % that are to be found, so that noise has the other half.
constexpr double kTolerance = 0.1;

// However the pass ends: what is measured or checked behind it may run anywhere.
class OnOneCore {
 public:
  explicit OnOneCore(const OneCore& one_core) : one_core_(one_core) { one_core_.keep(); }
  ~OnOneCore() { one_core_.release(); }
  OnOneCore(const OnOneCore&) = delete;
  OnOneCore& operator=(const OnOneCore&) = delete;

 private:
  const OneCore& one_core_;
};

}  // namespace

bool host_may_decide(const CudaProtocol& protocol, double host_us, double device_us) {
  return host_us >= protocol.host_may_decide * device_us;
}

std::optional<HostSeries> take_host_pass(Gpu& gpu, const OneCore& one_core, const Body& body,
                                         HostPassPlan plan) {
  const int runs = body.before_each ? 1 : plan.runs;
  const auto run = [&body, runs] {
    for (int i = 0; i < runs; ++i) {
      body.run();
    }
  };
  const OnOneCore here(one_core);
  HostControl control(gpu);
  // Without a pause: such bodies draw little, and the device's clock is not asked for.
  SampleTaker taker(gpu, /*pause=*/0, body.before_each);
  HostSeries out;
  Seconds before = control.measure();
  for (int i = 0; i < plan.samples && taker.queued_whole(); ++i) {
    const Sample sample = taker.take(run);
    const Seconds after = control.measure();
    out.enqueue_us.push_back(Microseconds(sample.host).count() / runs);
    out.control_us.push_back(Microseconds((before + after) / 2).count());
    before = after;
  }
  return taker.queued_whole() ? std::optional(std::move(out)) : std::nullopt;
}

std::map<Quantity, Measurement> host_pass_metrics(const HostSeries& series, double device_us) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < series.enqueue_us.size(); ++i) {
    ratios.push_back(series.enqueue_us[i] / series.control_us[i]);
  }
  const double enqueue_us = median(series.enqueue_us);
  std::map<Quantity, Measurement> out;
  out[Quantity::kEnqueueTime] = {enqueue_us, false, kEnqueueClass};
  out[Quantity::kEnqueueTime].tolerance = kTolerance;
  out[Quantity::kRelativeEnqueueTime] = {median(ratios), enqueue_us >= device_us,
                                         kRelativeEnqueueClass};
  out[Quantity::kRelativeEnqueueTime].tolerance = kTolerance;
  out[Quantity::kHostControl] = {median(series.control_us), false, kRelativeEnqueueClass};
  return out;
}

std::string host_pass_text(const CudaProtocol& protocol) {
  return std::to_string(std::lround(1e3 * protocol.host_pass.count())) +
         " ms on one core, samples as long as " + HostControl::kName + " beside them";
}

}  // namespace perfgate
