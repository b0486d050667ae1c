// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/gemm.h"

#include <gtest/gtest.h>

#include "cupyxx/internal/cpu/blas/gemm_cases.h"
#include "cupyxx/internal/gpu/blas/tile_cases.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gemm_cases {
namespace {

// Memory of the device with a host buffer's bytes; alignment is that of the pool.
class OnDevice {
 public:
  OnDevice(const void* host, std::size_t bytes)
      : storage_(gpu::allocate(0, std::max<std::size_t>(bytes, 1))) {
    if (host != nullptr && bytes != 0) {
      gpu::copy(storage_->data, host, bytes, gpu::CopyKind::host_to_device, 0, stream());
    }
  }
  ~OnDevice() { release(storage_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  void* data() const { return storage_->data; }
  static void* stream() { return gpu::current_stream(0); }

 private:
  Storage* storage_;
};

void run(const GemmCall& call, std::size_t a_bytes, std::size_t b_bytes, std::size_t c_bytes,
         std::size_t bias_bytes) {
  gpu::check_device("gemm_test", 0);
  gpu::set_device(0);
  const OnDevice a(call.a, a_bytes), b(call.b, b_bytes), c(call.c, c_bytes);
  const OnDevice bias(call.bias, bias_bytes);
  GemmCall there = call;
  there.a = a.data();
  there.b = b.data();
  there.c = c.data();
  there.bias = call.bias == nullptr ? nullptr : bias.data();
  gpu::gemm(0, OnDevice::stream(), there);
  gpu::synchronize(0, OnDevice::stream());
  if (c_bytes != 0) {
    gpu::copy(call.c, c.data(), c_bytes, gpu::CopyKind::device_to_host, 0, OnDevice::stream());
  }
}

// Sizes for which kernels of ours take the place of the library: tiles that clusters share.
TEST(GemmOfALinearLayer, MatchesTheTripleLoop) {
  for (const std::int64_t gap : {0, 1, 4}) {
    check<float>(run, {.m = 100, .n = 500, .k = 784, .trans_b = true, .bias = true, .gap = gap});
    check<float>(run, {.m = 100, .n = 500, .k = 300, .relu = true, .gap = gap});
    check<float>(run,
                 {.m = 500, .n = 784, .k = 100, .trans_a = true, .accumulate = true, .gap = gap});
    check<float>(run, {.m = 130, .n = 90, .k = 401, .trans_a = true, .trans_b = true, .gap = gap});
    check<float>(run, {.m = 100, .n = 10, .k = 1000, .trans_b = true, .bias = true, .gap = gap});
    check<float>(run,
                 {.m = 10, .n = 1000, .k = 100, .trans_a = true, .accumulate = true, .gap = gap});
    check<float>(run, {.m = 100, .n = 1000, .k = 10, .gap = gap});
  }
  check<float>(run, {.m = 64, .n = 48, .k = 80, .batch = 9});
}

// Each kernel is loaded once for the process: a later product must not get another one's.
TEST(GemmOfEveryTile, MatchesTheTripleLoopWhateverRanBefore) {
  for (int turn = 0; turn < 2; ++turn) {
    for (Case c : kTileCases) {
      for (int trans = 0; trans < 4; ++trans) {
        c.trans_a = (trans & 1) != 0;
        c.trans_b = (trans & 2) != 0;
        check<float>(run, c);
      }
    }
  }
}

INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, GemmTest, AllTypes<run>);

}  // namespace
}  // namespace cupyxx::internal::gemm_cases
