#include "perfgate/workloads/language_models/language_model.h"

#include <ATen/Context.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>

#include "perfgate/workloads/language_models/generation.h"
#include "perfgate/workloads/prepared.h"

namespace perfgate::language_models {
namespace {

constexpr std::uint64_t kDrawSeed = 61;
constexpr Sampling kSampling = {};  // the benchmark's

struct Run {
  ModelShape shape;
  Precision precision;
  std::int64_t tokens = 0;  ///< that decode makes
};

std::int64_t prompt_length() { return static_cast<std::int64_t>(benchmark_prompt().size()); }

// Room for prompt and tokens, rounded up as the benchmark does.
std::int64_t positions_of(const Run& run) { return (prompt_length() + run.tokens + 7) / 8 * 8; }

// Values of the matrices that a token is multiplied by.
double products_a_token(const ModelShape& shape) {
  const auto width = static_cast<double>(shape.width);
  const double networks = shape.experts == 0 ? 1 : static_cast<double>(shape.chosen);
  const double layer = width * static_cast<double>(shape.qkv_rows() + shape.width + shape.experts) +
                       networks * 3 * width * static_cast<double>(shape.hidden);
  return static_cast<double>(shape.layers) * layer + width * static_cast<double>(shape.vocabulary);
}

// Attention is to every position that there is room for: those to come are masked out.
double attention_operations_a_token(const Run& run) {
  return 4 * static_cast<double>(run.shape.layers * run.shape.width * positions_of(run));
}

// Operators of a pass: a layer's norms (5 each), products, rotations (8 each), cache and attention;
// more for a choice of experts. Quantised products cast and scale.
double launches_of_a_pass(const Run& run) {
  const double quantised = run.precision.int8_weights ? 2 : 0;
  const double layer = 40 + 5 * quantised + (run.shape.experts == 0 ? 0 : 20);
  return layer * static_cast<double>(run.shape.layers) + 20;
}

// `passes`: over `tokens` each.
Work work_of(const Run& run, double passes, double tokens) {
  Work out;
  out.traffic = {
      {passes * bytes_a_token(run.shape, run.precision).count},
      {passes * tokens * (2 * products_a_token(run.shape) + attention_operations_a_token(run))},
      Bound::kMemory};
  out.executed = out.traffic;
  if (run.precision.int8_weights) {  // read, cast, written, and read again for the product
    out.executed.bytes.count *= 1 + 2 * size_of(run.precision.activations);
  }
  out.launches = passes * launches_of_a_pass(run);
  out.judges_memory = true;
  return out;
}

// Beside the model what a pass over the prompt makes: activations and scores of its tokens, cast
// copies of the largest matrix, and of the experts that each token takes.
Bytes footprint(const Run& run) {
  const ModelShape& shape = run.shape;
  const auto prompt = static_cast<double>(prompt_length());
  const double networks = shape.experts == 0 ? 1 : prompt * static_cast<double>(shape.chosen);
  const double matrix = static_cast<double>(shape.width) *
                        static_cast<double>(std::max(shape.vocabulary, shape.qkv_rows()));
  const double gathered = networks * static_cast<double>(shape.width * shape.hidden);
  return {1.02 * (model_bytes(shape, run.precision).count +
                  cache_bytes(shape, run.precision, positions_of(run)).count) +
          3 * size_of(run.precision.activations) * std::max(matrix, gathered) +
          40 * size_of(at::kFloat) * prompt * static_cast<double>(shape.hidden + shape.vocabulary) +
          8.0 * (1 << 20) * 4};
}

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
struct Session {
  Session(const Run& the_run, at::Device on)
      : run(the_run),
        device(on),
        model(the_run.shape, the_run.precision, positions_of(the_run), on),
        prompt(at::tensor(benchmark_prompt()).remainder(the_run.shape.vocabulary).to(on)) {}

  Drawn start(Routes* routes = nullptr) {
    seed(device);
    Drawn out = prefill(model, prompt, kSampling, routes);
    cursor = {out.token.clone(), at::full({1}, prompt_length(), prompt.options())};
    return out;
  }

  Decoded go_on(Routes* routes = nullptr) {
    return decode(model, kSampling, run.tokens, cursor, routes);
  }

  // In float64, of what follows these tokens; mixtures take the experts that were noted.
  [[nodiscard]] at::Tensor exact_scores(const at::Tensor& tokens, const Routes& noted) const {
    Routes followed = noted.of_one_pass(static_cast<std::size_t>(run.shape.layers));
    return model.exact_logits(tokens, run.shape.experts > 0 ? &followed : nullptr)[-1];
  }

  Run run;
  at::Device device;
  Transformer model;
  at::Tensor prompt;
  Cursor cursor;
};

// What is drawn must be drawn again: nothing but the generator's state is left to chance.
PreparedPhase prefill_phase(const std::shared_ptr<Session>& session) {
  PreparedPhase out;
  out.before_each = [session] { seed(session->device); };
  out.run = [session] {
    const Drawn drawn = prefill(session->model, session->prompt, kSampling);
    return Outputs({drawn.logits, drawn.token});
  };
  out.reference = [session] {
    Routes noted;
    const Drawn again = session->start(&noted);
    return Outputs({session->exact_scores(session->prompt, noted), again.token.to(at::kDouble)});
  };
  return out;
}

// The scores of the last token depend on all keys and values that decoding has left.
PreparedPhase decode_phase(const std::shared_ptr<Session>& session) {
  PreparedPhase out;
  out.before_each = [session] { session->start(); };
  out.run = [session] {
    const Decoded decoded = session->go_on();
    return Outputs({decoded.logits, decoded.tokens});
  };
  out.reference = [session] {
    Routes noted;
    const at::Tensor first = session->start(&noted).token;
    const at::Tensor again = session->go_on(&noted).tokens;
    const at::Tensor passed =
        at::cat({session->prompt, first, again.narrow(0, 0, again.size(0) - 1)});
    return Outputs({session->exact_scores(passed, noted), again.to(at::kDouble)});
  };
  return out;
}

Prepared prepare(const Run& run, const PrepareContext& context) {
  const auto session = std::make_shared<Session>(run, context.device);
  Prepared out;
  out.phases[Phase::kPrefill] = prefill_phase(session);
  out.phases[Phase::kDecode] = decode_phase(session);
  for (auto& [phase, part] : out.phases) {
    part.tolerances = {tolerance_of(run), {}};
    part.operands = session->model.weights();
  }
  return out;
}

Case eager_case(const Run& run) {
  Case out;
  out.key = "language_models/" + run.shape.name + "/" + run.precision.name() + "/eager";
  out.phases = {
      {Phase::kPrefill, work_of(run, 1, static_cast<double>(prompt_length()))},
      {Phase::kDecode, work_of(run, static_cast<double>(run.tokens), 1)},
  };
  out.footprint = footprint(run);
  out.prepare = [run](const PrepareContext& context) { return prepare(run, context); };
  return out;
}

std::vector<Run> runs(at::DeviceType device) {
  constexpr std::int64_t kTokens = 200;
  constexpr std::int64_t kTokensOnCpus = 24;
  if (device != at::DeviceType::CPU) {
    return {{llama2_7b(), {}, kTokens},
            {llama2_7b(), {at::kBFloat16, true}, kTokens},
            {mixtral_8x7b(), {at::kBFloat16, true}, kTokens}};
  }
  std::vector<Run> out;
  for (const auto& shape : {tiny_llama(), tiny_mixtral()}) {
    for (const bool int8 : {false, true}) {
      out.push_back({shape, {at::kFloat, int8}, kTokensOnCpus});
    }
  }
  return out;
}

}  // namespace

std::vector<Case> generate(at::DeviceType device) {
  std::vector<Case> out;
  for (const auto& run : runs(device)) {
    out.push_back(eager_case(run));
  }
  return out;
}

}  // namespace perfgate::language_models
