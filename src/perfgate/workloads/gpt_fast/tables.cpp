// What is gated of this family.

#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/gpt_fast/gather_gemv.h"
#include "perfgate/workloads/gpt_fast/gemv.h"
#include "perfgate/workloads/gpt_fast/layer_norm.h"
#include "perfgate/workloads/gpt_fast/mlp_layer_norm_gelu.h"

namespace perfgate::gpt_fast {
namespace {

const Tables kTables = {practical<gather_gemv>, practical<gemv>, practical<layer_norm>,
                        practical<mlp_layer_norm_gelu>};

}  // namespace
}  // namespace perfgate::gpt_fast
