#pragma once
// A gate on recorded noise in a folder of its own, as a user meets it.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gate_run.h"

namespace perfgate::selftest {

class Usage : public testing::Test {
 protected:
  using Wait = std::function<void()>;

  static Wait seconds(double length);
  /// Until a file contains a text; 60 s at most.
  static Wait until(const std::filesystem::path& file, const std::string& text);

  /// Starts the gate, waits, and sends it a signal. Returns its wait status.
  int run_and_signal(const std::vector<std::string>& flags, int signal_number, const Wait& wait);

  /// Whether any worker of such a gate still runs.
  [[nodiscard]] static bool somebody_is_left();

  GateFolder folder_{PERFGATE_REPLAY_GATE};
};

}  // namespace perfgate::selftest
