// What is gated of this family.

#include "perfgate/workloads/catalogue.h"
#include "perfgate/workloads/language_models/language_model.h"

namespace perfgate::language_models {
namespace {

const Tables kTables = {practical<generate>};

}  // namespace
}  // namespace perfgate::language_models
