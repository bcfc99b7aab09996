#include <vector>

#include "perfgate/stats/later.h"
