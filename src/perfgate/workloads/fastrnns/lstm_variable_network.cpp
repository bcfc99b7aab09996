#include "perfgate/workloads/fastrnns/lstm_variable_network.h"

#include <ATen/ops/_pack_padded_sequence.h>
#include <ATen/ops/_pad_packed_sequence.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/pad_sequence.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "perfgate/workloads/fastrnns/cudnn_guard.h"
#include "perfgate/workloads/inputs.h"

namespace perfgate::fastrnns {
namespace {

constexpr std::uint64_t kSequenceSeed = 41;

std::vector<std::int64_t> lengths(const std::vector<at::Tensor>& sequences) {
  std::vector<std::int64_t> out;
  for (const auto& sequence : sequences) {
    out.push_back(sequence.size(0));
  }
  return out;
}

// Places in order of length, the longest first.
std::vector<std::int64_t> by_length(const std::vector<std::int64_t>& lengths) {
  std::vector<std::int64_t> out(lengths.size());
  std::iota(out.begin(), out.end(), 0);
  std::stable_sort(out.begin(), out.end(), [&lengths](std::int64_t a, std::int64_t b) {
    return lengths[static_cast<std::size_t>(a)] > lengths[static_cast<std::size_t>(b)];
  });
  return out;
}

// One sequence as a network of its own.
LstmNetwork alone(const VariableLstm& network, std::size_t i) {
  const auto place = static_cast<std::int64_t>(i);
  return {network.sequences[i].unsqueeze(1),
          network.hidden.narrow(1, place, 1),
          network.cell.narrow(1, place, 1),
          {network.layer}};
}

template <class Run>
LstmResult run_each_by(const VariableLstm& network, Run&& run) {
  std::vector<at::Tensor> outputs;
  std::vector<at::Tensor> hidden;
  std::vector<at::Tensor> cell;
  for (std::size_t i = 0; i < network.sequences.size(); ++i) {
    const LstmResult result = run(alone(network, i));
    outputs.push_back(result.output.squeeze(1));
    hidden.push_back(result.hidden);
    cell.push_back(result.cell);
  }
  return {at::pad_sequence(outputs), at::cat(hidden, 1), at::cat(cell, 1)};
}

}  // namespace

std::vector<at::Tensor> VariableLstm::leaves() const {
  std::vector<at::Tensor> out = sequences;
  out.insert(out.end(),
             {layer.input_weight, layer.hidden_weight, layer.input_bias, layer.hidden_bias});
  return out;
}

std::vector<std::int64_t> lengths_of(const LstmShape& shape) {
  const std::int64_t least = std::max<std::int64_t>(1, 3 * shape.steps / 10);
  constexpr std::int64_t kStride = 37;  // a prime: every length once, in no order
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < shape.batch; ++i) {
    out.push_back(least + i * kStride % shape.batch * (shape.steps - least) / shape.batch);
  }
  return out;
}

VariableLstm make_variable(const LstmShape& shape, at::Device device) {
  const LstmNetwork plain = make_lstm(shape, device);
  VariableLstm out = {{}, plain.hidden, plain.cell, plain.layers[0]};
  std::uint64_t seed = kSequenceSeed;
  for (const auto length : lengths_of(shape)) {
    out.sequences.push_back(
        random_normal({length, shape.inputs}, at::kFloat, device, seed++).requires_grad_(true));
  }
  return out;
}

VariableLstm exact(const VariableLstm& network) {
  const auto leaf = [](const at::Tensor& tensor) {
    return tensor.detach().to(at::kDouble).requires_grad_(true);
  };
  const LstmLayer& layer = network.layer;
  VariableLstm out = {{},
                      network.hidden.to(at::kDouble),
                      network.cell.to(at::kDouble),
                      {leaf(layer.input_weight), leaf(layer.hidden_weight), leaf(layer.input_bias),
                       leaf(layer.hidden_bias)}};
  for (const auto& sequence : network.sequences) {
    out.sequences.push_back(leaf(sequence));
  }
  return out;
}

LstmResult run_packed(const VariableLstm& network, bool allow_cudnn) {
  const CudnnGuard guard(allow_cudnn);
  const auto order = by_length(lengths(network.sequences));
  std::vector<at::Tensor> sorted;
  std::vector<std::int64_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.push_back(network.sequences[static_cast<std::size_t>(order[i])]);
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  }
  const at::Device device = network.hidden.device();
  const at::Tensor there = at::tensor(order).to(device);
  const at::Tensor here = at::tensor(back).to(device);
  const auto [data, batch_sizes] =
      at::_pack_padded_sequence(at::pad_sequence(sorted), at::tensor(lengths(sorted)), false);
  const LstmLayer& layer = network.layer;
  const auto [packed, hidden, cell] =
      at::lstm(data, batch_sizes,
               {network.hidden.index_select(1, there), network.cell.index_select(1, there)},
               {layer.input_weight, layer.hidden_weight, layer.input_bias, layer.hidden_bias},
               /*has_biases=*/true, /*num_layers=*/1, /*dropout=*/0, /*train=*/true,
               /*bidirectional=*/false);
  const auto padded = std::get<0>(at::_pad_packed_sequence(
      packed, batch_sizes, /*batch_first=*/false, /*padding_value=*/0, sorted[0].size(0)));
  return {padded.index_select(1, here), hidden.index_select(1, here), cell.index_select(1, here)};
}

LstmResult run_each_in_cells(const VariableLstm& network) {
  return run_each_by(network, [](const LstmNetwork& one) { return run_loop(one); });
}

LstmResult run_each(const VariableLstm& network) {
  return run_each_by(network, [](const LstmNetwork& one) { return run_operator(one, false); });
}

}  // namespace perfgate::fastrnns
