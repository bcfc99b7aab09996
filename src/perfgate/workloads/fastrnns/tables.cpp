// What is gated of this family.

#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/fastrnns/lstm.h"
#include "perfgate/workloads/fastrnns/lstm_dropout.h"
#include "perfgate/workloads/fastrnns/lstm_layer_norm.h"
#include "perfgate/workloads/fastrnns/lstm_variable.h"
#include "perfgate/workloads/fastrnns/resnet.h"

namespace perfgate::fastrnns {
namespace {

const Tables kTables = {practical<lstm>, practical<lstm_dropout>, practical<lstm_layer_norm>,
                        practical<lstm_variable>, practical<resnet>};

}  // namespace
}  // namespace perfgate::fastrnns
