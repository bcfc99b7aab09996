#include "perfgate/core/upward.h"
