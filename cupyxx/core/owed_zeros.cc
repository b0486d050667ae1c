// SPDX-License-Identifier: MIT
#include "cupyxx/core/owed_zeros.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal {
namespace {

struct Debt {
  Body* body;
  const gpu::Capture* capture;  // that in which it was made, or null
  std::thread::id thread;
  void* stream;  // on which the zeros would have been written
};

// Never destroyed: global arrays outlive it.
std::mutex& lock_of_debts() {
  static auto* mutex = new std::mutex;
  return *mutex;
}
std::vector<Debt>& debts() {
  static auto* list = new std::vector<Debt>;
  return *list;
}

void* stream_of(const Body& body) {
  const Device device = body.storage->device;
  return device.is_cpu() ? nullptr : gpu::current_stream(device.index);
}

// What follows is called with the lock.

void add(Body* body) {
  debts().push_back({body, gpu::current_capture(), std::this_thread::get_id(), stream_of(*body)});
  zeros_owed.fetch_add(1, std::memory_order_relaxed);
  body->state.store(BodyState::zeros, std::memory_order_release);
}

std::vector<Debt>::iterator find(const Body* body) {
  return std::find_if(debts().begin(), debts().end(),
                      [&](const Debt& debt) { return debt.body == body; });
}

void drop(std::vector<Debt>::iterator debt) {
  debt->body->state.store(BodyState::ready, std::memory_order_release);
  *debt = debts().back();
  debts().pop_back();
  zeros_owed.fetch_sub(1, std::memory_order_relaxed);
}

void write_zeros(const Body& body, void* stream) {
  const std::size_t bytes =
      static_cast<std::size_t>(body.size) * static_cast<std::size_t>(body.dtype.itemsize());
  Storage* const storage = body.storage;
  if (storage->device.is_cpu()) {
    std::memset(body.data, 0, bytes);
    return;
  }
  gpu::set_bytes(body.data, 0, bytes, storage->device.index, stream);
  gpu::record_use(storage, stream);
}

void pay(std::vector<Debt>::iterator debt, void* stream) {
  write_zeros(*debt->body, stream);
  // Who waits for the stream of the debt alone, and only reads, finds the elements ready.
  if (stream != debt->stream && gpu::current_capture() == nullptr) {
    gpu::synchronize(debt->body->storage->device.index, stream);
  }
  debt->body->paid_zeros = true;
  drop(debt);
}

/// Pays all debts of which `concerns` is true.
template <class Concerns>
void pay_all(const Concerns& concerns) {
  const std::lock_guard lock(lock_of_debts());
  for (std::size_t i = debts().size(); i-- > 0;) {
    const auto debt = debts().begin() + static_cast<std::ptrdiff_t>(i);
    if (concerns(*debt)) pay(debt, stream_of(*debt->body));
  }
}

void pay_to(Storage* storage, void* stream) {
  const std::lock_guard lock(lock_of_debts());
  // What another thread captures has not happened.
  const auto debt = std::find_if(debts().begin(), debts().end(), [&](const Debt& d) {
    return d.body->storage == storage && d.capture == nullptr;
  });
  if (debt != debts().end()) pay(debt, stream);
}

}  // namespace

bool may_owe_zeros(const Body* body) {
  const Storage& memory = *body->storage;
  // Views, and who writes or reads unseen, would see what was there.
  return owes_zeros(body) ||
         (body->state.load(std::memory_order_acquire) == BodyState::ready && body->writeable &&
          body->c_contiguous && memory.refs.load(std::memory_order_acquire) == 1 &&
          !memory.exposed.load(std::memory_order_relaxed) &&
          !memory.shown.load(std::memory_order_relaxed) &&
          (memory.device.is_cuda() || gpu::current_capture() == nullptr));
}

void owe_zeros(Body* body) {
  if (owes_zeros(body)) {
    const std::lock_guard lock(lock_of_debts());
    const auto debt = find(body);
    if (debt != debts().end() && debt->capture == gpu::current_capture()) return;
  }
  pay_zeros(body);  // of another thread, or of before a capture
  touch(body);
  const std::lock_guard lock(lock_of_debts());
  body->paid_zeros = false;
  pay_zeros_to.store(pay_to, std::memory_order_relaxed);
  add(body);
}

void pay_zeros(Body* body) {
  const std::lock_guard lock(lock_of_debts());
  const auto debt = find(body);
  if (debt == debts().end()) return;  // another thread was faster
  if (gpu::current_capture() != debt->capture) {
    throw Error(debt->capture == nullptr
                    ? "capture: another thread has set an array to zero, and nobody has written "
                      "or read it since; read it before the capture"
                    : "capture: an array is set to zero by what another thread captures; read it "
                      "after the capture");
  }
  pay(debt, stream_of(*body));
}

void forget_zeros(Body* body) noexcept {
  const std::lock_guard lock(lock_of_debts());
  if (const auto debt = find(body); debt != debts().end()) drop(debt);
}

bool OverwrittenZeros::take() {
  const std::lock_guard lock(lock_of_debts());
  const auto debt = find(body_);
  if (debt == debts().end() || debt->capture != gpu::current_capture()) return false;
  drop(debt);
  return true;
}

void OverwrittenZeros::give_back() noexcept {
  const std::lock_guard lock(lock_of_debts());
  add(body_);
}

void pay_zeros_before_capture() {
  pay_all([me = std::this_thread::get_id()](const Debt& debt) {
    return debt.thread == me && debt.capture == nullptr;
  });
}

void pay_zeros_of(const gpu::Capture* capture) {
  pay_all([&](const Debt& debt) { return debt.capture == capture; });
}

void forget_zeros_of(const gpu::Capture* capture) noexcept {
  const std::lock_guard lock(lock_of_debts());
  for (std::size_t i = debts().size(); i-- > 0;) {
    if (debts()[i].capture == capture) drop(debts().begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace cupyxx::internal
