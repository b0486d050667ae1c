// SPDX-License-Identifier: MIT
// From an ElementwiseCall to a kernel and its launch. The programs' texts come from
// jit/elementwise_source.h; here they are chosen, cached and given their arguments.
#include "cupyxx/internal/elementwise.h"

#include <cstring>
#include <mutex>
#include <unordered_map>

#include "cupyxx/internal/gpu/divider.h"
#include "cupyxx/internal/gpu/programs.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/elementwise_source.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/kernels/elementwise.h"

namespace cupyxx::internal::gpu {

namespace {

// What a program depends on, packed: operation, loop, layout and stored dtypes.
struct Key {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    return (key.low * 0x9e3779b97f4a7c15u) ^ (key.high + (key.low >> 29));
  }
};

// How a call is launched.
struct Layout {
  int rank = 0;  // 0: all contiguous
  bool wide = false;
  unsigned contiguous = 0;  // unused operands of the contiguous form
};

// A kernel with what its launch needs.
struct Launchable {
  const jit::Kernel* kernel = nullptr;
  std::uint32_t per_block = 0;  // elements
  std::uint32_t alignment = 1;  // bytes, for each operand divided by its item size
};

Layout layout_of(const ElementwiseCall& call) {
  Layout layout;
  bool contiguous = call.ndim <= 1;
  for (int k = 0; contiguous && k < call.operands(); ++k) {
    const bool immediate = (call.immediate >> k & 1u) != 0;
    const std::int64_t size = k < call.nargs ? call.dtypes[k].itemsize() : 1;
    contiguous = immediate || call.ndim == 0 || call.strides[k][0] == size;
  }
  if (contiguous) return layout;
  layout.rank = call.ndim <= 4 ? call.ndim : call.ndim <= 8 ? 8 : kMaxNdim;
  layout.wide = call.size >= (std::int64_t{1} << 31);
  return layout;
}

Key key_of(const ElementwiseCall& call, const Layout& layout, int device) {
  Key key;
  key.low = call.op->id | static_cast<std::uint64_t>(call.loop) << 16 |
            static_cast<std::uint64_t>(layout.rank) << 24 |
            static_cast<std::uint64_t>(layout.wide) << 32 |
            static_cast<std::uint64_t>(call.has_mask) << 33 |
            static_cast<std::uint64_t>(call.immediate) << 34 |
            static_cast<std::uint64_t>(device) << 48;
  for (int k = 0; k < call.nargs; ++k) {
    key.high |= static_cast<std::uint64_t>(call.dtypes[k].code()) << (8 * k);
  }
  return key;
}

const Launchable& find(const ElementwiseCall& call, const Layout& layout, int device) {
  // Each thread remembers the kernels it used last; the table behind is shared.
  struct Recent {
    Key key;
    const Launchable* found = nullptr;
  };
  constexpr std::size_t kRecent = 256;
  static thread_local Recent recent[kRecent];
  const Key key = key_of(call, layout, device);
  Recent& slot = recent[KeyHash{}(key) >> 3 & (kRecent - 1)];
  if (slot.found != nullptr && slot.key == key) return *slot.found;

  static std::mutex mutex;
  static auto* table = new std::unordered_map<Key, Launchable, KeyHash>;
  const std::lock_guard lock(mutex);
  auto [entry, is_new] = table->try_emplace(key);
  if (is_new) {
    try {
      const jit::ElementwiseSource source =
          elementwise_source(*call.op, call.loop, call.dtypes, call.immediate, layout.rank,
                             layout.wide, call.has_mask);
      const int per_thread = layout.rank != 0
                                 ? jit::kStridedPerThread
                                 : jit::vector_width(source) * jit::vectors_per_thread(source);
      entry->second.kernel = jit::load(device, elementwise_program(*call.op, source));
      entry->second.per_block = static_cast<std::uint32_t>(kernels::kBlock * per_thread);
      entry->second.alignment = static_cast<std::uint32_t>(jit::vector_width(source));
    } catch (...) {
      table->erase(entry);
      throw;
    }
  }
  slot = {key, &entry->second};  // nodes of an unordered_map stay where they are
  return entry->second;
}

template <class Args>
void fill_common(Args& args, const ElementwiseCall& call, int device, void* stream) {
  for (int k = 0; k < call.operands(); ++k) {
    if ((call.immediate >> k & 1u) != 0) {
      args.immediate[k] = 0;
      std::memcpy(&args.immediate[k], call.data[k],
                  static_cast<std::size_t>(call.dtypes[k].itemsize()));
      args.data[k] = nullptr;
    } else {
      args.data[k] = call.data[k];
    }
  }
  args.size = static_cast<std::uint64_t>(call.size);
  if (call.op->checks_negative_power) {
    args.error = reinterpret_cast<kernels::ErrorWord*>(error_word(device, stream));
    args.operation = operation_number(call.op->name);
  }
}

template <int kRank>
void launch_strided(const Launchable& found, const ElementwiseCall& call, int device, void* stream,
                    const jit::LaunchShape& shape) {
  kernels::StridedArgs<kRank> args{};
  fill_common(args, call, device, stream);
  args.rank = static_cast<std::uint32_t>(call.ndim);
  for (int axis = 0; axis < call.ndim; ++axis) {
    args.extent[axis] = call.shape[axis];
    if (call.shape[axis] < (std::int64_t{1} << 31)) {
      args.divider[axis] = make_divider(call.shape[axis]);
    }
    for (int k = 0; k < call.operands(); ++k) args.stride[k][axis] = call.strides[k][axis];
  }
  jit::launch(found.kernel, shape, stream, &args);
}

}  // namespace

void run_elementwise(const ElementwiseCall& call, int device) {
  set_device(device);
  void* stream = current_stream(device);
  for (int k = 0; k < call.operands(); ++k) {
    if (call.storage[k] != nullptr) record_use(call.storage[k], stream);
  }
  const Layout layout = layout_of(call);
  const Launchable& found = find(call, layout, device);
  jit::LaunchShape shape;
  shape.block_x = kernels::kBlock;
  shape.grid_x = static_cast<unsigned>((call.size + found.per_block - 1) / found.per_block);
  if (layout.rank == 0) {
    kernels::ContiguousArgs args;
    args.error = nullptr;
    args.operation = 0;
    fill_common(args, call, device, stream);
    args.vector = 1;
    for (int k = 0; k < call.nargs; ++k) {
      if ((call.immediate >> k & 1u) != 0) continue;
      const auto bytes = found.alignment * static_cast<std::uint64_t>(call.dtypes[k].itemsize());
      if (reinterpret_cast<std::uintptr_t>(call.data[k]) % bytes != 0) args.vector = 0;
    }
    jit::launch(found.kernel, shape, stream, &args);
    return;
  }
  switch (layout.rank) {
    case 1:
      return launch_strided<1>(found, call, device, stream, shape);
    case 2:
      return launch_strided<2>(found, call, device, stream, shape);
    case 3:
      return launch_strided<3>(found, call, device, stream, shape);
    case 4:
      return launch_strided<4>(found, call, device, stream, shape);
    case 8:
      return launch_strided<8>(found, call, device, stream, shape);
    default:
      return launch_strided<kMaxNdim>(found, call, device, stream, shape);
  }
}

}  // namespace cupyxx::internal::gpu
