#include "perfgate/measure/cpu_sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fixtures/fake_machine.h"
#include "fixtures/fake_tracer.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

using testing_support::CountingFlush;
using testing_support::FakeClock;
using testing_support::FakeControl;

class Sampling : public testing::Test {
 protected:
  // 2e7 bytes in 10 ms against a control of 1e9 in 100 ms: 2 GB/s over 10 GB/s is 20 %.
  Body body(std::function<void()> run) {
    return {std::move(run), {{2e7}, {0}, Bound::kMemory}, Seconds(0.01), {}};
  }
  Body steady_body() {
    return body([this] { clock_.pass(Seconds(0.01)); });
  }
  MeasuredBody measure(const Body& what, double inject_percent = 0) {
    CpuSampler sampler(protocol_, clock_, flush_,
                       [this](Bound) { return std::make_unique<FakeControl>(clock_, share_); });
    return sampler.measure(what, {inject_percent, {}});
  }

  FakeClock clock_;
  CountingFlush flush_;
  Seconds share_{0.1};
  CpuProtocol protocol_;
};

TEST_F(Sampling, ReportsTheBodysRateOverTheControls) {
  const auto out = measure(steady_body());
  EXPECT_NEAR(out.metrics.at(Quantity::kTime).value, 10'000, 1e-6);
  EXPECT_NEAR(out.metrics.at(Quantity::kUtilisation).value, 0.2, 1e-12);
  EXPECT_NEAR(out.report.ceilings.at({"fake", Unit::kGflopPerS}), 10,
              1e-9);  // 1e9 in 0.1 s, in units of 1e9 a second
  EXPECT_TRUE(out.metrics.at(Quantity::kUtilisation).judged);
  EXPECT_FALSE(out.metrics.at(Quantity::kTime).judged);
}

TEST_F(Sampling, TracesABodyApartFromItsSamples) {
  int traced_runs = 0;
  testing_support::FakeTracer tracer;
  const auto counted = body([&] {
    traced_runs += tracer.running ? 1 : 0;
    clock_.pass(Seconds(0.01));
  });
  const auto make_control = [this](Bound) { return std::make_unique<FakeControl>(clock_, share_); };
  CpuSampler sampler(protocol_, clock_, flush_, make_control, &tracer);
  const auto measured = sampler.measure(counted, {});
  EXPECT_FALSE(measured.report.trace);
  EXPECT_TRUE(measured.execution.empty());
  EXPECT_EQ(traced_runs, 0);
  PhaseReport report;
  auto traced = sampler.traced(counted);
  report.trace = traced.trace;
  EXPECT_EQ(traced_runs, 4);  // one to warm up
  EXPECT_EQ(traced.execution.size(), 3U);
  EXPECT_EQ(kernels_of(report).size(), 3U);
  EXPECT_FALSE(tracer.running);
  tracer.refused = "start";
  traced = sampler.traced(counted);
  report.trace = traced.trace;
  EXPECT_EQ(why_untraced(report), "start: another profiler");
  EXPECT_TRUE(traced.execution.empty());
  EXPECT_FALSE(tracer.running);
  EXPECT_FALSE(CpuSampler(protocol_, clock_, flush_, make_control).traced(counted).trace);
}

TEST_F(Sampling, GivesFewSamplesToABodyThatTakesFarLongerThanExpected) {
  int runs = 0;
  const auto slow = body([&] {
    ++runs;
    clock_.pass(Seconds(13));  // of a declared length of 10 ms
  });
  const auto out = measure(slow);
  EXPECT_EQ(runs, 2) << "one to warm up, one sample";
  EXPECT_NEAR(out.metrics.at(Quantity::kTime).value, 13e6, 1e-3);
  const auto usual = measure(steady_body());
  EXPECT_EQ(out.report.protocol, usual.report.protocol) << "or nothing would be compared with it";
  EXPECT_EQ(usual.report.samples.at("time_us").size(), 40U);
}

TEST_F(Sampling, RefusesWhatIsTooShortToTime) {
  const auto lasting = [this](double seconds) {
    return body([this, seconds] { clock_.pass(Seconds(seconds)); });
  };
  EXPECT_THROW((void)measure(lasting(20e-9)), SystemError);
  EXPECT_NO_THROW((void)measure(lasting(1.1e-6)));
}

TEST_F(Sampling, DoesNotMoveWhenTheWholeMachineSlowsDown) {
  double slow = 1;
  const auto drifting = body([&] {
    slow *= 1.01;  // everything gets 1 % slower with every sample
    share_ = Seconds(0.1 * slow);
    clock_.pass(Seconds(0.01 * slow));
  });
  const auto out = measure(drifting);
  EXPECT_GT(out.report.samples.at("time_us").back(),
            1.3 * out.report.samples.at("time_us").front());
  EXPECT_NEAR(out.metrics.at(Quantity::kUtilisation).value, 0.2, 0.2 * 0.011);
}

TEST_F(Sampling, SeesABodyThatGetsSlowerAlone) {
  const auto slower = body([this] { clock_.pass(Seconds(0.012)); });
  EXPECT_NEAR(measure(slower).metrics.at(Quantity::kUtilisation).value, 0.2 / 1.2, 1e-12);
}

TEST_F(Sampling, ThrowsAwayASampleDuringWhichSomebodyElseRan) {
  int run = 0;
  const auto disturbed = body([&] {
    const bool stolen = ++run == 12;
    clock_.pass(stolen ? Seconds(0.05) : Seconds(0.01), Seconds(0.01));
  });
  const auto out = measure(disturbed);
  EXPECT_EQ(out.report.discarded, 1);
  EXPECT_FALSE(out.report.noisy);
  for (const double time_us : out.report.samples.at("time_us")) {
    EXPECT_NEAR(time_us, 10'000, 1e-6);
  }
}

TEST_F(Sampling, KeepsASampleThatWasDisturbedByLessThanTheLimit) {
  const auto nearly = body([this] { clock_.pass(Seconds(0.01004), Seconds(0.01)); });
  EXPECT_EQ(measure(nearly).report.discarded, 0);
}

TEST_F(Sampling, GivesUpAfterHalfTheSamplesAndSaysNoisy) {
  const auto always = body([this] { clock_.pass(Seconds(0.02), Seconds(0.01)); });
  const auto out = measure(always);
  const auto samples = static_cast<int>(out.report.samples.at("time_us").size());
  EXPECT_EQ(out.report.discarded, samples / 2);
  EXPECT_TRUE(out.report.noisy);
}

// Its samples were discarded as disturbed, at any length of the wait.
TEST_F(Sampling, CountsTheTimeInWhichTheBodyItselfWaits) {
  const auto waiting = body([this] {
    clock_.pass(Seconds(0.01));
    clock_.wait(Seconds(0.03));
  });
  const auto out = measure(waiting);
  EXPECT_EQ(out.report.discarded, 0);
  EXPECT_FALSE(out.report.noisy);
  EXPECT_NEAR(out.metrics.at(Quantity::kTime).value, 40'000, 1e-6);
  EXPECT_NEAR(out.metrics.at(Quantity::kUtilisation).value, 0.2 / 4, 1e-12);
}

TEST_F(Sampling, RecordsHowFarItsSamplesSpread) {
  int run = 0;
  const auto two_speeds = body([&] { clock_.pass(Seconds(++run % 2 == 0 ? 0.010 : 0.012)); });
  const auto spread = measure(two_speeds).metrics.at(Quantity::kSampleSpread);
  EXPECT_FALSE(spread.judged);
  EXPECT_NEAR(spread.value, (0.2 - 0.2 / 1.2) / (0.2 * (1 + 1 / 1.2) / 2), 1e-9);
  EXPECT_GT(measure(steady_body()).metrics.at(Quantity::kSampleSpread).value, 0);
}

TEST_F(Sampling, DiscardsASampleWhoseClockJumpedBack) {
  int run = 0;
  const auto jumping =
      body([&] { clock_.pass(++run == 12 ? Seconds(-3) : Seconds(0.01), Seconds(0.01)); });
  const auto out = measure(jumping);
  EXPECT_EQ(out.report.discarded, 1);
  for (const double time_us : out.report.samples.at("time_us")) {
    EXPECT_GT(time_us, 0);
  }
}

TEST_F(Sampling, InjectsTheSlowdownItIsAskedForAndReportsIt) {
  const auto out = measure(steady_body(), 20);
  ASSERT_TRUE(out.report.injected_percent.has_value());
  EXPECT_NEAR(*out.report.injected_percent, 20, 1e-6);
  EXPECT_NEAR(out.metrics.at(Quantity::kUtilisation).value, 0.2 / 1.2, 1e-9);
  EXPECT_FALSE(measure(steady_body()).report.injected_percent.has_value());
}

// A control whose memory costs three times as much to run over right after it was flushed.
struct Memory {
  std::byte byte{};
  bool cold = false;
  [[nodiscard]] std::span<const std::byte> bytes() const { return {&byte, 1}; }
};

class MemoryFlush final : public CacheFlush {
 public:
  explicit MemoryFlush(Memory& memory) : memory_(memory) {}
  void flush(std::span<const std::span<const std::byte>> flushed) override {
    for (const auto& bytes : flushed) {
      memory_.cold = memory_.cold || bytes.data() == &memory_.byte;
    }
  }
  [[nodiscard]] std::string name() const override { return "memory"; }

 private:
  Memory& memory_;
};

class MemoryControl final : public CpuControl {
 public:
  MemoryControl(FakeClock& clock, Memory& memory) : clock_(clock), memory_(memory) {}
  void run(double shares) override {
    clock_.pass(shares * Seconds(memory_.cold ? 0.03 : 0.01));
    memory_.cold = false;
  }
  [[nodiscard]] double work() const override { return 1e9; }
  [[nodiscard]] std::vector<std::span<const std::byte>> operands() const override {
    return {memory_.bytes()};
  }
  [[nodiscard]] std::string name() const override { return "memory-1"; }
  [[nodiscard]] Ceiling ceiling() const override { return {"memory", Unit::kGbPerS}; }

 private:
  FakeClock& clock_;
  Memory& memory_;
};

TEST_F(Sampling, InjectsAsMuchOverFlushedMemoryAsItCalibratedFor) {
  Memory memory;
  MemoryFlush flush(memory);
  CpuSampler sampler(protocol_, clock_, flush,
                     [&](Bound) { return std::make_unique<MemoryControl>(clock_, memory); });
  EXPECT_NEAR(sampler.measure(steady_body(), {20, {}}).report.injected_percent.value(), 20, 1e-6);
}

TEST_F(Sampling, RunsAControlRightBeforeAndAfterEveryBlock) {
  const auto out = measure(steady_body());  // 10 ms bodies: blocks of one sample
  EXPECT_EQ(out.report.samples.at("control_us").size(),
            out.report.samples.at("time_us").size() + 1);
  EXPECT_EQ(std::get<std::int64_t>(out.report.protocol.at("block")), 1);
}

TEST_F(Sampling, ShowsTheSamplesOfWhatIsJudgedUnderItsName) {
  const auto out = measure(steady_body());
  for (const auto& [quantity, measurement] : out.metrics) {
    const std::string name(name_of(quantity));
    EXPECT_EQ(out.report.samples.count(name) > 0, measurement.judged) << name;
  }
}

TEST_F(Sampling, FlushesBeforeEverySampleAndControl) {
  const auto out = measure(steady_body());
  EXPECT_EQ(flush_.flushes, static_cast<int>(out.report.samples.at("control_us").size() +
                                             out.report.samples.at("time_us").size()));
}

TEST_F(Sampling, SaysInTheProtocolWhatMakesMeasurementsComparable) {
  const auto protocol = measure(steady_body()).report.protocol;
  EXPECT_EQ(std::get<std::string>(protocol.at("control")), "fake-1");
  EXPECT_EQ(std::get<std::string>(protocol.at("flush")), "counted");
  EXPECT_EQ(std::get<std::int64_t>(protocol.at("samples")),
            std::int64_t{plan_for(protocol_, Seconds(0.01)).samples});
}

TEST_F(Sampling, MeasuresTheCeilingOfEveryBound) {
  CpuSampler sampler(protocol_, clock_, flush_,
                     [this](Bound) { return std::make_unique<FakeControl>(clock_, share_); });
  EXPECT_NEAR(sampler.ceilings().at({"fake", Unit::kGflopPerS}), 10, 1e-9);
}

}  // namespace
}  // namespace perfgate
