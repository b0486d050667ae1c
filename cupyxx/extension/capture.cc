// SPDX-License-Identifier: MIT
#include "cupyxx/extension/capture.h"

#include <utility>

#include "cupyxx/cuda/stream.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::extension {

namespace gpu = internal::gpu;

Capture Capture::current() { return Capture(gpu::current_capture()); }

Capture Capture::on(int device) {
  // Without a capture the stream is not asked for.
  if (gpu::current_capture() == nullptr) return Capture(nullptr);
  return Capture(gpu::capture_on(gpu::current_stream(device)));
}

void Capture::fork(const cuda::Stream& stream) const { capture_->fork(stream.ptr()); }

void Capture::join(const cuda::Stream& stream) const { capture_->join(stream.ptr()); }

std::size_t Capture::node_count() const { return capture_->node_count(); }

void Capture::before_run(std::function<void()> step) const {
  capture_->before_run(std::move(step));
}

void Capture::undo(std::function<void()> step) const { capture_->undo(std::move(step)); }

void Capture::require(std::function<bool()> condition) const {
  capture_->require(std::move(condition));
}

void Capture::vary(const void* argument, std::size_t nbytes,
                   std::function<void(void*)> refresh) const {
  capture_->vary(argument, nbytes, std::move(refresh));
}

std::function<random::PhiloxState()> Capture::random_place(
    const random::PhiloxState& recorded) const {
  const auto place = capture_->random_place({recorded.seed, recorded.offset});
  if (place == nullptr) return {};
  return [place] { return random::PhiloxState{place->seed, place->offset}; };
}

void refuse_in_capture(const char* what) { gpu::refuse_in_capture(what); }

}  // namespace cupyxx::extension
