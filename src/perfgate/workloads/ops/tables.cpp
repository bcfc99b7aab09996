// What is gated of this family.

#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/ops/operators.h"

namespace perfgate::ops {
namespace {

const Tables kTables = {mm, sdpa, layer_norm, gemv, copy, lstm};

}  // namespace
}  // namespace perfgate::ops
