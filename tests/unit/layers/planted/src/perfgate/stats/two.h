#include "perfgate/stats/one.h"
