#pragma once
// The layers of ResNet-18 and ResNet-50 (He et al., "Deep Residual Learning for Image Recognition",
// 2015) as numbers: what they hold, compute and move. The stride of a bottleneck is in its middle
// convolution, as in torchvision, whose number of parameters they have too.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfgate::fastrnns {

/// A convolution without bias, padded by half its size, and the batch normalisation behind it.
struct ConvolutionShape {
  std::int64_t inputs = 0;   ///< channels
  std::int64_t outputs = 0;  ///< channels
  std::int64_t size = 1;     ///< height and width of its window
  std::int64_t stride = 1;
  std::int64_t side = 0;  ///< height and width of what it gives
};

/// Convolutions in a row, added to what came in or to its projection.
struct BlockShape {
  std::vector<ConvolutionShape> convolutions;
  std::optional<ConvolutionShape> projection;
};

inline constexpr std::int64_t kClasses = 1000;

enum class Depth : std::int64_t { k18 = 18, k50 = 50 };

struct ResnetShape {
  Depth depth = Depth::k18;
  std::int64_t batch = 0;
  std::int64_t side = 0;  ///< height and width of a picture of three colours
  ConvolutionShape stem;
  std::vector<BlockShape> blocks;

  /// "resnet18"
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::int64_t features() const { return blocks.back().convolutions.back().outputs; }
  /// The stem, then each block's convolutions and its projection.
  [[nodiscard]] std::vector<ConvolutionShape> convolutions() const;
};

/// `side`: a multiple of 32.
ResnetShape resnet_shape(Depth depth, std::int64_t batch, std::int64_t side);

/// "32x3x224x224"
std::string text_of(const ResnetShape& shape);

/// Trained numbers: weights, and scale and shift of each normalised channel.
std::int64_t parameter_count(const ResnetShape& shape);

/// Multiply-adds of one forward, of which those of the stem.
struct Products {
  double all = 0;
  double stem = 0;
};
Products products(const ResnetShape& shape);

/// Numbers that all convolutions of one forward give.
double convolution_outputs(const ResnetShape& shape);

}  // namespace perfgate::fastrnns
