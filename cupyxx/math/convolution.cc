// SPDX-License-Identifier: MIT
// Convolution of sequences: products of overlapping windows with the shorter one.
#include <algorithm>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/convolve.h"
#include "cupyxx/internal/element_types.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

namespace {

void check(const char* operation, const ndarray& a, const ndarray& v) {
  internal::check_computable(operation, a);
  internal::check_computable(operation, v);
  internal::common_device(operation, a, v);
  if (a.ndim() > 1 || v.ndim() > 1) {
    throw ValueError(
        message(operation, ": sequences must be 1-D; ", a.shape(), " and ", v.shape()));
  }
  if (a.size() == 0 || v.size() == 0) {
    throw ValueError(message(operation, ": a sequence is empty; ", a.shape(), " and ", v.shape()));
  }
}

// The same sums on the host; `before` windows begin in front of `a`. Complex numbers are four real
// sums; half and bfloat16 are summed as float32.
ndarray slide_on_host(const ndarray& a, const ndarray& v, dtype type, std::int64_t before,
                      std::int64_t padded_size) {
  const std::int64_t length = padded_size - v.size() + 1;
  if (type.is_complex()) {
    const dtype part = type == complex64 ? float32 : float64;
    const ndarray x = a.ravel().astype(type, false), y = v.ravel().astype(type, false);
    const auto sums = [&](const ndarray& p, const ndarray& q) {
      return slide_on_host(p, q, part, before, padded_size);
    };
    const ndarray result = empty({length}, type);
    const ndarray halves = result.view(part);
    const ndarray re = halves(cupyxx::slice(0, none, 2)), im = halves(cupyxx::slice(1, none, 2));
    subtract(sums(real(x), real(y)), sums(imag(x), imag(y)), {.out = re});
    add(sums(real(x), imag(y)), sums(imag(x), real(y)), {.out = im});
    return result;
  }
  const bool narrow = internal::is_narrow(type);
  const dtype loop = narrow ? float32 : type;
  const ndarray elements = internal::contiguous(a.ravel().astype(loop, false));
  const ndarray taps = internal::contiguous(v.ravel().astype(loop, false));
  const ndarray result = internal::make_array("convolve", {length}, loop, a.device());
  internal::cpu::convolve({&elements, &taps, &result, before});
  return narrow ? result.astype(type) : result;
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
  if (a.device().is_cpu()) return slide_on_host(a, v, type, before, a.size() + before + behind);
  const ndarray padded = concatenate({zeros({before}, type), a.ravel(), zeros({behind}, type)}, 0,
                                     {.dtype = type, .casting = Casting::unsafe});
  const ndarray kernel = internal::contiguous(v.ravel().astype(type, false));
  const std::int64_t length = padded.size() - n + 1;
  const ndarray result = empty({length}, type);
  const auto windows = [n](const ndarray& of, std::int64_t begin, std::int64_t count) {
    const std::int64_t step = of.itemsize();
    return ndarray({count, n}, of.dtype(), of, {step, step}, begin * step);
  };
  // A product may copy the overlapping windows: no more than this many elements at once.
  constexpr std::int64_t kElements = 1 << 22;
  const auto rows = std::max<std::int64_t>(1, kElements / n);
  const auto fill = [&](std::int64_t begin, std::int64_t end, const auto& sums) {
    for (; begin < end; begin += rows) {
      const std::int64_t count = std::min(rows, end - begin);
      internal::assign("convolve", internal::part(result, 0, begin, begin + count),
                       sums(begin, count));
    }
  };
  const auto whole = [&](std::int64_t begin, std::int64_t count) {
    return dot(windows(padded, begin, count), kernel);
  };
  if (!type.is_floating() && !type.is_complex()) {
    fill(0, length, whole);
    return result;
  }
  // Windows over an end: a zero of the padding times an infinity of the kernel is no part of a sum.
  const ndarray inside =
      concatenate({zeros({before}, bool_), ones({a.size()}, bool_), zeros({behind}, bool_)});
  const ndarray zero = zeros({}, type);
  const auto partial = [&](std::int64_t begin, std::int64_t count) {
    const ndarray products = windows(padded, begin, count) * kernel;
    return where(windows(inside, begin, count), products, zero).sum({.axis = 1, .dtype = type});
  };
  fill(0, before, partial);
  fill(before, length - behind, whole);
  fill(length - behind, length, partial);
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

namespace internal {
ConvolveMode convolve_mode(const char* operation, std::string_view name) {
  return named<ConvolveMode>(name, operation);
}
}  // namespace internal

}  // namespace cupyxx
