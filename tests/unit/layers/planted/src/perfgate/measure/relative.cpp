#include "../gate/verdict.h"
