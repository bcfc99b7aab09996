// What is gated of this family.

#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/ops/operators.h"

namespace perfgate::ops {
namespace {

const Tables kTables = {practical<mm>,   practical<sdpa>, practical<layer_norm>,
                        practical<gemv>, practical<copy>, practical<lstm>};

}  // namespace
}  // namespace perfgate::ops
