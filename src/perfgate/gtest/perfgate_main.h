#pragma once
// The whole program around the tables: options, GoogleTest, selection, worker or parent, exit code.

#include "perfgate/backends/backend.h"

namespace perfgate {

/// `main` of a gate binary. Link it with tables of cases and a backend.
int perfgate_main(int argc, char** argv, const MakeBackend& make_backend);

}  // namespace perfgate
