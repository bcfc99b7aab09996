// What is gated of this family.

#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/ceilings/ceilings.h"

namespace perfgate::ceilings {
namespace {

const Tables kTables = {all};

}  // namespace
}  // namespace perfgate::ceilings
