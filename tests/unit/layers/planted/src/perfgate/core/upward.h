#include "perfgate/report/table.h"
