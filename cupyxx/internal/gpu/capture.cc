// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/capture.h"

#include <cuda.h>

#include <algorithm>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/error_words.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/stream.h"

namespace cupyxx::internal::gpu {

constinit thread_local Capture* t_capture = nullptr;

namespace {

// Kernels are launched by the driver, so their nodes are read and changed by it.
struct Driver {
  decltype(&::cuGraphKernelNodeGetParams) get = nullptr;
  decltype(&::cuGraphExecKernelNodeSetParams) set = nullptr;

  Driver() {
    get = find<decltype(get)>("cuGraphKernelNodeGetParams");
    set = find<decltype(set)>("cuGraphExecKernelNodeSetParams");
  }
  template <class Function>
  static Function find(const char* name) {
    constexpr unsigned kVersion = 12000;
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result{};
    const cudaError_t code =
        cudaGetDriverEntryPointByVersion(name, &function, kVersion, cudaEnableDefault, &result);
    if (code != cudaSuccess || result != cudaDriverEntryPointSuccess) {
      throw CudaError(message("capture: the driver has no ", name));
    }
    return reinterpret_cast<Function>(function);
  }
};

const Driver& driver() {
  static const Driver functions;
  return functions;
}

void check_driver(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  throw CudaError(message(call, " failed; CUresult ", static_cast<int>(result)));
}

// What the stream has recorded, and the node recorded last.
struct Recorded {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t last = nullptr;
};

Recorded recorded_on(void* stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  Recorded recorded;
  const cudaGraphNode_t* nodes = nullptr;
  std::size_t count = 0;
  // Kernels that start early hang on edges of another kind, which must be asked for.
  const cudaGraphEdgeData* edges = nullptr;
#if CUDART_VERSION >= 13000
  const cudaError_t result = cudaStreamGetCaptureInfo(as_stream(stream), &status, &id,
                                                      &recorded.graph, &nodes, &edges, &count);
#else
  const cudaError_t result = cudaStreamGetCaptureInfo_v3(as_stream(stream), &status, &id,
                                                         &recorded.graph, &nodes, &edges, &count);
#endif
  check(result, "cudaStreamGetCaptureInfo");
  if (count > 0) recorded.last = nodes[count - 1];
  return recorded;
}

std::size_t count_nodes(cudaGraph_t graph) {
  std::size_t count = 0;
  if (graph != nullptr) check(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes");
  return count;
}

// What the second stream is given from here on comes after what the first has got.
void order_in_capture(int device, void* first, void* second) {
  const OnDevice on(device);
  void* const event = create_event(device, {.timing = false});
  try {
    record_event(device, event, first);
    stream_wait_event(device, second, event);
  } catch (...) {
    destroy_event(device, event);
    throw;
  }
  destroy_event(device, event);  // the graph has an edge in its place
}

// A kernel whose argument changes.
struct VaryingKernel {
  cudaGraphNode_t node;
  std::vector<unsigned char> argument;
  std::vector<unsigned char> fresh;  // room for the next: a run asks for no memory
  std::function<void(void*)> refresh;
};

struct KeptStorage {
  Storage* storage;
  std::uint64_t version;  // when it was first used
  bool is_written;
};

}  // namespace

struct Graph::Impl {
  int device = 0;
  void* stream = nullptr;  // the home of the memory in the graph
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  std::size_t nodes = 0;
  std::vector<KeptStorage> kept;
  std::vector<std::function<void()>> steps;
  std::vector<std::function<bool()>> conditions;
  std::vector<VaryingKernel> varying;
  std::vector<void*> launched_on;

  void refresh(VaryingKernel& kernel);
};

Graph::Graph(int device) : impl_(std::make_unique<Impl>()) { impl_->device = device; }

Graph::~Graph() {
  try {
    const OnDevice on(impl_->device);
    // Its memory goes to others now.
    if (!impl_->launched_on.empty()) cudaDeviceSynchronize();
    if (impl_->exec != nullptr) cudaGraphExecDestroy(impl_->exec);
    if (impl_->graph != nullptr) cudaGraphDestroy(impl_->graph);
    cudaGetLastError();
    for (const KeptStorage& kept : impl_->kept) release(kept.storage);
    if (impl_->stream != nullptr) {
      hold_memory(impl_->device, impl_->stream, false);
      forget_error_word(impl_->device, impl_->stream);
      destroy_stream(impl_->device, impl_->stream);
    }
  } catch (...) {
    // At exit the device is gone.
  }
}

int Graph::device() const { return impl_->device; }

std::size_t Graph::node_count() const { return impl_->nodes; }

bool Graph::is_current() const {
  return std::all_of(impl_->conditions.begin(), impl_->conditions.end(),
                     [](const auto& condition) { return condition(); });
}

void Graph::Impl::refresh(VaryingKernel& kernel) {
  kernel.fresh = kernel.argument;
  kernel.refresh(kernel.fresh.data());
  if (kernel.fresh == kernel.argument) return;
  kernel.argument.swap(kernel.fresh);
  CUDA_KERNEL_NODE_PARAMS params{};
  // The runtime's nodes and graphs are the driver's.
  check_driver(driver().get(reinterpret_cast<CUgraphNode>(kernel.node), &params),
               "cuGraphKernelNodeGetParams");
  void* arguments[] = {kernel.argument.data()};
  params.kernelParams = arguments;
  params.extra = nullptr;
  check_driver(driver().set(reinterpret_cast<CUgraphExec>(exec),
                            reinterpret_cast<CUgraphNode>(kernel.node), &params),
               "cuGraphExecKernelNodeSetParams");
}

void Graph::step() {
  const OnDevice on(impl_->device);
  for (const auto& step : impl_->steps) step();
  for (VaryingKernel& kernel : impl_->varying) impl_->refresh(kernel);
}

void Graph::launch(void* stream) {
  Impl& impl = *impl_;
  if (impl.exec == nullptr) return;  // nothing was recorded
  refuse_in_capture("a graph is launched within the capture of another");
  for (const KeptStorage& kept : impl.kept) {
    record_use(kept.storage, stream);
    if (kept.is_written) kept.storage->version.fetch_add(1, std::memory_order_relaxed);
    // What a capture writes to it before it knows it is not noted: any may change.
    if (kept.storage->pending.load(std::memory_order_acquire) != nullptr) {
      take_pending.load(std::memory_order_relaxed)(kept.storage);
    }
    if (zeros_owed.load(std::memory_order_acquire) != 0) [[unlikely]] {
      pay_zeros_to.load(std::memory_order_relaxed)(kept.storage, stream);
    }
  }
  if (std::find(impl.launched_on.begin(), impl.launched_on.end(), stream) ==
      impl.launched_on.end()) {
    impl.launched_on.push_back(stream);
  }
  const OnDevice on(impl.device);
  check(cudaGraphLaunch(impl.exec, as_stream(stream)), "cudaGraphLaunch");
}

Capture::Capture(int device) : device_(device) {
  if (t_capture != nullptr) {
    throw ValueError("capture: this thread is within a capture already; two cannot be nested");
  }
  check_device("capture", device);
  const OnDevice on(device);
  graph_ = std::make_unique<Graph>(device);
  outer_stream_ = current_stream(device);
  stream_ = create_stream(device, {.non_blocking = true});
  graph_->impl_->stream = stream_;
  hold_memory(device, stream_, true);
  // What kernels find wrong is thrown by waits for the stream that the graph is launched on.
  share_error_word(device, stream_, outer_stream_);
  check(cudaStreamBeginCapture(as_stream(stream_), cudaStreamCaptureModeThreadLocal),
        "cudaStreamBeginCapture");
  capturing_ = true;
  set_current_stream(device, stream_);
  t_capture = this;
}

Capture::~Capture() {
  if (graph_ != nullptr) std::for_each(undo_.rbegin(), undo_.rend(), [](auto& step) { step(); });
  if (!capturing_) return;
  t_capture = nullptr;
  set_current_stream(device_, outer_stream_);
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(as_stream(stream_), &graph);
  if (graph != nullptr) cudaGraphDestroy(graph);
  cudaGetLastError();
}

std::unique_ptr<Graph> Capture::end() {
  const OnDevice on(device_);
  Graph::Impl& impl = *graph_->impl_;
  while (!forked_.empty()) join(forked_.back());
  t_capture = nullptr;
  capturing_ = false;
  set_current_stream(device_, outer_stream_);
  check(cudaStreamEndCapture(as_stream(stream_), &impl.graph), "capture: cudaStreamEndCapture");
  impl.nodes = count_nodes(impl.graph);
  if (impl.nodes != 0) {
    check(cudaGraphInstantiate(&impl.exec, impl.graph, 0), "cudaGraphInstantiate");
  }
  for (KeptStorage& kept : impl.kept) kept.is_written = kept.version != kept.storage->version;
  return std::move(graph_);
}

bool Capture::records(void* stream) const {
  return stream == stream_ || std::find(forked_.begin(), forked_.end(), stream) != forked_.end();
}

void Capture::fork(void* stream) {
  if (stream == stream_) return;
  order_in_capture(device_, stream_, stream);
  if (!records(stream)) forked_.push_back(stream);
}

void Capture::join(void* stream) {
  const auto at = std::find(forked_.begin(), forked_.end(), stream);
  if (at == forked_.end()) return;
  order_in_capture(device_, stream, stream_);
  forked_.erase(at);
}

std::size_t Capture::node_count() const { return count_nodes(recorded_on(stream_).graph); }

void Capture::keep(Storage* storage) {
  std::vector<KeptStorage>& kept = graph_->impl_->kept;
  const bool is_known = std::any_of(kept.begin(), kept.end(),
                                    [&](const KeptStorage& k) { return k.storage == storage; });
  if (is_known) return;
  kept.push_back({storage, storage->version, false});
  retain(storage);
}

void Capture::before_run(std::function<void()> step) {
  graph_->impl_->steps.push_back(std::move(step));
}

void Capture::undo(std::function<void()> step) { undo_.push_back(std::move(step)); }

void Capture::require(std::function<bool()> condition) {
  graph_->impl_->conditions.push_back(std::move(condition));
}

void Capture::vary(const void* argument, std::size_t nbytes, std::function<void(void*)> refresh) {
  const Recorded recorded = recorded_on(stream_);
  if (recorded.last == nullptr) return;
  const auto* bytes = static_cast<const unsigned char*>(argument);
  const std::vector<unsigned char> copy(bytes, bytes + nbytes);
  graph_->impl_->varying.push_back({recorded.last, copy, copy, std::move(refresh)});
}

void Capture::note_random(RandomPlace place, std::function<RandomPlace()> take) {
  const auto now = std::make_shared<RandomPlace>(place);
  randoms_.push_back({place, now});
  before_run([now, take = std::move(take)] { *now = take(); });
}

std::shared_ptr<const RandomPlace> Capture::random_place(RandomPlace place) const {
  // A state that was set back during the capture has taken the same place twice; the latest counts.
  const auto at = std::find_if(randoms_.rbegin(), randoms_.rend(), [&](const Random& random) {
    return random.recorded.seed == place.seed && random.recorded.offset == place.offset;
  });
  return at == randoms_.rend() ? nullptr : at->now;
}

void refuse_in_capture(const char* what) {
  if (t_capture != nullptr) throw Error(message("capture: ", what));
}

}  // namespace cupyxx::internal::gpu
