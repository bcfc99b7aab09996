// What is gated of this family.

#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/fastrnns/lstm.h"
#include "perfgate/workloads/fastrnns/lstm_dropout.h"
#include "perfgate/workloads/fastrnns/lstm_layer_norm.h"
#include "perfgate/workloads/fastrnns/lstm_variable.h"
#include "perfgate/workloads/fastrnns/resnet.h"

namespace perfgate::fastrnns {
namespace {

const Tables kTables = {lstm, lstm_dropout, lstm_layer_norm, lstm_variable, resnet};

}  // namespace
}  // namespace perfgate::fastrnns
