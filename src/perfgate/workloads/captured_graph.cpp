#include "perfgate/workloads/captured_graph.h"

#include <ATen/DeviceAccelerator.h>

#include <memory>

#include "perfgate/workloads/case.h"

// Before LibTorch 2.13 graphs were CUDA's alone, and a build for CPUs had none.
#if __has_include(<ATen/accelerator/Graph.h>)
#include <ATen/accelerator/Graph.h>
#define PERFGATE_GRAPH at::accelerator::Graph
#elif defined(PERFGATE_LIBTORCH_CUDA)
#include <ATen/cuda/CUDAGraph.h>
#define PERFGATE_GRAPH at::cuda::CUDAGraph
#endif

namespace perfgate {

#ifdef PERFGATE_GRAPH
std::function<void()> captured_graph(const std::function<void()>& work) {
  if (!at::accelerator::getAccelerator()) {
    throw Unsupported("a CPU has no graphs of a device");
  }
  const auto graph = std::make_shared<PERFGATE_GRAPH>();
  graph->capture_begin();
  try {
    work();
  } catch (...) {
    graph->capture_end();  // or the stream would stay captured
    throw;
  }
  graph->capture_end();
  return [graph] { graph->replay(); };
}
#else
std::function<void()> captured_graph(const std::function<void()>& /*work*/) {
  throw Unsupported("this LibTorch has no graphs of a device");
}
#endif

}  // namespace perfgate
