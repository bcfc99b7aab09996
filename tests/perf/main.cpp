// The gate binary: its tables are the other files of this folder.

#include "perfgate/gtest/perfgate_main.h"

int main(int argc, char** argv) {
  return perfgate::perfgate_main(argc, argv, perfgate::make_backend);
}
