// SPDX-License-Identifier: MIT
#include "cupyxx/internal/take.h"

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/copy_bytes.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/cpu/routine_loops.h"

namespace cupyxx::internal::cpu {

namespace {

[[noreturn]] void throw_out_of_bounds(const TakeCall& call, std::int64_t index) {
  throw IndexError(message(call.operation, ": index ", index, " is out of bounds for axis ",
                           call.axis, " with size ", call.extent));
}

// Position of an index that may be one axis away, as most are: without branches.
std::int64_t wrapped(std::int64_t index, std::int64_t extent) {
  const auto n = static_cast<std::uint64_t>(extent);
  const auto x = static_cast<std::uint64_t>(index);
  const std::uint64_t near = index < 0 ? x + n : x < n ? x : x - n;
  if (near < n) return static_cast<std::int64_t>(near);
  const std::int64_t rest = index % extent;
  return rest < 0 ? rest + extent : rest;
}

/// Copies inner slices of `size` bytes, those of [begin, end) in all outer ones; where(index) is
/// the position. Stops and returns false at a negative one.
template <class Index, class Where, class Size>
bool gather(const TakeCall& call, const Index* indices, std::int64_t begin, std::int64_t end,
            Where where, Size size) {
  const auto bytes = static_cast<std::int64_t>(size);
  const std::int64_t count = call.count, outer_bytes = call.extent * bytes;
  const char* const source = static_cast<const char*>(call.source->elements());
  char* out = static_cast<char*>(call.out->elements()) + begin * bytes;
  const char* from = source + begin / count * outer_bytes;
  std::int64_t first = begin % count;
  for (std::int64_t row = begin; row < end; from += outer_bytes, first = 0) {
    const Index* index = indices + first;
    const std::int64_t n = std::min(end - row, count - first);
    row += n;
    for (const Index* const last = index + n; index < last; ++index, out += bytes) {
      const std::int64_t at = where(*index);
      if (at < 0) return false;
      copy_bytes(out, from + at * bytes, size);
    }
  }
  return true;
}

/// The same with slices of a size that is known, in single moves, for the usual ones.
template <class Index, class Where>
bool gather_sized(const TakeCall& call, const Index* indices, std::int64_t begin, std::int64_t end,
                  Where where) {
  const auto run = [&](auto size) { return gather(call, indices, begin, end, where, size); };
  switch (call.inner_bytes) {
    case 1:
      return run(std::integral_constant<int, 1>{});
    case 2:
      return run(std::integral_constant<int, 2>{});
    case 4:
      return run(std::integral_constant<int, 4>{});
    case 8:
      return run(std::integral_constant<int, 8>{});
    case 16:
      return run(std::integral_constant<int, 16>{});
    default:
      return run(call.inner_bytes);
  }
}

template <class Index>
void check_inside(const TakeCall& call, const Index* indices) {
  const std::int64_t first = call.refuses_negative ? 0 : -call.extent;
  const auto outside = [=, &call](Index index) { return index < first || index >= call.extent; };
  bool is_outside = false;
  if constexpr (sizeof(Index) == sizeof(std::int64_t)) {
    std::int64_t low = 0, high = 0;
    with_arch(arch(), [&]<Arch kArch>() {
      RoutineLoops<kArch>::extend_range(indices, call.count, low, high);
    });
    is_outside = low < first || high >= call.extent;
  } else {
    is_outside = std::any_of(indices, indices + call.count, outside);
  }
  if (is_outside) throw_out_of_bounds(call, *std::find_if(indices, indices + call.count, outside));
}

template <class Index>
void run(const TakeCall& call) {
  const auto* indices = static_cast<const Index*>(call.indices->elements());
  const std::int64_t rows = call.outer * call.count, extent = call.extent;
  const auto grain = std::max<std::int64_t>(1, (4 * kGrain) / (call.inner_bytes + 1));
  // Those in [0, extent) are the same in all modes, and usually all are.
  std::atomic<bool> unusual = false;
  parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
    const auto usual = [=](std::int64_t index) {
      return static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(extent) ? index : -1;
    };
    if (!gather_sized(call, indices, begin, end, usual)) unusual = true;
  });
  if (!unusual) return;
  const auto gather_by = [&](auto where) {
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
      gather_sized(call, indices, begin, end, where);
    });
  };
  switch (call.mode) {
    case IndexMode::wrap:
      return gather_by([=](std::int64_t index) { return wrapped(index, extent); });
    case IndexMode::clip:
      return gather_by([=](std::int64_t index) {
        return std::min(std::max<std::int64_t>(index, 0), extent - 1);
      });
    default:
      check_inside(call, indices);
      gather_by([=](std::int64_t index) { return index + (index < 0 ? extent : 0); });
  }
}

}  // namespace

void take(const TakeCall& call) {
  if (call.count == 0 || call.outer == 0) return;
  if (call.indices->dtype() == int32) {
    run<std::int32_t>(call);
  } else {
    run<std::int64_t>(call);
  }
}

}  // namespace cupyxx::internal::cpu
