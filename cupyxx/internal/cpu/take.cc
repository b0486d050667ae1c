// SPDX-License-Identifier: MIT
#include "cupyxx/internal/take.h"

#include <cstring>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {

namespace {

[[noreturn]] void throw_out_of_bounds(const TakeCall& call, std::int64_t index) {
  throw IndexError(std::string(call.operation) + ": index " + std::to_string(index) +
                   " is out of bounds for axis " + std::to_string(call.axis) + " with size " +
                   std::to_string(call.extent));
}

// Position within the axis; `index` was checked where the mode says so.
std::int64_t position(std::int64_t index, std::int64_t extent, IndexMode mode) {
  switch (mode) {
    case IndexMode::wrap: {
      const std::int64_t rest = index % extent;
      return rest < 0 ? rest + extent : rest;
    }
    case IndexMode::clip:
      return index < 0 ? 0 : index >= extent ? extent - 1 : index;
    default:
      return index < 0 ? index + extent : index;
  }
}

template <class Index, class Copy>
void gather(const TakeCall& call, const Index* indices, std::int64_t begin, std::int64_t end,
            Copy copy) {
  const char* source = static_cast<const char*>(call.source->data());
  char* out = static_cast<char*>(call.out->data());
  const std::int64_t bytes = call.inner_bytes;
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t o = row / call.count;
    const std::int64_t at = position(indices[row - o * call.count], call.extent, call.mode);
    copy(out + row * bytes, source + (o * call.extent + at) * bytes, bytes);
  }
}

template <class Index>
void run(const TakeCall& call) {
  const auto* indices = static_cast<const Index*>(call.indices->data());
  if (call.mode == IndexMode::raise) {
    // All are checked before anything is written.
    for (std::int64_t i = 0; i < call.count; ++i) {
      const std::int64_t index = indices[i];
      if (index < -call.extent || index >= call.extent) throw_out_of_bounds(call, index);
    }
  }
  const std::int64_t rows = call.outer * call.count;
  const std::int64_t grain = std::max<std::int64_t>(1, (4 * kGrain) / (call.inner_bytes + 1));
  parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
    // Fixed sizes become single moves.
    switch (call.inner_bytes) {
      case 4:
        gather(call, indices, begin, end,
               [](char* to, const char* from, std::int64_t) { std::memcpy(to, from, 4); });
        break;
      case 8:
        gather(call, indices, begin, end,
               [](char* to, const char* from, std::int64_t) { std::memcpy(to, from, 8); });
        break;
      default:
        gather(call, indices, begin, end, [](char* to, const char* from, std::int64_t n) {
          std::memcpy(to, from, static_cast<std::size_t>(n));
        });
    }
  });
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
