#pragma once
// All that a file of cases needs: what a case is, what it is in memory, random inputs, tolerances,
// the arithmetic of tensors, and the tables by which a gate has it. docs/your-kernel.md shows
// one.

#include <ATen/TensorOperators.h>  // IWYU pragma: export

#include "perfgate/workloads/accuracy.h"   // IWYU pragma: export
#include "perfgate/workloads/case.h"       // IWYU pragma: export
#include "perfgate/workloads/catalogue.h"  // IWYU pragma: export
#include "perfgate/workloads/inputs.h"     // IWYU pragma: export
#include "perfgate/workloads/prepared.h"   // IWYU pragma: export
