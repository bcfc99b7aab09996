#pragma once
// What the sampler asks of a GPU: a few verbs on one stream, in the order of a sample. The seam
// at which tests put a GPU of their own, and let any one call fail.

#include "perfgate/core/units.h"

namespace perfgate {

/// Names, as a trace shows them, of the kernels that flush_cache and stamp_clock queue: a sample's
/// body lies between them.
constexpr const char* kKernelBeforeBody = "perfgate_flush";
constexpr const char* kKernelAfterBody = "perfgate_clock_stamp";

/// Every verb throws SystemError with CUDA's own words when the GPU refuses. Verbs that queue
/// return at once; what they did is known after wait().
class Gpu {
 public:
  virtual ~Gpu() = default;
  /// Queues a kernel that blocks the stream until unblock(), or until its time is over.
  virtual void block() = 0;
  virtual void unblock() = 0;
  /// Whether the last one ended by its time-out.
  virtual bool block_timed_out() = 0;
  /// Queues reading a buffer of several times the L2: afterwards it holds nothing of the body's,
  /// and nothing that has to be written back.
  virtual void flush_cache() = 0;
  virtual void record_start() = 0;
  virtual void record_stop() = 0;
  /// Between record_start and record_stop.
  virtual Seconds elapsed() = 0;
  /// Queues reading the SM clock, both ways.
  virtual void stamp_clock() = 0;
  /// Mean from the flush's end on: under what the body draws, which may lower it by a quarter.
  virtual double body_clock_mhz() = 0;
  /// For 20 us behind the body: what it goes back to.
  virtual double clock_behind_mhz() = 0;
  virtual void empty_kernel() = 0;
  /// Queues a kernel that keeps every multiprocessor busy for so long: by multiply-adds, or by
  /// reading DRAM, as a body of this bound does.
  virtual void extra_work(Seconds length, Bound bound) = 0;
  /// Keeps the tensor cores busy for so long, and waits; false where there is no kernel for that.
  virtual bool precondition(Seconds length) = 0;
  virtual void wait() = 0;
  /// The host's clock.
  virtual Seconds now() = 0;
  /// Leaves GPU and host idle.
  virtual void pause(Seconds length) = 0;
};

}  // namespace perfgate
