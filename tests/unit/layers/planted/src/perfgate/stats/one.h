#include "perfgate/stats/two.h"
