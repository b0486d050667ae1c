// SPDX-License-Identifier: MIT
// What an ndarray's handle points to: the body (dtype, shape, strides) and the counted memory under
// it, which views share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "cupyxx/device.h"
#include "cupyxx/dtype.h"
#include "cupyxx/shape.h"

namespace cupyxx::internal {

struct PendingLink;

/// What is kept with a memory and dropped with it (attach in cupyxx/extension/storage.h).
struct Attached {
  void (*drop)(Attached* self) noexcept;
};

/// Counted memory. Comes from allocate(), or wraps memory of somebody else.
struct Storage {
  std::atomic<std::int32_t> refs{1};
  Device device;
  std::atomic<std::uint64_t> version{0};  // counts in-place changes
  char* data = nullptr;
  std::size_t nbytes = 0;
  void* block = nullptr;        // the pool's own mark
  void* home_stream = nullptr;  // where it was allocated (cudaStream_t)
  // Streams beside the home stream that have used the memory; beyond these four, all streams of the
  // device are waited for.
  void* foreign_streams[4] = {};
  std::uint8_t foreign_count = 0;
  // Whether somebody may write to it whom nobody sees: through data(), span(), DLPack.
  std::atomic<bool> exposed{false};
  // Whether somebody may read it whom nobody sees: through a span of const elements.
  std::atomic<bool> shown{false};
  std::atomic<PendingLink*> pending{nullptr};  // selections that have not been taken (pending.h)
  std::atomic<Attached*> attached{nullptr};
  void (*destroy)(Storage*) = nullptr;  // gives the memory back and deletes the Storage
};

/// Memory of at least `nbytes` on a device, aligned to 64 bytes on the host and 256 on a device.
/// Throws OutOfMemoryError.
Storage* allocate(Device device, std::size_t nbytes);

inline void retain(Storage* s) noexcept { s->refs.fetch_add(1, std::memory_order_relaxed); }
/// Nobody has a reference any more.
inline void destroy(Storage* s) noexcept {
  if (Attached* attached = s->attached.load(std::memory_order_acquire)) [[unlikely]] {
    s->attached.store(nullptr, std::memory_order_relaxed);  // the Storage may serve again
    attached->drop(attached);
  }
  s->destroy(s);
}
inline void release(Storage* s) noexcept {
  if (s->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(s);
}

struct Pending;

/// What a handle has to do before it reads: take the elements of a selection, nothing, see whether
/// the element that it stands for is what it was, or write the zeros that nobody has written yet
/// (owed_zeros.h).
enum class BodyState : std::uint8_t { pending, ready, element, zeros };

/// Shape, strides and place of one array. Of a pending selection only `refs`, `storage` (null) and
/// `pending` mean something.
struct Body {
  static constexpr int kInlineNdim = 6;

  std::atomic<BodyState> state{BodyState::pending};  // first, see ndarray::is_ready
  std::atomic<std::int32_t> refs{1};
  Storage* storage = nullptr;
  cupyxx::dtype dtype;
  std::uint8_t ndim = 0;
  bool writeable = true;
  bool c_contiguous = true;
  bool f_contiguous = true;
  bool owndata = true;
  bool number = false;      // of an element or what a loop over an axis gives: names hold values
  bool compared = false;    // what `a < b` and its kin give
  bool paid_zeros = false;  // zeros that it owed last had to be written
  union {
    char* data = nullptr;  // first element
    Pending* pending;
  };
  std::int64_t size = 1;
  std::int64_t* shape = inline_dims;                  // ndim extents ...
  std::int64_t* strides = inline_dims + kInlineNdim;  // ... and strides in bytes
  std::int64_t inline_dims[2 * kInlineNdim];          // longer ones are on the heap
  // Of an element, which has no extents, these hold the value that it had when it was named.

  Device device() const { return storage->device; }
};

/// A body for an array over `storage` (one reference is taken over); strides of null mean
/// C-contiguous.
Body* new_body(Storage* storage, char* data, cupyxx::dtype dtype, int ndim,
               const std::int64_t* shape, const std::int64_t* strides);

/// A body without elements yet, for pending.cc.
Body* new_waiting_body();
/// What became of a reference that release_pending was to give up.
enum class Released : std::uint8_t { not_pending, one, last };
Released release_pending(Body* body) noexcept;

/// Takes all selections of a memory, or with indices in it, that are still pending. Set when the
/// first one is made (pending.cc), so that memory can be written below the layer that indexes.
inline std::atomic<void (*)(Storage* storage) noexcept> take_pending{nullptr};

/// How many bodies owe zeros, and what writes those owed to a memory, on a stream of its device;
/// set when the first ones are owed (owed_zeros.cc), as graphs are run below the layer of arrays.
inline std::atomic<int> zeros_owed{0};
inline std::atomic<void (*)(Storage* storage, void* stream)> pay_zeros_to{nullptr};

/// Marks memory as changed in place; stands before the change, as selections show what was there.
inline void touch(Storage* storage) noexcept {
  storage->version.fetch_add(1, std::memory_order_relaxed);
  if (storage->pending.load(std::memory_order_acquire) != nullptr) [[unlikely]] {
    take_pending.load(std::memory_order_relaxed)(storage);
  }
}
/// Makes a place in an array of what was a value: it is written to, or somebody views it.
inline void make_live(Body* body) noexcept {
  if (body->state.load(std::memory_order_relaxed) == BodyState::element) {
    body->state.store(BodyState::ready, std::memory_order_relaxed);
  }
}
inline void touch(Body* body) noexcept {
  make_live(body);
  touch(body->storage);
}
/// Makes a value of a place in an array on the host that integers alone name: `auto t = a(i)` is
/// NumPy's number, which no later change of the array reaches.
void make_element(Body* body) noexcept;
/// The same element, or the value that it has become, for another name.
Body* another_name(const Body* number);
/// Makes a value again of what a loop over an axis gave, where the program has kept a handle of it.
void leave(Body* body) noexcept;
/// Gives an element memory of its own, where its array has changed, or always.
void settle(Body* element);
void own_element(Body* body);

/// Notes that the memory may be written to unseen from now on, and takes pending selections.
void expose(Storage* storage) noexcept;

}  // namespace cupyxx::internal
