#include "perfgate/workloads/captured_graph.h"

#include <ATen/DeviceAccelerator.h>

#include <memory>

#include "perfgate/workloads/case.h"

// Before LibTorch 2.13 graphs were CUDA's alone.
#if __has_include(<ATen/accelerator/Graph.h>)
#include <ATen/accelerator/Graph.h>
#else
#include <ATen/cuda/CUDAGraph.h>
#endif

namespace perfgate {
namespace {

#if __has_include(<ATen/accelerator/Graph.h>)
using Graph = at::accelerator::Graph;
#else
using Graph = at::cuda::CUDAGraph;
#endif

}  // namespace

std::function<void()> captured_graph(const std::function<void()>& work) {
  if (!at::accelerator::getAccelerator()) {
    throw Unsupported("a CPU has no graphs of a device");
  }
  const auto graph = std::make_shared<Graph>();
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

}  // namespace perfgate
