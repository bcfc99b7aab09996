#include "perfgate/core/json.h"
