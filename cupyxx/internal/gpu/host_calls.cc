// SPDX-License-Identifier: MIT
// Calls on the host in the order of a stream.
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>

#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/stream.h"

namespace cupyxx::internal::gpu {
namespace {

struct Enqueued {
  HostCall call;
  int device;
  void* stream;
};

struct Failure {
  int device;
  void* stream;
  std::exception_ptr error;
};

struct Calls {
  std::mutex mutex;
  std::vector<Enqueued*> finished;  // states that a thread of the program is to drop
  std::vector<Failure> failures;
  std::atomic<int> failed{0};
  std::atomic<int> done{0};
};

Calls& calls() {
  static Calls& all = *new Calls;
  return all;
}

void drop(Enqueued* enqueued) {
  if (enqueued->call.drop != nullptr) enqueued->call.drop(enqueued->call.state);
  delete enqueued;
}

void CUDART_CB run(void* data) {
  auto* enqueued = static_cast<Enqueued*>(data);
  Calls& all = calls();
  try {
    enqueued->call.call(enqueued->call.state);
  } catch (...) {
    const std::lock_guard lock(all.mutex);
    all.failures.push_back({enqueued->device, enqueued->stream, std::current_exception()});
    all.failed.fetch_add(1, std::memory_order_release);
  }
  // The state may own arrays and streams, whose ends call CUDA; that is forbidden here.
  const std::lock_guard lock(all.mutex);
  all.finished.push_back(enqueued);
  all.done.fetch_add(1, std::memory_order_release);
}

template <class Matches>
void throw_first(Matches matches) {
  Calls& all = calls();
  if (all.failed.load(std::memory_order_acquire) == 0) return;
  std::exception_ptr error;
  {
    const std::lock_guard lock(all.mutex);
    for (std::size_t i = 0; i < all.failures.size() && !error; ++i) {
      if (!matches(all.failures[i])) continue;
      error = all.failures[i].error;
      all.failures.erase(all.failures.begin() + static_cast<std::ptrdiff_t>(i));
      all.failed.fetch_sub(1, std::memory_order_relaxed);
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace

void launch_host_func(int device, void* stream, HostCall call) {
  if (capture_on(stream) != nullptr) {
    if (call.drop != nullptr) call.drop(call.state);
    refuse_in_capture("the recorded work calls a function of the host, whose state is used once");
  }
  drop_finished_host_calls();
  auto* enqueued = new Enqueued{call, device, stream};
  cudaError_t result;
  {
    const OnDevice on(device);
    result = cudaLaunchHostFunc(as_stream(stream), run, enqueued);
  }
  if (result == cudaSuccess) return;
  drop(enqueued);
  throw_cuda_error(result, "cudaLaunchHostFunc");
}

void drop_finished_host_calls() {
  Calls& all = calls();
  if (all.done.load(std::memory_order_acquire) == 0) return;
  std::vector<Enqueued*> finished;
  {
    const std::lock_guard lock(all.mutex);
    finished.swap(all.finished);
    all.done.store(0, std::memory_order_relaxed);
  }
  for (Enqueued* enqueued : finished) drop(enqueued);
}

void throw_host_errors(int device, void* stream) {
  drop_finished_host_calls();
  throw_first([=](const Failure& f) { return f.device == device && f.stream == stream; });
}

void throw_host_errors(int device) {
  drop_finished_host_calls();
  throw_first([=](const Failure& f) { return f.device == device; });
}

}  // namespace cupyxx::internal::gpu
