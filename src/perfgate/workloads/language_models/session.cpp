#include "perfgate/workloads/language_models/session.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
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
// its products in fp32 add errors of as many terms. The largest of a million errors lies five
// deviations out.
Tolerance tolerance_behind(double layers, const Run& run) {
  const double roundings = 8 * layers;
  const double roundoff = unit_roundoff(run.precision.activations);
  const double of_a_sum =
      unit_roundoff(at::kFloat) * std::sqrt(static_cast<double>(run.shape.width));
  return {0, 0, 5 * std::sqrt(roundings * (roundoff * roundoff / 3 + of_a_sum * of_a_sum))};
}

Tolerance tolerance_of_scores(const Run& run) {
  return tolerance_behind(static_cast<double>(run.shape.layers), run);
}

// What is drawn next is the same in every run from here.
void seed(at::Device device) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(kDrawSeed);
}

// Of activations behind each layer, those of the last tokens.
at::Tensor of_last(std::int64_t tokens, const std::vector<at::Tensor>& activations) {
  std::vector<at::Tensor> out;
  for (const auto& of_layer : activations) {
    out.push_back(of_layer.narrow(0, of_layer.size(0) - tokens, tokens));
  }
  return at::cat(out);
}

// A model in memory, and what its phases have in common.
class Session {
 public:
  Session(const Run& run, at::Device device,
          const std::function<ModelPass(const Transformer&)>& pass_of)
      : run_(run),
        device_(device),
        model_(run.shape, run.precision, run.positions, device),
        pass_(pass_of(model_)),
        prompt_(at::tensor(benchmark_prompt()).remainder(run.shape.vocabulary).to(device)),
        cursor_(run.positions, run.shape.vocabulary, model_.embedding().options()) {
    if (is_graph(run.execution)) {
      start();  // libraries make what they work with at their first calls, which no graph may hold
      step();
      replay_ = captured_graph([this] { step({nullptr, &of_the_graph_}); });
    }
  }

  void restart() { seed(device_); }

  void start(const Notes& notes = {}) { prefill(pass_, prompt_, kSampling, cursor_, notes); }

  /// Gives the activations behind each layer of the last pass.
  std::vector<at::Tensor> go_on() {
    std::vector<at::Tensor> of_last_pass = of_the_graph_;
    for (std::int64_t i = 0; i < run_.tokens; ++i) {
      if (replay_) {
        replay_();
      } else {
        of_last_pass.clear();
        step({nullptr, &of_last_pass});
      }
    }
    return of_last_pass;
  }

  /// The same kernel by kernel, where a graph is replayed too: both draw the same.
  void go_on_and_note(const Notes& notes) {
    for (std::int64_t i = 0; i < run_.tokens; ++i) {
      step(notes);
    }
  }

  /// Of the tokens behind the prompt from the `first` to the `last`: the scores that they were
  /// drawn by, the tokens, and the activations behind each layer of the pass that the last was
  /// drawn from, of each of its tokens.
  [[nodiscard]] Outputs drawn(std::int64_t first, std::int64_t last,
                              const std::vector<at::Tensor>& activations) const {
    const std::int64_t begin = prompt_.size(0) + first;
    const std::int64_t count = last + 1 - first;
    return {cursor_.scores.narrow(0, begin, count).clone(),
            cursor_.text.narrow(0, begin, count).clone(), at::cat(activations)};
  }

  /// What these must be, in float64, by what a run of the same has noted. Scores: of the tokens
  /// that the cursor has, along the same experts. Tokens: the same, where these scores allow them.
  /// Activations: what each layer makes of what it was given, along the same experts where they may
  /// be the best there.
  [[nodiscard]] Outputs reference_of_drawn(std::int64_t first, std::int64_t last,
                                           const Routes& routes,
                                           const std::vector<at::Tensor>& activations) const {
    const auto layers = static_cast<std::size_t>(run_.shape.layers);
    const std::int64_t begin = prompt_.size(0) + first;
    const std::int64_t count = last + 1 - first;
    const auto passed = cursor_.text.narrow(0, 0, begin + count - 1);
    Routes along = routes.of_one_pass(layers);
    const auto scores = model_.exact_logits(passed, &along).narrow(0, begin - 1, count);
    const auto slack = 2 * tolerance_of_scores(run_).of_rms * scores.square().mean(-1).sqrt();
    const auto tokens =
        drawn_or_best(cursor_.text.narrow(0, begin, count), scores, kSampling, slack);
    along = routes.of_one_pass(layers, 2 * tolerance_behind(1, run_).of_rms);
    const auto behind_layers =
        model_.exact_layers(passed, joined_by_layer(activations, layers), &along);
    const std::int64_t of_last_pass = last == 0 ? prompt_.size(0) : 1;
    return {scores, tokens.to(at::kDouble), of_last(of_last_pass, behind_layers)};
  }

  [[nodiscard]] std::int64_t tokens() const { return run_.tokens; }
  [[nodiscard]] std::vector<at::Tensor> weights() const { return model_.weights(); }

 private:
  void step(const Notes& notes = {}) { decode_step(pass_, kSampling, cursor_, notes); }

  Run run_;
  at::Device device_;
  Transformer model_;
  ModelPass pass_;
  at::Tensor prompt_;
  Cursor cursor_;
  std::vector<at::Tensor> of_the_graph_;  // activations, where each replay writes them
  std::function<void()> replay_;
};

PreparedPhase prefill_of(const std::shared_ptr<Session>& session) {
  PreparedPhase out;
  out.before_each = [session] { session->restart(); };
  out.run = [session] {
    std::vector<at::Tensor> activations;
    session->start({nullptr, &activations});
    return session->drawn(0, 0, activations);
  };
  out.reference = [session] {
    Routes routes;
    std::vector<at::Tensor> activations;
    session->restart();
    session->start({&routes, &activations});
    return session->reference_of_drawn(0, 0, routes, activations);
  };
  return out;
}

PreparedPhase decode_of(const std::shared_ptr<Session>& session) {
  PreparedPhase out;
  out.before_each = [session] {
    session->restart();
    session->start();
  };
  out.run = [session] {
    const auto activations = session->go_on();
    return session->drawn(1, session->tokens(), activations);
  };
  out.reference = [session] {
    Routes routes;
    std::vector<at::Tensor> activations;
    session->restart();
    session->start({&routes, &activations});
    session->go_on_and_note({&routes, &activations});
    return session->reference_of_drawn(1, session->tokens(), routes, activations);
  };
  return out;
}

}  // namespace

Prepared prepare_generation(const Run& run, at::Device device,
                            const std::function<ModelPass(const Transformer&)>& pass_of) {
  const auto session = std::make_shared<Session>(run, device, pass_of);
  Prepared out;
  if (!is_graph(run.execution)) {
    out.phases[Phase::kPrefill] = prefill_of(session);
  }
  out.phases[Phase::kDecode] = decode_of(session);
  for (auto& [phase, part] : out.phases) {
    part.tolerances = {tolerance_of_scores(run), {}, tolerance_behind(1, run)};
    part.operands = session->weights();
  }
  return out;
}

}  // namespace perfgate::language_models
