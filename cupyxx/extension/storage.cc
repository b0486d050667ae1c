// SPDX-License-Identifier: MIT
#include "cupyxx/extension/storage.h"

#include "cupyxx/core/body.h"
#include "cupyxx/core/owed_zeros.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::extension {
namespace {

struct Holder : internal::Attached {
  std::unique_ptr<Attachment> what;
};

void drop(internal::Attached* attached) noexcept { delete static_cast<Holder*>(attached); }

Attachment* held_by(internal::Attached* attached) {
  return attached != nullptr ? static_cast<Holder*>(attached)->what.get() : nullptr;
}

}  // namespace

std::span<const std::int64_t> extents(const ndarray& array) {
  const internal::Body* body = array.body();
  return {body->shape, body->ndim};
}

bool is_unshared(const ndarray& array) {
  const internal::Body* body = array.body();
  return body->writeable && body->refs.load(std::memory_order_relaxed) == 1 &&
         body->storage->refs.load(std::memory_order_relaxed) == 1;
}

void note_write(const ndarray& array) { internal::touch(array.body()); }

namespace {

// The body, with its elements or owing zeros.
internal::Body* settled(const ndarray& array) {
  return internal::owes_zeros(array.handle()) ? array.handle() : array.body();
}

}  // namespace

bool may_be_zeroed_later(const ndarray& array) { return internal::may_owe_zeros(settled(array)); }

void zero_later(const ndarray& array) { internal::owe_zeros(settled(array)); }

bool has_unwritten_zeros(const ndarray& array) { return internal::owes_zeros(array.handle()); }

bool had_to_write_zeros(const ndarray& array) { return settled(array)->paid_zeros; }

void note_use(const ndarray& array, void* stream) {
  internal::gpu::record_use(array.body()->storage, stream);
}

bool is_exposed(const ndarray& array) {
  return array.body()->storage->exposed.load(std::memory_order_relaxed);
}

Attachment* attachment(const ndarray& array) {
  return held_by(array.body()->storage->attached.load(std::memory_order_acquire));
}

Attachment* attach(const ndarray& array, std::unique_ptr<Attachment> what) {
  std::atomic<internal::Attached*>& slot = array.body()->storage->attached;
  auto holder = std::make_unique<Holder>();
  holder->drop = drop;
  holder->what = std::move(what);
  internal::Attached* there = nullptr;
  if (slot.compare_exchange_strong(there, holder.get(), std::memory_order_acq_rel)) {
    there = holder.release();
  }
  return held_by(there);
}

Workspace::Workspace(int device, std::size_t nbytes)
    : storage_(nbytes != 0 ? internal::gpu::allocate(device, nbytes) : nullptr) {}

Workspace::~Workspace() {
  if (storage_ != nullptr) internal::release(storage_);
}

void* Workspace::data() const { return storage_ != nullptr ? storage_->data : nullptr; }

}  // namespace cupyxx::extension
