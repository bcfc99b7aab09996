#include "perfgate/process/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "perfgate/core/ascii.h"
#include "perfgate/core/errors.h"
#include "perfgate/process/interrupt.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to us

namespace perfgate {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& doing, int code) {
  throw SystemError(doing + ": " + std::strerror(code),
                    "check the limits on processes and open files");
}

// Two connected descriptors, ours and the child's.
class Connection {
 public:
  enum class Direction { kFromChild, kToChild };
  explicit Connection(Direction direction) {
    std::array<int, 2> ends{-1, -1};
    // To the child by a socket: writing to one whose reader is gone need not raise SIGPIPE.
    const int code = direction == Direction::kFromChild
                         ? ::pipe2(ends.data(), O_CLOEXEC)
                         : ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data());
    if (code != 0) {
      fail("cannot connect to a child process", errno);
    }
    ours_ = ends[0];
    childs_ = ends[1];
  }
  ~Connection() {
    close_childs();
    close_ours();
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  [[nodiscard]] int ours() const { return ours_; }
  [[nodiscard]] int childs() const { return childs_; }
  void close_childs() { close(childs_); }
  void close_ours() { close(ours_); }

 private:
  static void close(int& descriptor) {
    if (descriptor >= 0) {
      ::close(descriptor);
      descriptor = -1;
    }
  }
  int ours_ = -1;
  int childs_ = -1;
};

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (auto& text : strings) {
    out.push_back(text.data());
  }
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& added) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (added.count(text.substr(0, text.find('='))) == 0) {
      out.push_back(text);
    }
  }
  for (const auto& [name, value] : added) {
    out.push_back(name + "=" + value);
  }
  return out;
}

// The descriptor on which the child finds its result pipe.
constexpr int kResultDescriptor = 3;

pid_t spawn(const ProcessRequest& request, const Connection& input, const Connection& result,
            const Connection& output) {
  std::vector<std::string> command = request.command;
  if (!request.pipe_flag.empty()) {
    command.push_back(fmt::format("{}={}", request.pipe_flag, kResultDescriptor));
  }
  std::vector<std::string> environment = environment_with(request.environment);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.childs(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.childs(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.childs(), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, result.childs(), kResultDescriptor);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  pid_t child = 0;
  const int code = posix_spawn(&child, command.front().c_str(), &actions, &attributes,
                               pointers(command).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (code != 0) {
    fail("cannot start " + command.front(), code);
  }
  return child;
}

// Reads once; false at the end of the stream.
bool drain(int fd, std::string& into) {
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(fd, buffer.data(), buffer.size());
  if (got > 0) {
    into.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return got > 0 || (got < 0 && errno == EINTR);
}

// Whether the child has ended; it stays a zombie, so that its process group's id is not reused.
bool has_ended(pid_t child) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

// Reaps it and returns how it ended.
int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

std::string ProcessResult::ending(std::chrono::duration<double> timeout) const {
  if (timed_out) {
    return fmt::format("no result within {:g} s: killed", timeout.count());
  }
  if (flooded) {
    return "it wrote more than any report: killed";
  }
  if (interrupted) {
    return "interrupted";
  }
  if (signal) {
    return fmt::format("signal {} ({})", *signal, strsignal(*signal));
  }
  return fmt::format("exit code {}", exit_code.value_or(-1));
}

struct Subprocess::Ends {
  Connection input{Connection::Direction::kToChild};
  Connection result{Connection::Direction::kFromChild};
  Connection output{Connection::Direction::kFromChild};
};

Subprocess::Subprocess(const ProcessRequest& request)
    : timeout_(request.timeout),
      output_bytes_(request.output_bytes),
      result_bytes_(request.result_bytes),
      ends_(std::make_unique<Ends>()) {
  child_ = spawn(request, ends_->input, ends_->result, ends_->output);
  ends_->input.close_childs();
  ends_->result.close_childs();
  ends_->output.close_childs();
}

Subprocess::~Subprocess() {
  if (child_ != 0) {
    ::kill(-child_, SIGKILL);
    wait_for(child_);
  }
}

void Subprocess::send(const std::string& input) {
  std::size_t done = 0;
  while (done < input.size()) {
    const ssize_t sent =
        ::send(ends_->input.ours(), input.data() + done, input.size() - done, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) {
      break;
    }
    done += sent > 0 ? static_cast<std::size_t>(sent) : 0;
  }
}

bool Subprocess::has_come_to(Until until) const {
  const bool whole = ends_->result.ours() < 0;
  switch (until) {
    case Until::kLine:
      return whole || has_written_line_;
    case Until::kResult:
      return whole;
    case Until::kEnd:
      return whole && ends_->output.ours() < 0 && has_ended(child_);
  }
  return true;
}

void Subprocess::collect(Until until) {
  ends_->input.close_ours();
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeout_);
  const std::array<Connection*, 2> pipes = {&ends_->result, &ends_->output};
  const std::array<std::string*, 2> into = {&so_far_.result, &so_far_.output};
  const auto is_open = [](const Connection* pipe) { return pipe->ours() >= 0; };
  while (!has_come_to(until)) {
    so_far_.interrupted = interrupted_by().has_value();
    so_far_.timed_out = so_far_.timed_out || Clock::now() >= deadline;
    so_far_.flooded = so_far_.result.size() > result_bytes_;
    if (so_far_.interrupted || so_far_.timed_out || so_far_.flooded) {
      return;
    }
    constexpr int kTickMs = 20;            // how late an end or an interrupt may be noticed
    const bool ended = has_ended(child_);  // asked first: what it wrote before is then in the pipes
    std::array<pollfd, 2> watched = {
        {{pipes[0]->ours(), POLLIN, 0}, {pipes[1]->ours(), POLLIN, 0}}};
    if (::poll(watched.data(), watched.size(), ended ? 0 : kTickMs) <= 0) {
      if (ended) {
        return;  // a child of its own still holds the pipes: it is killed with the group
      }
      continue;
    }
    const std::size_t known = so_far_.result.size();
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (is_open(pipes[i]) && watched[i].revents != 0 && !drain(pipes[i]->ours(), *into[i])) {
        pipes[i]->close_ours();
      }
    }
    has_written_line_ = has_written_line_ || so_far_.result.find('\n', known) != std::string::npos;
    if (so_far_.output.size() > 2 * output_bytes_) {
      so_far_.output.erase(0, so_far_.output.size() - output_bytes_);
    }
  }
}

void Subprocess::wait_for_line() { collect(Until::kLine); }

std::string Subprocess::result() {
  collect(Until::kResult);
  return so_far_.result;
}

ProcessResult Subprocess::finish() {
  if (child_ == 0) {
    throw std::logic_error("a process is finished once");
  }
  collect(Until::kEnd);
  // The group, not the process: a worker's own children go with it. Harmless when it has ended.
  ::kill(-child_, SIGKILL);
  const int status = wait_for(child_);
  child_ = 0;
  if (WIFEXITED(status)) {
    so_far_.exit_code = WEXITSTATUS(status);
  } else if (WIFSIGNALED(status)) {
    so_far_.signal = WTERMSIG(status);
  }
  return std::move(so_far_);
}

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

void kill_orphans(const std::vector<pid_t>& ours) {
  // Its own children become ours in turn, so this is repeated until none is left.
  for (bool found = true; found;) {
    found = false;
    std::ifstream children(fmt::format("/proc/self/task/{}/children", ::gettid()));
    const std::string text((std::istreambuf_iterator<char>(children)), {});
    for (const auto& word : words_of(text)) {
      const pid_t child = std::stoi(word);
      if (std::find(ours.begin(), ours.end(), child) == ours.end()) {
        ::kill(child, SIGKILL);
        wait_for(child);
        found = true;
      }
    }
  }
}

ProcessResult run_process(const ProcessRequest& request) { return Subprocess(request).finish(); }

}  // namespace perfgate
