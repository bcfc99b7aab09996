// What is gated of this family.

#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/sparse/products.h"

namespace perfgate::sparse {
namespace {

const Tables kTables = {tensor, linear, host_time};

}  // namespace
}  // namespace perfgate::sparse
