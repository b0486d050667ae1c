// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/graph.h"

#include "cupyxx/core/owed_zeros.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::cuda {

namespace gpu = internal::gpu;

void Graph::launch_on(void* stream) const {
  if (!graph_->is_current()) {
    throw ValueError(
        "Graph: arrays or parameters of the captured work have been replaced; capture again");
  }
  graph_->step();
  graph_->launch(stream);
}

void Graph::launch() const {
  if (is_none()) throw ValueError("Graph: nothing has been captured");
  launch_on(gpu::current_stream(graph_->device()));
}

void Graph::launch(const Stream& stream) const {
  if (is_none()) throw ValueError("Graph: nothing has been captured");
  if (stream.device() != graph_->device()) {
    throw ValueError(message("Graph: the stream is of another device; ", stream.device(), " and ",
                             graph_->device()));
  }
  launch_on(stream.ptr());
}

void Graph::launch_recorded() const {
  if (is_none()) throw ValueError("Graph: nothing has been captured");
  graph_->launch(gpu::current_stream(graph_->device()));
}

bool Graph::is_current() const { return !is_none() && graph_->is_current(); }

std::size_t Graph::node_count() const { return is_none() ? 0 : graph_->node_count(); }

int Graph::device() const { return is_none() ? gpu::current_device() : graph_->device(); }

namespace {

gpu::Capture* begin_capture() {
  internal::pay_zeros_before_capture();
  return new gpu::Capture(gpu::current_device());
}

}  // namespace

GraphCapture::GraphCapture() : capture_(begin_capture()) {}

GraphCapture::~GraphCapture() {
  if (capture_.get() != nullptr) internal::forget_zeros_of(capture_.get());
}

Graph GraphCapture::end() {
  if (capture_.get() == nullptr) throw ValueError("GraphCapture: it has ended already");
  internal::pay_zeros_of(capture_.get());
  const internal::Owned<gpu::Capture> capture = std::move(capture_);
  Graph graph;
  graph.graph_ = capture->end();
  return graph;
}

bool is_capturing() { return gpu::current_capture() != nullptr; }

}  // namespace cupyxx::cuda
