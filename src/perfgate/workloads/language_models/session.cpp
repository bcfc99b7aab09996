#include "perfgate/workloads/language_models/session.h"

#include <ATen/Context.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

#include "perfgate/workloads/captured_graph.h"

namespace perfgate::language_models {
namespace {

constexpr std::uint64_t kDrawSeed = 61;
constexpr Sampling kSampling = {};  // the benchmark's

// A layer rounds some eight times, each time independently of the others, evenly within a roundoff;
// its products in fp32 add errors of as many terms. The largest of some ten thousand errors lies
// five deviations out.
Tolerance tolerance_of(const Run& run) {
  const double roundings = 8 * static_cast<double>(run.shape.layers);
  const double roundoff = unit_roundoff(run.precision.activations);
  const double of_a_sum =
      unit_roundoff(at::kFloat) * std::sqrt(static_cast<double>(run.shape.width));
  return {0, 0, 5 * std::sqrt(roundings * (roundoff * roundoff / 3 + of_a_sum * of_a_sum))};
}

// What is drawn next is the same in every run from here.
void seed(at::Device device) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(kDrawSeed);
}

// A model in memory, and what its two phases have in common.
class Session {
 public:
  Session(const Run& run, at::Device device,
          const std::function<ModelPass(const Transformer&)>& pass_of)
      : run_(run),
        device_(device),
        model_(run.shape, run.precision, run.positions, device),
        pass_(pass_of(model_)),
        prompt_(at::tensor(benchmark_prompt()).remainder(run.shape.vocabulary).to(device)),
        cursor_(run.positions, device) {
    if (is_graph(run.execution)) {
      start();  // libraries make what they work with at their first calls, which no graph may hold
      logits_ = decode_step(pass_, kSampling, cursor_);
      replay_ = captured_graph([this] { logits_ = decode_step(pass_, kSampling, cursor_); });
    }
  }

  void restart() { seed(device_); }

  /// The scores behind the prompt, and the token drawn by them.
  Outputs start(Routes* routes = nullptr) {
    const at::Tensor logits = prefill(pass_, prompt_, kSampling, cursor_, routes);
    return {logits, cursor_.token.clone()};
  }

  /// The scores that the last token was drawn by, and all tokens behind the cursor's.
  Outputs go_on() {
    for (std::int64_t i = 0; i < run_.tokens; ++i) {
      if (replay_) {
        replay_();
      } else {
        logits_ = decode_step(pass_, kSampling, cursor_);
      }
    }
    return {logits_.clone(), drawn().clone()};
  }

  Outputs reference_of_start() {
    restart();
    Routes noted;
    const Outputs again = start(&noted);
    return {exact_scores(prompt_, noted), again[1].to(at::kDouble)};
  }

  /// Kernel by kernel, where a graph is replayed too: both draw the same.
  Outputs reference_of_going_on() {
    restart();
    Routes noted;
    start(&noted);
    for (std::int64_t i = 0; i < run_.tokens; ++i) {
      decode_step(pass_, kSampling, cursor_, &noted);
    }
    const std::int64_t passed = prompt_.size(0) + run_.tokens;
    return {exact_scores(cursor_.text.narrow(0, 0, passed), noted), drawn().to(at::kDouble)};
  }

  [[nodiscard]] std::vector<at::Tensor> weights() const { return model_.weights(); }

 private:
  [[nodiscard]] at::Tensor drawn() const {
    return cursor_.text.narrow(0, prompt_.size(0) + 1, run_.tokens);
  }

  // In float64, of what follows these tokens; mixtures take the experts that were noted.
  [[nodiscard]] at::Tensor exact_scores(const at::Tensor& tokens, const Routes& noted) const {
    Routes followed = noted.of_one_pass(static_cast<std::size_t>(run_.shape.layers));
    return model_.exact_logits(tokens, &followed)[-1];
  }

  Run run_;
  at::Device device_;
  Transformer model_;
  ModelPass pass_;
  at::Tensor prompt_;
  Cursor cursor_;
  at::Tensor logits_;  // of the last step; where a graph is replayed, always in the same place
  std::function<void()> replay_;
};

}  // namespace

Prepared prepare_generation(const Run& run, at::Device device,
                            const std::function<ModelPass(const Transformer&)>& pass_of) {
  const auto session = std::make_shared<Session>(run, device, pass_of);
  Prepared out;
  PreparedPhase& prefill = out.phases[Phase::kPrefill];
  prefill.before_each = [session] { session->restart(); };
  prefill.run = [session] { return session->start(); };
  prefill.reference = [session] { return session->reference_of_start(); };
  // The scores of the last token depend on all keys and values that decoding has left.
  PreparedPhase& decode = out.phases[Phase::kDecode];
  decode.before_each = [session] {
    session->restart();
    session->start();
  };
  decode.run = [session] { return session->go_on(); };
  decode.reference = [session] { return session->reference_of_going_on(); };
  for (auto& [phase, part] : out.phases) {
    part.tolerances = {tolerance_of(run), {}};
    part.operands = session->weights();
  }
  return out;
}

}  // namespace perfgate::language_models
