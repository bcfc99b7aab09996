#include "perfgate/workloads/language_models/declared_work.h"

#include <algorithm>

#include "perfgate/workloads/inputs.h"

namespace perfgate::language_models {
namespace {

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
  return 4 * static_cast<double>(run.shape.layers * run.shape.width * run.positions);
}

bool casts_weights(const Run& run) {
  return run.precision.int8_weights && !run.precision.int8pack && !is_compiled(run.execution);
}

// Operators of a pass: a layer's norms (5 each), products, rotations (8 each), cache and attention;
// more for a choice of experts. Products that cast quantised weights scale, too. Inductor makes a
// third of them.
double launches_of_a_pass(const Run& run) {
  const double quantised = casts_weights(run) ? 2 : 0;
  const double layer = 40 + 5 * quantised + (run.shape.experts == 0 ? 0 : 20);
  const double operators = layer * static_cast<double>(run.shape.layers) + 20;
  return is_compiled(run.execution) ? operators / 3 : operators;
}

// What a pass really moves. Operators copy the experts that each token chooses, and cast what is
// quantised: read, written, and read again.
Bytes executed_bytes_of_a_pass(const Run& run, std::int64_t tokens) {
  const ModelShape& shape = run.shape;
  const double declared = bytes_of_a_pass(shape, run.precision, tokens).count;
  if (is_compiled(run.execution)) {
    return {declared};
  }
  const double cast = casts_weights(run) ? 1 + 2 * size_of(run.precision.activations) : 1;
  if (shape.experts == 0) {
    return {cast * declared};
  }
  ModelShape without = shape;
  without.experts = 0;
  without.hidden = 0;
  const double rest = bytes_of_a_pass(without, run.precision, tokens).count;
  const double of_a_network =
      (declared - rest) / networks_of_a_pass(shape, tokens);  // in every layer
  const auto copies = static_cast<double>(tokens * shape.chosen);
  return {cast * rest + copies * (2 + cast) * of_a_network};
}

// `passes`: over `tokens` each.
Work work_of(const Run& run, std::int64_t passes, std::int64_t tokens) {
  const auto times = static_cast<double>(passes);
  Work out;
  out.traffic = {{times * bytes_of_a_pass(run.shape, run.precision, tokens).count},
                 {times * static_cast<double>(tokens) *
                  (2 * products_a_token(run.shape) + attention_operations_a_token(run))},
                 Bound::kMemory};
  out.executed = out.traffic;
  out.executed.bytes = {times * executed_bytes_of_a_pass(run, tokens).count};
  out.launches = times * launches_of_a_pass(run);
  out.judges_memory = true;
  out.judged = Judged::kDeviceAndHost;
  return out;
}

}  // namespace

Work work_of_prefill(const Run& run, std::int64_t prompt) { return work_of(run, 1, prompt); }

Work work_of_decode(const Run& run) {
  Work out = work_of(run, run.tokens, 1);
  out.traffic.tokens = static_cast<double>(run.tokens);
  if (is_graph(run.execution)) {
    out.launches = 0;
    out.judged = Judged::kReplayAndHost;
  }
  return out;
}

// Beside the model what a pass over the prompt makes: activations and scores of its tokens, cast
// copies of the largest matrix, and of the experts that each token takes. Beside all of it the
// blocks that random weights are repeated from.
Bytes footprint_of(const Run& run, std::int64_t prompt) {
  const ModelShape& shape = run.shape;
  const auto tokens = static_cast<double>(prompt);
  const double networks = shape.experts == 0 ? 1 : tokens * static_cast<double>(shape.chosen);
  const double matrix = static_cast<double>(shape.width) *
                        static_cast<double>(std::max(shape.vocabulary, shape.qkv_rows()));
  const double gathered = networks * static_cast<double>(shape.width * shape.hidden);
  return {1.02 * (model_bytes(shape, run.precision).count +
                  cache_bytes(shape, run.precision, run.positions).count) +
          3 * size_of(run.precision.activations) * std::max(matrix, gathered) +
          40 * size_of(at::kFloat) * tokens * static_cast<double>(shape.hidden + shape.vocabulary) +
          8 * size_of(at::kFloat) * static_cast<double>(kBlockLength)};
}

}  // namespace perfgate::language_models
