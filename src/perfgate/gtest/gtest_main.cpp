// The main of a suite: perfgate_add_gate links it with the suite's cases, and says whose they are.

#include "perfgate/gtest/perfgate_main.h"

int main(int argc, char** argv) {
  return perfgate::perfgate_main(argc, argv, perfgate::make_backend,
                                 perfgate::suite_of_this_program());
}
