#include "perfgate/run/night/gatekeeper.h"
