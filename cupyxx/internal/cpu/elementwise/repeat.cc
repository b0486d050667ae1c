// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/elementwise/repeat.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cupyxx/internal/cpu/elementwise/stream_store.h"
#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {

namespace {

constexpr std::int64_t kMostTimes = 32;  // longer runs are copied as rows

template <class T, class Times>
void repeat(T* out, const char* in, std::int64_t stride, std::int64_t n, Times times) {
  for (std::int64_t i = 0; i < n; ++i, in += stride) {
    const T value = *reinterpret_cast<const T*>(in);
    for (std::int64_t k = 0; k < times; ++k) *out++ = value;
  }
}

template <class T>
void repeat_some(T* out, const char* in, std::int64_t stride, std::int64_t n, std::int64_t times) {
  const auto run = [&](auto constant) { repeat(out, in, stride, n, constant); };
  switch (times) {
    case 2:
      return run(std::integral_constant<int, 2>{});
    case 3:
      return run(std::integral_constant<int, 3>{});
    case 4:
      return run(std::integral_constant<int, 4>{});
    default:
      return run(times);
  }
}

template <class T>
void run(const ElementwiseCall& call) {
  const std::int64_t times = call.shape[1], stride = call.strides[1][0];
  const auto size = static_cast<std::int64_t>(sizeof(T));
  auto* const out = reinterpret_cast<T*>(call.data[0]);
  const bool streams = call.size * size >= stream_bytes();
  parallel_for(call.shape[0], std::max<std::int64_t>(1, kGrain / times),
               [&](std::int64_t begin, std::int64_t end) {
                 if (!streams) {
                   return repeat_some(out + begin * times, call.data[1] + begin * stride, stride,
                                      end - begin, times);
                 }
                 alignas(64) T buffer[2048 / sizeof(T)];
                 const std::int64_t most = 2048 / size / times;
                 for (std::int64_t n = 0; begin < end; begin += n) {
                   n = std::min(most, end - begin);
                   repeat_some(buffer, call.data[1] + begin * stride, stride, n, times);
                   stream_store(reinterpret_cast<char*>(out + begin * times),
                                reinterpret_cast<const char*>(buffer),
                                static_cast<std::size_t>(n * times * size));
                 }
                 stream_fence();
               });
}

}  // namespace

bool copy_repeated(const ElementwiseCall& call) {
  const std::int64_t size = call.dtypes[0].itemsize();
  if (!call.op->copies || call.has_mask || call.immediate != 0 || call.ndim != 2 ||
      call.dtypes[0] != call.dtypes[1] || call.strides[1][1] != 0 || call.strides[0][1] != size ||
      call.strides[0][0] != size * call.shape[1] || call.shape[1] > kMostTimes) {
    return false;
  }
  switch (size) {
    case 1:
      run<std::uint8_t>(call);
      return true;
    case 2:
      run<std::uint16_t>(call);
      return true;
    case 4:
      run<std::uint32_t>(call);
      return true;
    case 8:
      run<std::uint64_t>(call);
      return true;
    default:
      return false;
  }
}

}  // namespace cupyxx::internal::cpu
