#include "perfgate/gate/verdict.h"
