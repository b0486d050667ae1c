// SPDX-License-Identifier: MIT
// Device-safe. The tensors of an optimizer, over whose chunks one kernel walks: what a launch is
// given, the copies in narrow types, and the scale of the loss, by which an update may be left out.
#pragma once

#include "chainerxx/internal/kernels/pack.h"

namespace chainerxx::internal::kernels {

inline constexpr int kMaxStates = 3;

/// The type of a parameter's copy.
enum class CopyType { none, float32, float16, bfloat16 };

/// The tensors of one parameter; all contiguous and of one dtype.
struct Tensor {
  void* p;
  void* g;
  void* s[kMaxStates];
  long size;
  double rate;  // factors of its group
  double decay;
  // A copy of a float32 parameter that is written along with it. Where `channels` is not 0 the
  // parameter is (any, channels, plane) and the copy (any, plane, channels).
  void* copy;
  CopyType copy_type;
  unsigned channels, plane;
};

/// Which elements one block works on.
struct Chunk {
  long tensor;
  long begin;
  long end;
};

/// Where the numbers of a loss scale stand, each a float.
inline constexpr int kScale = 0, kInverseOfScale = 1;
inline constexpr int kNotFinite = 2;    // not 0: a gradient of the coming update is not finite
inline constexpr int kSinceChange = 3;  // updates since the scale was changed
inline constexpr int kSkipped = 4;      // updates that were left out
inline constexpr int kLossScaleSize = 5;

/// A launch over a table in device memory: one block per chunk.
struct TensorArgs {
  const Tensor* tensors;
  const Chunk* chunks;
  double* partial;     // a sum of squares per chunk
  long partials;       // how many the clipping kernel adds up
  long first_partial;  // where this launch's own begin
  // Null, or the state of the scale of the loss: parameters are not changed while it says that a
  // gradient is not finite.
  const float* loss_scale;
  double maxnorm = -1;  // of the gradients, for clipped_rule
};

/// The same with the numbers of a rule.
template <class Numbers>
struct RuleArgs {
  TensorArgs table;
  Numbers numbers;
};

/// Where element i of the parameter stands in the copy.
CUPYXX_FN long place_in_copy(const Tensor& tensor, long i) {
  if (tensor.channels == 0) return i;
  const unsigned long whole = static_cast<unsigned long>(tensor.channels) * tensor.plane;
  const unsigned long outer = static_cast<unsigned long>(i) / whole;
  const auto rest = static_cast<unsigned>(static_cast<unsigned long>(i) - outer * whole);
  const unsigned channel = rest / tensor.plane;
  return static_cast<long>(outer * whole) +
         static_cast<long>(rest - channel * tensor.plane) * tensor.channels + channel;
}

/// Whether the update is left out.
CUPYXX_FN bool is_skipped(const float* loss_scale) {
  return loss_scale != nullptr && loss_scale[kNotFinite] != 0;
}

#if defined(__CUDACC__)
template <class C, class T, int kWidth>
CUPYXX_FN void store_copy_as(const Tensor& tensor, long i, const Pack<T, kWidth>& p) {
  if (kWidth > 1 && tensor.channels == 0) {
    Pack<C, kWidth> copy;
#pragma unroll
    for (int k = 0; k < kWidth; ++k) copy.x[k] = C(p.x[k]);
    store_pack(tensor.copy, i, copy);
    return;
  }
  for (int k = 0; k < kWidth; ++k) {
    static_cast<C*>(tensor.copy)[place_in_copy(tensor, i + k)] = C(p.x[k]);
  }
}

/// Writes elements of a parameter to its copy, which only float32 has.
template <class T, int kWidth>
CUPYXX_FN void store_copy(const Tensor&, long, const Pack<T, kWidth>&) {}
template <int kWidth>
CUPYXX_FN void store_copy(const Tensor& tensor, long i, const Pack<float, kWidth>& p) {
  switch (tensor.copy_type) {
    case CopyType::none:
      return;
    case CopyType::float32:
      return store_copy_as<float>(tensor, i, p);
    case CopyType::float16:
      return store_copy_as<cupyxx::half>(tensor, i, p);
    case CopyType::bfloat16:
      return store_copy_as<cupyxx::bfloat16>(tensor, i, p);
  }
}
#endif

}  // namespace chainerxx::internal::kernels
