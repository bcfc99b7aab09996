#include "fixtures/beside.h"
