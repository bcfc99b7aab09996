#include "perfgate/run/night/night_run.h"
