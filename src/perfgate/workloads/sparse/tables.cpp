// What is gated of this family.

#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/sparse/products.h"

namespace perfgate::sparse {
namespace {

const Tables kTables = {practical<tensor>, practical<linear>, practical<host_time>};

}  // namespace
}  // namespace perfgate::sparse
