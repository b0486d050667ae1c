// SPDX-License-Identifier: MIT
// Named elements of arrays on the host: `auto t = a(i); a(i) = a(j); a(j) = t;` exchanges them.
//
// A body keeps the value beside the place. As long as both are the same the place serves; the first
// read that finds another value there gives the body memory of its own. A statement, `a(i) = x`,
// reads and writes before anything can change in between, and costs a comparison.
#include <cstring>
#include <mutex>
#include <utility>

#include "cupyxx/core/body.h"
#include "cupyxx/dtype.h"

namespace cupyxx::internal {

namespace {

std::mutex& settling() {
  static auto* mutex = new std::mutex;  // never destroyed: global arrays outlive it
  return *mutex;
}

std::size_t bytes_of(const Body* body) { return static_cast<std::size_t>(body->dtype.itemsize()); }

}  // namespace

// Nobody writes to the body meanwhile.
void make_element(Body* body) noexcept {
  if (body->dtype.itemsize() == 8) {
    std::memcpy(body->inline_dims, body->data, 8);  // one load and one store
  } else {
    std::memcpy(body->inline_dims, body->data, bytes_of(body));
  }
  body->number = true;
  body->state.store(BodyState::element, std::memory_order_release);
}

Body* another_name(const Body* number) {
  const std::lock_guard lock(settling());
  retain(number->storage);
  Body* body = new_body(number->storage, number->data, number->dtype, 0, nullptr, nullptr);
  body->writeable = number->writeable;
  body->owndata = number->owndata;
  make_element(body);
  if (number->state.load(std::memory_order_relaxed) == BodyState::element) {
    std::memcpy(body->inline_dims, number->inline_dims, bytes_of(body));
  }
  return body;
}

void leave(Body* body) noexcept {
  if (body != nullptr && body->number && body->refs.load(std::memory_order_relaxed) > 1 &&
      body->state.load(std::memory_order_relaxed) == BodyState::ready) {
    make_element(body);
  }
}

void settle(Body* element) {
  // Another thread may be in own_element.
  const char* place = __atomic_load_n(&element->data, __ATOMIC_RELAXED);
  const std::size_t bytes = bytes_of(element);
  const bool same = bytes == 8 ? std::memcmp(element->inline_dims, place, 8) == 0
                               : std::memcmp(element->inline_dims, place, bytes) == 0;
  if (!same) own_element(element);
}

void own_element(Body* body) {
  if (body->state.load(std::memory_order_acquire) != BodyState::element) return;
  Storage* storage = allocate(Device::cpu(), bytes_of(body));
  std::memcpy(storage->data, body->inline_dims, bytes_of(body));
  {
    const std::lock_guard lock(settling());
    if (body->state.load(std::memory_order_relaxed) == BodyState::element) {
      std::swap(body->storage, storage);
      __atomic_store_n(&body->data, body->storage->data, __ATOMIC_RELAXED);
      body->owndata = true;
      body->writeable = true;
      body->state.store(BodyState::ready, std::memory_order_release);
    }
  }
  release(storage);
}

}  // namespace cupyxx::internal
