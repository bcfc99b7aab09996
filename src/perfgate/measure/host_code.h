#pragma once
// Code such as queueing an operator takes, without LibTorch and without a GPU: it finds names in a
// table, makes and frees small objects, and calls through a table of functions. How long it takes
// says what a core can do right now.

#include <cstddef>
#include <memory>

namespace perfgate {

class HostCode {
 public:
  HostCode();
  ~HostCode();
  HostCode(const HostCode&) = delete;
  HostCode& operator=(const HostCode&) = delete;

  /// So many calls of functions, a fifth of a microsecond each on a Xeon of 2024.
  void run(std::size_t calls);

 private:
  class Table;
  std::unique_ptr<Table> table_;
  std::size_t next_ = 0;
};

}  // namespace perfgate
