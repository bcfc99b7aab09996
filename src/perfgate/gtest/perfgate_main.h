#pragma once
// The whole program around the tables: options, GoogleTest, selection, worker or parent, exit code.

#include "perfgate/backends/backend.h"
#include "perfgate/run/machine/suite.h"

namespace perfgate {

/// `main` of a gate binary, of the tables of cases that are linked into it.
int perfgate_main(int argc, char** argv, const MakeBackend& make_backend, const Suite& suite);

}  // namespace perfgate
