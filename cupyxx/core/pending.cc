// SPDX-License-Identifier: MIT
#include "cupyxx/core/pending.h"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "cupyxx/core/owed_zeros.h"
#include "cupyxx/error.h"

namespace cupyxx::internal {

struct PendingLink {
  Pending* owner = nullptr;
  Storage* storage = nullptr;
  PendingLink* previous = nullptr;
  PendingLink* next = nullptr;
};

struct Pending {
  std::shared_ptr<Pending> self;  // given up when the body has its elements, or dies
  ndarray base;
  std::vector<Index> index;
  TakeSelection* take = nullptr;
  PendingLink few[2];             // one for each memory that is read ...
  std::vector<PendingLink> many;  // ... here, where there are more
  std::span<PendingLink> links;
  Body* body = nullptr;
  bool linked = false;
  bool busy = false;         // a thread takes the elements
  ndarray taken;             // they, before the first read puts them into the body
  std::exception_ptr error;  // or why there are none
};

namespace {

// One lock for all lists: a selection stands in several.
std::mutex& lists() {
  static auto* mutex = new std::mutex;  // never destroyed: global arrays outlive it
  return *mutex;
}

std::condition_variable& done() {
  static auto* condition = new std::condition_variable;
  return *condition;
}

void link(Pending& pending) {
  if (pending.linked) return;
  for (PendingLink& item : pending.links) {
    item.previous = nullptr;
    item.next = item.storage->pending.load(std::memory_order_relaxed);
    if (item.next != nullptr) item.next->previous = &item;
    item.storage->pending.store(&item, std::memory_order_release);
  }
  pending.linked = true;
}

void unlink(Pending& pending) {
  if (!pending.linked) return;
  for (PendingLink& item : pending.links) {
    if (item.next != nullptr) item.next->previous = item.previous;
    if (item.previous != nullptr) {
      item.previous->next = item.next;
    } else {
      item.storage->pending.store(item.next, std::memory_order_release);
    }
  }
  pending.linked = false;
}

bool is_taken(const Pending& pending) {
  return !pending.taken.is_none() || pending.error != nullptr;
}

// Takes the elements unless they are there; waits for a thread that is at it. Called with the lock,
// which is open while the elements are gathered: others may finish meanwhile, so the caller holds a
// reference to the body and `self`.
void take(Pending& pending, std::unique_lock<std::mutex>& lock) noexcept {
  while (pending.busy) done().wait(lock);
  if (is_taken(pending)) return;
  pending.busy = true;  // it stays in the lists: who is about to write waits for it
  lock.unlock();
  ndarray taken;
  std::exception_ptr error;
  try {
    taken = pending.take(pending.base, pending.index);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  pending.taken = std::move(taken);
  pending.error = std::move(error);
  pending.busy = false;
  unlink(pending);
  done().notify_all();
}

// Moves the elements into the body that has waited for them.
void install(Body* body, Body* from) {
  body->dtype = from->dtype;
  body->ndim = from->ndim;
  body->writeable = from->writeable;
  body->c_contiguous = from->c_contiguous;
  body->f_contiguous = from->f_contiguous;
  body->owndata = from->owndata;
  body->data = from->data;
  body->size = from->size;
  if (from->shape == from->inline_dims) {
    for (int i = 0; i < from->ndim; ++i) {
      body->shape[i] = from->shape[i];
      body->strides[i] = from->strides[i];
    }
  } else {
    body->shape = std::exchange(from->shape, from->inline_dims);
    body->strides = std::exchange(from->strides, from->inline_dims + Body::kInlineNdim);
    from->ndim = 0;
  }
  retain(from->storage);
  __atomic_store_n(&body->storage, from->storage, __ATOMIC_RELEASE);
  body->state.store(BodyState::ready, std::memory_order_release);
}

bool is_pending(const Body* body) {
  return __atomic_load_n(&body->storage, __ATOMIC_ACQUIRE) == nullptr;
}

}  // namespace

namespace {

void take_all(Storage* storage) noexcept {
  std::unique_lock lock(lists());
  while (PendingLink* const item = storage->pending.load(std::memory_order_relaxed)) {
    Body* const body = item->owner->body;
    retain(body);  // the owner's last handle may go while its elements are gathered
    std::shared_ptr<Pending> owner = item->owner->self;
    take(*owner, lock);
    lock.unlock();
    release(body);
    owner.reset();
    lock.lock();
  }
}

}  // namespace

Body* new_pending(const ndarray& base, std::vector<Index> index, TakeSelection* take_elements) {
  const auto pending = std::make_shared<Pending>();
  pending->base = base;
  pending->index = std::move(index);
  pending->take = take_elements;
  take_pending.store(take_all, std::memory_order_relaxed);
  const std::size_t most = 1 + pending->index.size();
  if (most > std::size(pending->few)) pending->many.resize(most);
  PendingLink* const links = most > std::size(pending->few) ? pending->many.data() : pending->few;
  bool exposed = false;
  const auto reads = [&](const ndarray& a) {
    Storage* const storage = a.body()->storage;
    for (const PendingLink& item : pending->links) {
      if (item.storage == storage) return;
    }
    links[pending->links.size()] = {pending.get(), storage};
    pending->links = {links, pending->links.size() + 1};
    exposed |= storage->exposed.load(std::memory_order_relaxed);
  };
  reads(base);
  for (const Index& entry : pending->index) {
    if (entry.is_array()) reads(entry.array());
  }
  Body* const body = new_waiting_body();
  body->pending = pending.get();
  pending->body = body;
  pending->self = pending;
  std::unique_lock lock(lists());
  if (exposed) {
    take(*pending, lock);
  } else {
    link(*pending);
  }
  return body;
}

PendingTarget target_of(const Body* body) { return {body->pending->base, body->pending->index}; }

OwnWriteScope::OwnWriteScope(Body* body) : body_(body) {
  const std::lock_guard lock(lists());
  unlink(*body_->pending);
}

OwnWriteScope::~OwnWriteScope() {
  const std::lock_guard lock(lists());
  if (!is_taken(*body_->pending)) link(*body_->pending);
}

void make_ready(Body* body) {
  if (body == nullptr) throw TypeError("the array is None");
  const BodyState state = body->state.load(std::memory_order_acquire);
  if (state == BodyState::element) return settle(body);
  if (state == BodyState::zeros) return pay_zeros(body);
  std::shared_ptr<Pending> finished;  // its arrays are given back without the lock
  std::unique_lock lock(lists());
  if (!is_pending(body)) return;
  const std::shared_ptr<Pending> pending = body->pending->self;
  take(*pending, lock);
  if (!is_pending(body)) return;  // another thread has put them there meanwhile
  if (pending->error != nullptr) std::rethrow_exception(pending->error);
  install(body, pending->taken.handle());
  finished = std::move(pending->self);
  lock.unlock();
}

Released release_pending(Body* body) noexcept {
  std::shared_ptr<Pending> last;
  const std::lock_guard lock(lists());
  if (!is_pending(body)) return Released::not_pending;
  if (body->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return Released::one;
  last = std::move(body->pending->self);
  unlink(*last);
  return Released::last;
}

void expose(Storage* storage) noexcept {
  storage->exposed.store(true, std::memory_order_relaxed);
  if (storage->pending.load(std::memory_order_acquire) != nullptr) take_all(storage);
}

}  // namespace cupyxx::internal
