#include "perfgate/workloads/language_models/compiled_pass.h"

#include <ATen/ops/embedding.h>

#include <stdexcept>
#include <variant>
#include <vector>

namespace perfgate::language_models {
namespace {

void append(const Linear& linear, std::vector<at::Tensor>& to) {
  to.push_back(linear.weight);
  if (linear.scales.defined()) {
    to.push_back(linear.scales);
  }
}

void append(const FeedForward& network, std::vector<at::Tensor>& to) {
  append(network.gate, to);
  append(network.up, to);
  append(network.down, to);
}

void append(const Experts& experts, std::vector<at::Tensor>& to) {
  to.push_back(experts.score);
  append(experts.all, to);
}

// x, indices, angles and visible, which differ from pass to pass.
constexpr std::size_t kOfThePass = 4;

// What language_model.py's `layer` takes.
std::vector<at::Tensor> inputs_of(const Layer& layer) {
  std::vector<at::Tensor> out(kOfThePass);
  out.push_back(layer.attention_norm);
  out.push_back(layer.feed_forward_norm);
  out.push_back(layer.attention.keys);
  out.push_back(layer.attention.values);
  append(layer.attention.qkv, out);
  append(layer.attention.output, out);
  std::visit([&out](const auto& network) { append(network, out); }, layer.feed_forward);
  return out;
}

// What its `head` takes, behind x.
std::vector<at::Tensor> inputs_of_head(const Transformer& model) {
  std::vector<at::Tensor> out = {{}, model.norm()};
  append(model.output(), out);
  return out;
}

class CompiledPass {
 public:
  CompiledPass(const Transformer& model, const std::map<std::string, CompiledOutputs>& programs,
               std::int64_t prompt)
      : model_(model),
        prompt_(prompt),
        layer_of_token_(programs.at("layer_of_token")),
        layer_of_prompt_(programs.at("layer_of_prompt")),
        head_(programs.at("head")),
        head_inputs_(inputs_of_head(model)) {
    for (const auto& layer : model.layers()) {
      layer_inputs_.push_back(inputs_of(layer));
    }
  }

  at::Tensor operator()(const at::Tensor& tokens, const at::Tensor& indices, const Notes& notes) {
    const CompiledOutputs& run = layer_for(tokens.size(0));
    const Pass pass = model_.pass_over(indices);
    at::Tensor x = at::embedding(model_.embedding(), tokens);
    for (auto& inputs : layer_inputs_) {
      inputs[0] = x;
      inputs[1] = pass.indices;
      inputs[2] = pass.angles;
      inputs[3] = pass.visible;
      const auto outputs = run(inputs);
      x = outputs[0];
      if (notes.routes != nullptr && outputs.size() > 1) {
        notes.routes->take(outputs[1]);
      }
      if (notes.activations != nullptr) {
        notes.activations->push_back(x);
      }
    }
    head_inputs_[0] = x.narrow(0, x.size(0) - 1, 1);
    return head_(head_inputs_)[0][0];
  }

 private:
  [[nodiscard]] const CompiledOutputs& layer_for(std::int64_t tokens) const {
    if (tokens != 1 && tokens != prompt_) {
      throw std::invalid_argument("compiled for 1 token and for " + std::to_string(prompt_) +
                                  ", not for " + std::to_string(tokens));
    }
    return tokens == 1 ? layer_of_token_ : layer_of_prompt_;
  }

  const Transformer& model_;
  std::int64_t prompt_;
  CompiledOutputs layer_of_token_;
  CompiledOutputs layer_of_prompt_;
  CompiledOutputs head_;
  std::vector<std::vector<at::Tensor>> layer_inputs_;
  std::vector<at::Tensor> head_inputs_;
};

}  // namespace

Package package_of(const std::string& name, const ModelShape& shape, const Precision& precision,
                   std::int64_t positions, std::int64_t prompt) {
  return {name,
          "language_models/language_model.py",
          {{"activations", short_name(precision.activations)},
           {"weights", precision.name()},
           {"width", shape.width},
           {"heads", shape.heads},
           {"kv_heads", shape.kv_heads},
           {"hidden", shape.hidden},
           {"vocabulary", shape.vocabulary},
           {"experts", shape.experts},
           {"chosen", shape.chosen},
           {"norm_epsilon", shape.norm_epsilon},
           {"positions", positions},
           {"prompt", prompt}},
          /*timed=*/true};
}

ModelPass compiled_pass(const Transformer& model,
                        const std::map<std::string, CompiledOutputs>& programs,
                        std::int64_t prompt) {
  return CompiledPass(model, programs, prompt);
}

ModelPass compiled_pass(const Transformer& model, const Package& package, const std::string& head,
                        const PrepareContext& context) {
  auto programs = load_programs(context, package, {"layer_of_token", "layer_of_prompt", head});
  programs["head"] = programs.at(head);
  return compiled_pass(model, programs, std::get<std::int64_t>(package.arguments.at("prompt")));
}

}  // namespace perfgate::language_models
