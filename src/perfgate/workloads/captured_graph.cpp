#include "perfgate/workloads/captured_graph.h"

#include <c10/util/Exception.h>

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
namespace {

// A capture that has failed cannot be ended without an error, which is not the one that matters.
void end_failed_capture(PERFGATE_GRAPH& graph) {
  try {
    graph.capture_end();
  } catch (const c10::Error&) {
  }
}

}  // namespace

std::function<void()> captured_graph(const std::function<void()>& work) {
  const auto graph = std::make_shared<PERFGATE_GRAPH>();
  graph->capture_begin();
  try {
    work();
  } catch (...) {
    end_failed_capture(*graph);
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
