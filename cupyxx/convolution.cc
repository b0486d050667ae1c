// SPDX-License-Identifier: MIT
// Convolution of sequences: products of overlapping windows with the shorter one.
#include <algorithm>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/rows.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/numerics.h"
#include "cupyxx/rearranging.h"

namespace cupyxx {

namespace {

void check(const char* operation, const ndarray& a, const ndarray& v) {
  internal::check_computable(operation, a);
  internal::check_computable(operation, v);
  internal::common_device(operation, a, v);
  if (a.ndim() > 1 || v.ndim() > 1) {
    throw ValueError(std::string(operation) + ": sequences must be 1-D; " + a.shape().str() +
                     " and " + v.shape().str());
  }
  if (a.size() == 0 || v.size() == 0) {
    throw ValueError(std::string(operation) + ": a sequence is empty; " + a.shape().str() +
                     " and " + v.shape().str());
  }
}

// Sums of v over every window of `a`, which is not shorter.
ndarray slide(const ndarray& a, const ndarray& v, ConvolveMode mode) {
  const dtype type = promote_types(a.dtype(), v.dtype());
  const std::int64_t n = v.size();
  const std::int64_t before = mode == ConvolveMode::valid  ? 0
                              : mode == ConvolveMode::same ? n / 2
                                                           : n - 1;
  const std::int64_t behind = mode == ConvolveMode::same ? n - before - 1 : before;
  const DeviceScope scope(a.device());
  const ndarray padded = concatenate({zeros({before}, type), a.ravel(), zeros({behind}, type)}, 0,
                                     {.dtype = type, .casting = Casting::unsafe});
  const ndarray kernel = internal::contiguous(v.ravel().astype(type, false));
  const std::int64_t length = padded.size() - n + 1, step = padded.itemsize();
  const ndarray result = empty({length}, type);
  // A product may copy the overlapping windows: no more than this many elements at once.
  constexpr std::int64_t kElements = 1 << 22;
  const std::int64_t rows = std::max<std::int64_t>(1, kElements / n);
  for (std::int64_t begin = 0; begin < length; begin += rows) {
    const std::int64_t count = std::min(rows, length - begin);
    const ndarray windows({count, n}, type, padded, {step, step}, begin * step);
    internal::assign("convolve", internal::part(result, 0, begin, begin + count),
                     dot(windows, kernel));
  }
  return result;
}

}  // namespace

ndarray convolve(const ndarray& a, const ndarray& v, ConvolveMode mode) {
  check("convolve", a, v);
  return v.size() > a.size() ? slide(v, flip(a.ravel()), mode) : slide(a, flip(v.ravel()), mode);
}

ndarray correlate(const ndarray& a, const ndarray& v, ConvolveMode mode) {
  check("correlate", a, v);
  const ndarray other = v.dtype().is_complex() ? v.conj() : v;
  return v.size() > a.size() ? flip(slide(other, a, mode)).copy() : slide(a, other, mode);
}

}  // namespace cupyxx
