#include "perfgate/workloads/language_models/language_model.h"

#include <string>

#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/language_models/compiled_pass.h"
#include "perfgate/workloads/language_models/declared_work.h"
#include "perfgate/workloads/language_models/run.h"
#include "perfgate/workloads/language_models/session.h"

namespace perfgate::language_models {
namespace {

std::int64_t prompt_length() { return static_cast<std::int64_t>(benchmark_prompt().size()); }

// Room for prompt and tokens, rounded up as the benchmark does.
std::int64_t positions_for(std::int64_t tokens) { return (prompt_length() + tokens + 7) / 8 * 8; }

// The package's program.
std::string head_of(Execution execution) {
  return execution == Execution::kCompiledGraphSplitHead ? "split_head" : "head";
}

Prepared prepare(const Run& run, const std::optional<Package>& package,
                 const PrepareContext& context) {
  return prepare_generation(run, context.device, [&](const Transformer& model) {
    return package ? compiled_pass(model, *package, head_of(run.execution), context)
                   : eager_pass(model);
  });
}

Case case_of(const Run& run) {
  Case out;
  out.key = "language_models/" + run.shape.name + "/" + run.precision.name() + "/" +
            std::string(name_of(run.execution));
  out.phases = {{Phase::kDecode, work_of_decode(run)}};
  if (!is_graph(run.execution)) {  // of which decode alone is one
    out.phases[Phase::kPrefill] = work_of_prefill(run, prompt_length());
  }
  out.footprint = footprint_of(run, prompt_length());
  if (is_compiled(run.execution)) {
    out.package =
        package_of(package_name(out.key), run.shape, run.precision, run.positions, prompt_length());
    out.judges_compile_time = !is_graph(run.execution);  // once a package
  }
  out.shown.parameters = {{"prompt", prompt_length()}, {"tokens", run.tokens}};
  out.prepare = [run, package = out.package](const PrepareContext& context) {
    return prepare(run, package, context);
  };
  return out;
}

struct Model {
  ModelShape shape;
  Precision precision;
};

// LibTorch's product of quantised weights is of one network, not of several that are chosen.
bool is_possible(const Model& model, Execution execution) {
  return !is_int8pack(execution) || (model.precision.int8_weights && model.shape.experts == 0);
}

// On a GPU that product is 15 times slower than Inductor's (H200), however it is launched.
bool is_of_gpus(Execution execution) { return execution != Execution::kInt8Pack; }

// A fifth of one layer of 32 is 0.6 % of a token.
constexpr double kDecodeTolerance = 0.005;

Run run_of(const Model& model, Execution execution, std::int64_t positions, std::int64_t tokens) {
  Run out{model.shape, model.precision, execution, positions, tokens};
  out.precision.int8pack = is_int8pack(execution);
  return out;
}

std::vector<Case> on_cpus() {
  constexpr std::int64_t kTokens = 24;
  std::vector<Case> out;
  for (const auto& shape : {tiny_llama(), tiny_mixtral()}) {
    for (const bool int8 : {false, true}) {
      const Model model{shape, {at::kFloat, int8}};
      for (const auto& [execution, name] : kNames<Execution>) {
        if (!is_graph(execution) && is_possible(model, execution)) {
          out.push_back(case_of(run_of(model, execution, positions_for(kTokens), kTokens)));
        }
      }
    }
  }
  return out;
}

// Of the benchmark's 200 tokens a sample makes some, with room for all of them in the cache: each
// takes as long as any other, for attention is to the whole cache. Replays of 6,700 kernels fit
// into a GPU's queue at once, of 21,000 they do not (H100, driver 580.159.04): what the host takes
// would be what it waits. A step is 310 to 420 kernels of Inductor's, and up to 2,100 of eager's.
// LibTorch's int8 product takes 0.2 ms (H200).
std::int64_t tokens_a_sample(Execution execution) {
  if (is_compiled(execution)) {
    return 16;
  }
  if (is_int8pack(execution)) {
    return 1;
  }
  return is_graph(execution) ? 3 : 8;
}

std::vector<Case> on_gpus() {
  constexpr std::int64_t kTokens = 200;
  const Precision bf16;
  const Precision int8{at::kBFloat16, true};
  std::vector<Case> out;
  for (const auto& model :
       {Model{llama2_7b(), bf16}, Model{llama2_7b(), int8}, Model{mixtral_8x7b(), int8}}) {
    for (const auto& [execution, name] : kNames<Execution>) {
      if (is_possible(model, execution) && is_of_gpus(execution)) {
        out.push_back(
            case_of(run_of(model, execution, positions_for(kTokens), tokens_a_sample(execution))));
        out.back().work(Phase::kDecode).tolerance = kDecodeTolerance;
      }
    }
  }
  return out;
}

}  // namespace

std::vector<Case> generate(at::DeviceType device) {
  return device == at::DeviceType::CPU ? on_cpus() : on_gpus();
}

}  // namespace perfgate::language_models
