// The GPU sampler for a process that is not ours: Python loads this as a shared library and times
// what torch.compile made behind the same hold, flush and floor as every case (against_python.py).

#include <cstring>
#include <exception>

#include "perfgate/measure/cuda_gpu.h"
#include "perfgate/measure/cuda_sampler.h"

/// Times `run`, which queues its work on the legacy default stream of the current device.
/// `expected_s`: its rough length, chooses the number of samples. On success 0 and the net time;
/// else 1 and the reason in `message`, cut to `capacity` bytes with its terminating zero.
extern "C" int perfgate_net_time_us(void (*run)(), double expected_s, double* net_us, char* message,
                                    std::size_t capacity) {
  try {
    perfgate::CudaGpu gpu(nullptr, perfgate::kHoldTimeout);
    perfgate::CudaSampler sampler(perfgate::CudaProtocol{}, gpu, nullptr, "not wanted here");
    perfgate::Body body;
    body.run = run;
    body.expected = perfgate::Seconds(expected_s);
    *net_us = sampler.measure(body, {}).metrics.at("net_time").figure;
    return 0;
  } catch (const std::exception& error) {
    std::strncpy(message, error.what(), capacity - 1);
    message[capacity - 1] = '\0';
    return 1;
  }
}
