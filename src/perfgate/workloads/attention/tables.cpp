// What is gated of this family.

#include "perfgate/workloads/attention/mha.h"
#include "perfgate/workloads/catalogue.h"

namespace perfgate::attention {
namespace {

const Tables kTables = {{practical<mha>, custom_mha}};

}  // namespace
}  // namespace perfgate::attention
