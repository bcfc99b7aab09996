#include "perfgate/process/interrupt.h"

#include <csignal>

namespace perfgate {
namespace {

volatile std::sig_atomic_t pending_signal = 0;

void remember(int signal_number) { pending_signal = signal_number; }

}  // namespace

void catch_interrupts() {
  ::signal(SIGCHLD, SIG_DFL);  // ignored, children would end without our being able to ask how
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    struct sigaction before {};
    if (sigaction(signal_number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) {
      continue;  // nohup, say: whoever started us wants it so
    }
    struct sigaction action {};
    action.sa_handler = remember;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(signal_number, &action, nullptr);
  }
}

std::optional<int> interrupted_by() {
  return pending_signal == 0 ? std::nullopt : std::optional<int>(pending_signal);
}

}  // namespace perfgate
