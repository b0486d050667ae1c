// SPDX-License-Identifier: MIT
// From an ElementwiseCall to a kernel and its launch. layout.h chooses the form, the
// programs' texts come from jit/elementwise_source.h; here they are cached and given their
// arguments.
#include "cupyxx/internal/elementwise.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <type_traits>
#include <unordered_map>

#include "cupyxx/internal/gpu/elementwise/layout.h"
#include "cupyxx/internal/gpu/elementwise/programs.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/elementwise_source.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/kernels/elementwise.h"
#include "cupyxx/internal/kernels/elementwise_any.h"
#include "cupyxx/internal/kernels/transpose.h"

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
  // The bundle's kernel for every layout and type stands in for one that would have to be compiled,
  // until it has had so many elements that compiling pays.
  bool is_any = false;
  mutable std::atomic<std::uint64_t> elements{0};
  mutable std::atomic<const Launchable*> own{nullptr};
};

constexpr std::uint64_t kWorthCompiling = std::uint64_t{1} << 33;

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

ElementwiseSpace space_of(ElementwiseCall& call) {
  ElementwiseSpace space;
  space.operands = call.operands();
  space.ndim = call.ndim;
  space.size = call.size;
  space.shape = call.shape;
  space.strides = call.strides;
  space.masked = call.has_mask;
  space.copies = is_plain_copy(call);
  for (int k = 0; k < space.operands; ++k) {
    space.operand[k] = {.address = reinterpret_cast<std::uintptr_t>(call.data[k]),
                        .itemsize = k < call.nargs ? call.dtypes[k].itemsize() : 1,
                        .is_output = k < call.nout,
                        .is_scalar = (call.immediate >> k & 1u) != 0};
  }
  return space;
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
            static_cast<std::uint64_t>(layout.large) << 47 |
            static_cast<std::uint64_t>(device) << 48;
  for (int k = 0; k < call.nargs; ++k) {
    key.high |= static_cast<std::uint64_t>(call.dtypes[k].code()) << (8 * k);
  }
  return key;
}

bool fits_any(const ElementwiseCall& call) {
  return std::all_of(call.dtypes, call.dtypes + call.nargs,
                     [](dtype type) { return stored_code(type).has_value(); });
}

void make(const ElementwiseCall& call, const jit::ElementwiseLayout& layout, int device,
          bool may_be_any, Launchable& made) {
  if (layout.form == jit::Form::tiled && is_plain_copy(call)) {
    const int itemsize = static_cast<int>(call.dtypes[0].itemsize());
    made.kernel = jit::load(device, layout.large ? transpose_bytes_large_program(layout.rank)
                                                 : transpose_program(itemsize, layout.rank));
    return;
  }
  const jit::ElementwiseSource source =
      elementwise_source(*call.op, call.loop, call.dtypes, call.immediate, layout, call.has_mask);
  const jit::Program program = elementwise_program(*call.op, source);
  if (may_be_any && fits_any(call) && !jit::is_bundled(device, program)) {
    const jit::Program any = any_program(*call.op, call.loop);
    if (jit::is_bundled(device, any)) {
      made.kernel = jit::load(device, any);
      made.per_block = kernels::kBlock;
      made.is_any = true;
      return;
    }
  }
  made.kernel = jit::load(device, program);
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
      make(call, layout, device, true, entry->second);
    } catch (...) {
      table->erase(entry);
      throw;
    }
  }
  slot = {key, &entry->second};  // nodes of an unordered_map stay where they are
  return entry->second;
}

// The kernel of the call's own layout and types in place of one for all, when that pays.
const Launchable& best(const Launchable& found, const ElementwiseCall& call,
                       const jit::ElementwiseLayout& layout, int device) {
  if (!found.is_any) [[likely]] {
    return found;
  }
  if (const Launchable* own = found.own.load(std::memory_order_acquire)) return *own;
  const auto size = static_cast<std::uint64_t>(call.size);
  const std::uint64_t before = found.elements.fetch_add(size, std::memory_order_relaxed);
  // One thread compiles it: the one that goes past the mark.
  if (before >= kWorthCompiling || before + size < kWorthCompiling || !jit::nvrtc_available()) {
    return found;
  }
  auto* made = new Launchable;  // lives for ever, as kernels do
  make(call, layout, device, false, *made);
  found.own.store(made, std::memory_order_release);
  return *made;
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
                    const ElementwiseSpace& space, const jit::ElementwiseLayout& layout, int device,
                    void* stream, const jit::LaunchShape& shape) {
  kernels::StridedArgs<kRank> args{};
  fill_common(args, call, device, stream);
  args.rank = static_cast<std::uint32_t>(space.ndim);
  for (int axis = 0; axis < space.ndim; ++axis) {
    args.extent[axis] = space.shape[axis];
    args.divider[axis] = axis_divider(space, layout, axis);
    for (int k = 0; k < space.operands; ++k) args.stride[k][axis] = space.strides[k][axis];
  }
  jit::launch(kernel, shape, stream, &args);
}

void launch_any(const jit::Kernel* kernel, const ElementwiseCall& call,
                const ElementwiseSpace& space, int device, void* stream) {
  constexpr std::int64_t kLimit32 = std::int64_t{1} << 31;
  kernels::AnyArgs args{};
  fill_common(args, call, device, stream);
  args.rank = static_cast<std::uint32_t>(space.ndim);
  args.numbers = call.immediate;
  args.masked = call.has_mask;
  args.wide = space.size >= kLimit32;
  for (int k = 0; k < call.nargs; ++k) {
    args.stored |= static_cast<std::uint32_t>(*stored_code(call.dtypes[k]))
                   << (kernels::kStoredBits * k);
  }
  for (int axis = 0; axis < space.ndim; ++axis) {
    args.extent[axis] = space.shape[axis];
    args.divider[axis] = axis_divider(space, {}, axis);
    for (int k = 0; k < space.operands; ++k) args.stride[k][axis] = space.strides[k][axis];
  }
  jit::LaunchShape shape;
  shape.block_x = kernels::kBlock;
  shape.grid_x = static_cast<unsigned>((space.size + kernels::kBlock - 1) / kernels::kBlock);
  jit::launch(kernel, shape, stream, &args);
}

void run_contiguous(const ElementwiseCall& call, int device, void* stream) {
  const Launchable& found = best(find(call, {}, device), call, {}, device);
  if (found.is_any) [[unlikely]] {
    ElementwiseCall collapsed = call;
    return launch_any(found.kernel, call, space_of(collapsed), device, stream);
  }
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
  const OnDevice on(device);
  void* stream = current_stream(device);
  for (int k = 0; k < given.operands(); ++k) {
    if (given.storage[k] != nullptr) record_use(given.storage[k], stream);
  }
  constexpr std::int64_t kSmall = 1 << 16;
  if (given.size < kSmall && is_contiguous(given)) return run_contiguous(given, device, stream);
  ElementwiseCall call = given;
  ElementwiseSpace space = space_of(call);
  const jit::ElementwiseLayout layout = choose_layout(space);
  if (layout.form == jit::Form::contiguous) return run_contiguous(given, device, stream);
  const Launchable& found = best(find(call, layout, device), call, layout, device);
  if (found.is_any) [[unlikely]] {
    return launch_any(found.kernel, call, space, device, stream);
  }
  jit::LaunchShape shape;
  shape.block_x = layout.large ? kernels::kLargeBlock : kernels::kBlock;
  shape.grid_x = static_cast<unsigned>(block_count(space, layout, found.per_block));
  const auto launch = [&]<int kRank>(std::integral_constant<int, kRank>) {
    launch_strided<kRank>(found.kernel, call, space, layout, device, stream, shape);
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
