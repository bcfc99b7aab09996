#include "perfgate/workloads/fastrnns/resnet_shape.h"

namespace perfgate::fastrnns {
namespace {

// `width`: of the convolutions of size 3. A bottleneck gives four times as many channels.
BlockShape block(Depth depth, std::int64_t inputs, std::int64_t width, std::int64_t stride,
                 std::int64_t side) {
  BlockShape out;
  const std::int64_t before = side * stride;
  const std::int64_t outputs = depth == Depth::k50 ? 4 * width : width;
  if (depth == Depth::k50) {
    out.convolutions = {{inputs, width, 1, 1, before},
                        {width, width, 3, stride, side},
                        {width, outputs, 1, 1, side}};
  } else {
    out.convolutions = {{inputs, width, 3, stride, side}, {width, outputs, 3, 1, side}};
  }
  if (stride != 1 || inputs != outputs) {
    out.projection = {inputs, outputs, 1, stride, side};
  }
  return out;
}

double products(const ResnetShape& shape, const ConvolutionShape& layer) {
  return static_cast<double>(shape.batch * layer.side * layer.side) *
         static_cast<double>(layer.outputs * layer.inputs * layer.size * layer.size);
}

}  // namespace

std::string ResnetShape::name() const {
  return "resnet" + std::to_string(static_cast<std::int64_t>(depth));
}

std::vector<ConvolutionShape> ResnetShape::convolutions() const {
  std::vector<ConvolutionShape> out = {stem};
  for (const auto& block : blocks) {
    out.insert(out.end(), block.convolutions.begin(), block.convolutions.end());
    if (block.projection) {
      out.push_back(*block.projection);
    }
  }
  return out;
}

ResnetShape resnet_shape(Depth depth, std::int64_t batch, std::int64_t side) {
  constexpr std::int64_t kStem = 64;
  const std::vector<int> blocks_of_stage =
      depth == Depth::k50 ? std::vector<int>{3, 4, 6, 3} : std::vector<int>{2, 2, 2, 2};
  ResnetShape out;
  out.depth = depth;
  out.batch = batch;
  out.side = side;
  out.stem = {3, kStem, 7, 2, side / 2};
  std::int64_t inputs = kStem;
  std::int64_t width = kStem;
  std::int64_t outputs_side = side / 4;  // behind the stem and the pooling
  for (std::size_t stage = 0; stage < blocks_of_stage.size(); ++stage, width *= 2) {
    for (int i = 0; i < blocks_of_stage[stage]; ++i) {
      const std::int64_t stride = stage > 0 && i == 0 ? 2 : 1;
      outputs_side /= stride;
      out.blocks.push_back(block(depth, inputs, width, stride, outputs_side));
      inputs = out.features();
    }
  }
  return out;
}

std::string text_of(const ResnetShape& shape) {
  const std::string side = std::to_string(shape.side);
  return std::to_string(shape.batch) + "x3x" + side + "x" + side;
}

std::int64_t parameter_count(const ResnetShape& shape) {
  std::int64_t out = kClasses * (shape.features() + 1);
  for (const auto& layer : shape.convolutions()) {
    out += layer.outputs * (layer.inputs * layer.size * layer.size + 2);
  }
  return out;
}

Products products(const ResnetShape& shape) {
  Products out;
  out.stem = products(shape, shape.stem);
  out.all = static_cast<double>(shape.batch * kClasses * shape.features());
  for (const auto& layer : shape.convolutions()) {
    out.all += products(shape, layer);
  }
  return out;
}

double convolution_outputs(const ResnetShape& shape) {
  double out = 0;
  for (const auto& layer : shape.convolutions()) {
    out += static_cast<double>(shape.batch * layer.outputs * layer.side * layer.side);
  }
  return out;
}

}  // namespace perfgate::fastrnns
