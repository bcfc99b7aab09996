#include "perfgate/core/version.h"

namespace perfgate {

const char* const kVersion = PERFGATE_VERSION;

}  // namespace perfgate
