// SPDX-License-Identifier: MIT
// From an ElementwiseCall to a kernel and its launch. elementwise_layout.h chooses the form, the
// programs' texts come from jit/elementwise_source.h; here they are cached and given their
// arguments.
#include "cupyxx/internal/elementwise.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <type_traits>
#include <unordered_map>

#include "cupyxx/internal/gpu/elementwise_layout.h"
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

// A kernel with what its launch needs.
struct Launchable {
  const jit::Kernel* kernel = nullptr;
  std::uint32_t per_block = 0;  // elements
  std::uint32_t alignment = 1;  // bytes, for each operand divided by its item size
};

// Small contiguous calls are not looked at any further.
bool is_contiguous(const ElementwiseCall& call) {
  bool contiguous = call.ndim <= 1;
  for (int k = 0; contiguous && k < call.operands(); ++k) {
    const bool immediate = (call.immediate >> k & 1u) != 0;
    const std::int64_t size = k < call.nargs ? call.dtypes[k].itemsize() : 1;
    contiguous = immediate || call.ndim == 0 || call.strides[k][0] == size;
  }
  return contiguous;
}

bool is_plain_copy(const ElementwiseCall& call) {
  return call.op->copies && call.dtypes[0] == call.dtypes[1] && !call.has_mask &&
         call.immediate == 0;
}

ElementwiseWalk walk_of(ElementwiseCall& call) {
  ElementwiseWalk walk;
  walk.operands = call.operands();
  walk.ndim = call.ndim;
  walk.size = call.size;
  walk.shape = call.shape;
  walk.strides = call.strides;
  walk.masked = call.has_mask;
  walk.copies = is_plain_copy(call);
  for (int k = 0; k < walk.operands; ++k) {
    walk.operand[k] = {.address = reinterpret_cast<std::uintptr_t>(call.data[k]),
                       .itemsize = k < call.nargs ? call.dtypes[k].itemsize() : 1,
                       .is_output = k < call.nout,
                       .is_scalar = (call.immediate >> k & 1u) != 0};
  }
  return walk;
}

Key key_of(const ElementwiseCall& call, const jit::ElementwiseLayout& layout, int device) {
  Key key;
  key.low = call.op->id | static_cast<std::uint64_t>(call.loop) << 16 |
            static_cast<std::uint64_t>(layout.rank) << 24 |
            static_cast<std::uint64_t>(layout.wide) << 32 |
            static_cast<std::uint64_t>(call.has_mask) << 33 |
            static_cast<std::uint64_t>(call.immediate) << 34 |
            static_cast<std::uint64_t>(layout.form) << 40 |
            static_cast<std::uint64_t>(layout.staged) << 42 |
            static_cast<std::uint64_t>(device) << 48;
  for (int k = 0; k < call.nargs; ++k) {
    key.high |= static_cast<std::uint64_t>(call.dtypes[k].code()) << (8 * k);
  }
  return key;
}

void make(const ElementwiseCall& call, const jit::ElementwiseLayout& layout, int device,
          Launchable& made) {
  if (layout.form == jit::Form::tiled && is_plain_copy(call)) {
    const int itemsize = static_cast<int>(call.dtypes[0].itemsize());
    made.kernel = jit::load(device, transpose_program(itemsize, layout.rank));
    return;
  }
  const jit::ElementwiseSource source =
      elementwise_source(*call.op, call.loop, call.dtypes, call.immediate, layout, call.has_mask);
  made.kernel = jit::load(device, elementwise_program(*call.op, source));
  made.per_block = static_cast<std::uint32_t>(jit::elements_per_block(source));
  made.alignment = static_cast<std::uint32_t>(jit::vector_width(source));
}

const Launchable& find(const ElementwiseCall& call, const jit::ElementwiseLayout& layout,
                       int device) {
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
      make(call, layout, device, entry->second);
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
      const auto bytes = static_cast<std::size_t>(call.dtypes[k].itemsize());
      args.immediate[k] = 0;
      args.data[k] = nullptr;
      std::memcpy(&args.immediate[k], call.data[k], std::min(bytes, sizeof(args.immediate[k])));
      // The second half of complex128 takes the place of the address.
      if (bytes > 8) std::memcpy(&args.data[k], call.data[k] + 8, bytes - 8);
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
void launch_strided(const jit::Kernel* kernel, const ElementwiseCall& call,
                    const ElementwiseWalk& walk, const jit::ElementwiseLayout& layout, int device,
                    void* stream, const jit::LaunchShape& shape) {
  kernels::StridedArgs<kRank> args{};
  fill_common(args, call, device, stream);
  args.rank = static_cast<std::uint32_t>(walk.ndim);
  for (int axis = 0; axis < walk.ndim; ++axis) {
    args.extent[axis] = walk.shape[axis];
    args.divider[axis] = axis_divider(walk, layout, axis);
    for (int k = 0; k < walk.operands; ++k) args.stride[k][axis] = walk.strides[k][axis];
  }
  jit::launch(kernel, shape, stream, &args);
}

void run_contiguous(const ElementwiseCall& call, int device, void* stream) {
  const Launchable& found = find(call, {}, device);
  jit::LaunchShape shape;
  shape.block_x = kernels::kBlock;
  shape.grid_x = static_cast<unsigned>((call.size + found.per_block - 1) / found.per_block);
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
}

}  // namespace

void run_elementwise(const ElementwiseCall& given, int device) {
  set_device(device);
  void* stream = current_stream(device);
  for (int k = 0; k < given.operands(); ++k) {
    if (given.storage[k] != nullptr) record_use(given.storage[k], stream);
  }
  constexpr std::int64_t kSmall = 1 << 16;
  if (given.size < kSmall && is_contiguous(given)) return run_contiguous(given, device, stream);
  ElementwiseCall call = given;
  ElementwiseWalk walk = walk_of(call);
  const jit::ElementwiseLayout layout = choose_layout(walk);
  if (layout.form == jit::Form::contiguous) return run_contiguous(given, device, stream);
  const Launchable& found = find(call, layout, device);
  jit::LaunchShape shape;
  shape.block_x = kernels::kBlock;
  shape.grid_x = static_cast<unsigned>(block_count(walk, layout, found.per_block));
  const auto launch = [&]<int kRank>(std::integral_constant<int, kRank>) {
    launch_strided<kRank>(found.kernel, call, walk, layout, device, stream, shape);
  };
  switch (layout.rank) {
    case 2:
      return launch(std::integral_constant<int, 2>{});
    case 3:
      return launch(std::integral_constant<int, 3>{});
    case 4:
      return launch(std::integral_constant<int, 4>{});
    case 8:
      return launch(std::integral_constant<int, 8>{});
    default:
      return launch(std::integral_constant<int, kMaxNdim>{});
  }
}

}  // namespace cupyxx::internal::gpu
