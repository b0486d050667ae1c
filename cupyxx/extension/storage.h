// SPDX-License-Identifier: MIT
// The memory of arrays, for code that reads and writes elements at ndarray::elements() instead of
// by cupyxx's own operations: what it must say, and what it may ask.
//
//   note_write(out);                        // before the first element is written
//   add_rows(x.elements(), out.elements());
//
// Kernel::launch (kernel.h) notes the use of its arrays; writes are for who launches to note.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {
struct Storage;
}

namespace cupyxx::extension {

/// The extents of an array's axes, as long as it lives. Throws TypeError for None.
CUPYXX_API std::span<const std::int64_t> extents(const ndarray& array);

/// Whether nobody but this handle sees the elements and they may be written, so that a result may
/// take their place. Throws TypeError for None.
CUPYXX_API bool is_unshared(const ndarray& array);

/// Says that elements are going to be written in place: version() goes on, and selections of them
/// that have not been taken are taken now. Stands before the write. Throws TypeError for None.
CUPYXX_API void note_write(const ndarray& array);

/// Whether zero_later() leaves the memory as it is: it is C-contiguous, and nobody else sees it.
/// Throws TypeError for None.
CUPYXX_API bool may_be_zeroed_later(const ndarray& array);
/// Makes all elements 0 without writing them: the first who asks for them has them written, and a
/// gemm() that adds to them overwrites them instead. What captures and graphs do with the array is
/// what they would do with written zeros. The array may be zeroed later. Throws TypeError for None.
CUPYXX_API void zero_later(const ndarray& array);
/// Whether there are zeros that are not written yet. Not of None.
CUPYXX_API bool has_unwritten_zeros(const ndarray& array);
/// Whether the zeros of the last zero_later() had to be written, so that it saved nothing. Throws
/// TypeError for None.
CUPYXX_API bool had_to_write_zeros(const ndarray& array);

/// Says that work on `stream`, a stream of the array's device as cudaStream_t, uses the elements,
/// so that their memory is not handed out before the work is done. Throws TypeError for None.
CUPYXX_API void note_use(const ndarray& array, void* stream);

/// Whether somebody may write to the elements whom nobody sees, so that version() does not tell:
/// through data(), span(), DLPack. Throws TypeError for None.
CUPYXX_API bool is_exposed(const ndarray& array);

/// What a library keeps with a memory: its class derives from this.
class CUPYXX_API Attachment {
 public:
  virtual ~Attachment() = default;
};

/// What is attached to the memory of an array, which its views share; null where nothing is. Throws
/// TypeError for None.
CUPYXX_API Attachment* attachment(const ndarray& array);
/// Attaches `what`, to be deleted with the memory, unless something is attached already; gives what
/// is attached then. Threads may do so at once. Throws TypeError for None.
CUPYXX_API Attachment* attach(const ndarray& array, std::unique_ptr<Attachment> what);

/// Memory on a device for one call, in the order of its current stream: it may go, and be handed
/// out again, while that call still runs.
class CUPYXX_API Workspace {
 public:
  Workspace() = default;
  /// `nbytes` of a CUDA device; none are no memory. Throws OutOfMemoryError.
  Workspace(int device, std::size_t nbytes);
  ~Workspace();
  Workspace(Workspace&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  Workspace& operator=(Workspace&& other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }

  /// The first byte; null where there are none.
  void* data() const;

 private:
  internal::Storage* storage_ = nullptr;
};

}  // namespace cupyxx::extension
