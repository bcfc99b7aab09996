#include "perfgate/workloads/fastrnns/lstm_shape.h"

namespace perfgate::fastrnns {

LstmShape lstm_shape(at::DeviceType device) {
  return device == at::DeviceType::CPU ? LstmShape{20, 16, 128, 128} : LstmShape{100, 64, 512, 512};
}

std::string text_of(const LstmShape& shape) {
  std::string out = std::to_string(shape.steps) + "x" + std::to_string(shape.batch) + "x" +
                    std::to_string(shape.inputs) + "x" + std::to_string(shape.units);
  return shape.layers == 1 ? out : out + "x" + std::to_string(shape.layers);
}

}  // namespace perfgate::fastrnns
