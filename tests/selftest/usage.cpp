#include "usage.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "perfgate/core/files.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to us

namespace perfgate::selftest {

namespace fs = std::filesystem;

Usage::Wait Usage::seconds(double length) {
  return [length] { std::this_thread::sleep_for(std::chrono::duration<double>(length)); };
}

Usage::Wait Usage::until(const fs::path& file, const std::string& text) {
  return [=] {
    for (int i = 0; i < 600; ++i) {
      seconds(0.1)();
      if (fs::exists(file) && read_file(file).find(text) != std::string::npos) {
        return;
      }
    }
  };
}

int Usage::run_and_signal(const std::vector<std::string>& flags, int signal_number,
                          const Wait& wait) {
  std::vector<std::string> words = folder_.command(flags);
  std::vector<char*> arguments;
  for (auto& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  EXPECT_EQ(posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  wait();
  kill(child, signal_number);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

bool Usage::somebody_is_left() {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream stream(entry.path() / "cmdline", std::ios::binary);
    const std::string words{std::istreambuf_iterator<char>(stream), {}};
    if (words.find("replay_gate") != std::string::npos &&
        words.find("--worker_pipe") != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace perfgate::selftest
