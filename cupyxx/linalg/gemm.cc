// SPDX-License-Identifier: MIT
// gemm: one call of the matrix library, with what networks do around a product.
#include "cupyxx/internal/gpu/blas/gemm.h"

#include <initializer_list>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/owed_zeros.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/linalg.h"
#include "cupyxx/linalg/product.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

using internal::check_target;

namespace {

// Whether the operands are narrow and `out`, which is checked already, is float32.
bool into_float32(cupyxx::dtype dtype, const ndarray& out) {
  return !out.is_none() && out.dtype() == float32 && (dtype == float16 || dtype == bfloat16_);
}

// A call for operands that fit a library. C-contiguous `c` is m x n.
internal::GemmCall call_for(const ndarray& a, const ndarray& b, const ndarray& c) {
  const internal::Body &left = *a.body(), &right = *b.body();
  internal::GemmCall call{.dtype = a.dtype(),
                          .wide_c = c.dtype() != a.dtype(),
                          .compute = compute_precision(),
                          .m = left.shape[0],
                          .n = right.shape[1],
                          .k = left.shape[1],
                          .a = left.data,
                          .b = right.data,
                          .c = c.elements(),
                          .ldc = right.shape[1]};
  const std::int64_t itemsize = a.dtype().itemsize();
  internal::leading_dimension(call.m, call.k, left.strides[0], left.strides[1], itemsize,
                              &call.trans_a, &call.lda);
  internal::leading_dimension(call.k, call.n, right.strides[0], right.strides[1], itemsize,
                              &call.trans_b, &call.ldb);
  return call;
}

// Runs a product that only the library can do, on the device of its arrays; false when it cannot.
template <class Run>
bool run_in_library(const ndarray& c, std::initializer_list<const ndarray*> arrays, Run&& run) {
  if (c.device().is_cpu() || c.size() == 0) return false;
  for (const ndarray* array : arrays) {
    if (array != &c && !array->is_none() && internal::may_overlap(*array, c)) return false;
  }
  const int device = c.device().index;
  const internal::gpu::OnDevice on(device);
  void* const stream = internal::gpu::current_stream(device);
  for (const ndarray* array : arrays) {
    if (!array->is_none()) internal::gpu::record_use(array->body()->storage, stream);
  }
  internal::touch(c.body());
  return run(device, stream);
}

// Products that add the sums of a's rows to a vector as well, in one call; false when the library
// cannot. On large matrices its sums are a kernel of 2.4 TB/s behind the product, and still faster
// than sum() behind it: by 0.5 ms of 32 in a step of GPT-2 on an H100.
bool gemm_and_sums_of_a(const ndarray& a, const ndarray& b, const GemmOptions& options) {
  const ndarray &out = options.out, &row_sums = options.row_sums;
  if (out.device().is_cpu() || !options.bias.is_none() || options.relu) return false;
  const ndarray sums = internal::make_array("gemm", row_sums.shape(), out.dtype(), out.device());
  const bool done = run_in_library(out, {&a, &b, &out, &sums}, [&](int device, void* stream) {
    internal::GemmCall call = call_for(a, b, out);
    call.accumulate = options.accumulate;
    call.sums_of_a = sums.elements();
    return internal::gpu::gemm_with_epilogue(device, stream, call);
  });
  if (done) add(row_sums, sums, {.out = row_sums});
  return done;
}

// The product of narrow matrices, added up in float32, where the library can; else of wide ones.
ndarray gemm_into_float32(const ndarray& a, const ndarray& b, const GemmOptions& options) {
  const ndarray& out = options.out;
  if (!options.row_sums.is_none()) {
    if (gemm_and_sums_of_a(a, b, options)) return out;
    GemmOptions rest = options;
    rest.row_sums = {};
    gemm_into_float32(a, b, rest);
    add(options.row_sums, sum(a, 1, {.dtype = out.dtype()}), {.out = options.row_sums});
    return out;
  }
  const bool done = options.bias.is_none() && !options.relu &&
                    run_in_library(out, {&a, &b, &out}, [&](int device, void* stream) {
                      internal::GemmCall call = call_for(a, b, out);
                      call.accumulate = options.accumulate;
                      return internal::gpu::gemm_into_float32(device, stream, call);
                    });
  return done ? out : gemm(a.astype(float32), b.astype(float32), options);
}

// gelu's inner function and its derivative, in float32 for narrower types.
ndarray tanh_of_gelu(const ndarray& x) {
  return tanh((x + x * x * x * 0.044715) * 0.7978845608028654);
}
ndarray gelu_of(const ndarray& given) {
  const ndarray x = given.dtype().itemsize() == 2 ? given.astype(float32) : given;
  return (x * (tanh_of_gelu(x) + 1) * 0.5).astype(given.dtype());
}
ndarray gelu_derivative(const ndarray& x) {
  const ndarray t = tanh_of_gelu(x);
  const ndarray inner = (x * x * (3 * 0.044715) + 1) * 0.7978845608028654;
  return (t + 1) * 0.5 + x * (1 - t * t) * inner * 0.5;
}

// Products with gelu or its gradient: in one launch where the library can.
ndarray gemm_with_gelu(const ndarray& a, const ndarray& b, const GemmOptions& options) {
  const ndarray& before = options.pre_activation;
  const Shape shape{a.shape()[0], b.shape()[1]};
  const ndarray c = options.out.is_none()
                        ? internal::make_array("gemm", shape, a.dtype(), a.device())
                        : options.out;
  if (options.gelu) internal::touch(before.body());
  const bool done =
      run_in_library(c, {&a, &b, &c, &before, &options.bias}, [&](int device, void* stream) {
        internal::GemmCall call = call_for(a, b, c);
        call.gelu = options.gelu;
        call.gelu_gradient = options.gelu_gradient;
        call.pre_activation = before.elements();
        if (!options.bias.is_none()) call.bias = options.bias.elements();
        return internal::gpu::gemm_with_epilogue(device, stream, call);
      });
  if (done) return c;
  if (options.gelu) {
    gemm(a, b, {.out = before, .bias = options.bias});
    copyto(c, gelu_of(before));
    return c;
  }
  const bool is_narrow = a.dtype().itemsize() == 2;
  const ndarray x = is_narrow ? before.astype(float32) : before;
  const ndarray product = gemm(a, b);
  copyto(c, (is_narrow ? product.astype(float32) : product) * gelu_derivative(x));
  return c;
}

void check_gelu(const GemmOptions& options, const Shape& shape, cupyxx::dtype dtype,
                Device device) {
  const char* const operation = "gemm";
  if (options.gelu && options.gelu_gradient) {
    throw ValueError(message(operation, ": gelu and gelu_gradient exclude each other"));
  }
  if (options.relu || options.accumulate || !options.row_sums.is_none() ||
      (options.gelu_gradient && !options.bias.is_none()) || !dtype.is_floating()) {
    throw ValueError(
        message(operation, ": gelu goes with a bias, and gelu_gradient alone, of floating dtypes"));
  }
  if (options.pre_activation.is_none()) {
    throw ValueError(message(operation, ": gelu and gelu_gradient need pre_activation"));
  }
  check_target(operation, "pre_activation", options.pre_activation, shape, dtype, device);
  if (!options.pre_activation.flags().c_contiguous) {
    throw ValueError(message(operation, ": pre_activation is not C-contiguous"));
  }
}

ndarray product(const ndarray& x, const ndarray& y, const GemmOptions& options) {
  const char* operation = "gemm";
  const cupyxx::dtype dtype = internal::product_dtype(operation, x, y);
  const ndarray& out = options.out;
  if (x.ndim() != 2 || y.ndim() != 2) {
    throw ShapeError(
        message(operation, ": operands must be matrices; ", x.shape(), " and ", y.shape()));
  }
  const Device device = x.device();
  const std::int64_t m = x.body()->shape[0], k = x.body()->shape[1], n = y.body()->shape[1];
  if (y.body()->shape[0] != k) {
    throw ShapeError(
        message(operation, ": inner dimensions differ: ", x.shape(), " and ", y.shape()));
  }
  if (!out.is_none()) {
    const bool widens = into_float32(dtype, out);
    check_target(operation, "out", out, {m, n}, widens ? float32 : dtype, device);
    if (!out.flags().c_contiguous)
      throw ValueError(message(operation, ": out is not C-contiguous"));
  } else if (options.accumulate) {
    throw ValueError(message(operation, ": accumulate needs out"));
  }
  ndarray made_a, made_b;
  const ndarray& a = internal::for_product(x, dtype, device, made_a);
  const ndarray& b = internal::for_product(y, dtype, device, made_b);
  if (into_float32(dtype, out)) return gemm_into_float32(a, b, options);
  const bool has_gelu = options.gelu || options.gelu_gradient;
  if (has_gelu) {
    check_gelu(options, {m, n}, dtype, device);
  } else if (!options.pre_activation.is_none()) {
    throw ValueError(message(operation, ": pre_activation goes with gelu and gelu_gradient"));
  }
  ndarray bias;
  if (!options.bias.is_none()) {
    bias = options.bias;
    if (bias.ndim() != 1 || bias.size() != n) {
      throw ShapeError(message(operation, ": bias must be a row of the product; ", bias.shape(),
                               " instead of ", Shape{n}));
    }
    if (bias.device().is_cpu() != device.is_cpu()) {
      throw TypeError(message(operation, ": bias is on another device; ", bias.device().name(),
                              " instead of ", device.name()));
    }
    ndarray made;
    bias = internal::for_product(bias, dtype, device, made);
    if (!bias.flags().c_contiguous) bias = bias.copy(cupyxx::Order::C);
  }
  if (has_gelu) {
    GemmOptions ready = options;
    ready.bias = bias;
    return gemm_with_gelu(a, b, ready);
  }
  const bool overlaps =
      !out.is_none() && (internal::may_overlap(out, a) || internal::may_overlap(out, b) ||
                         (!bias.is_none() && internal::may_overlap(out, bias)));
  const ndarray& row_sums = options.row_sums;
  if (!row_sums.is_none()) {
    if (row_sums.shape() != Shape{m}) {
      throw ShapeError(message(operation, ": row_sums must have an element for each row; ",
                               row_sums.shape(), " instead of ", Shape{m}));
    }
    check_target(operation, "row_sums", row_sums, {m}, dtype, device);
  }
  bool sums_rows = false;  // in the product's kernel
  ndarray c = out;
  if (overlaps) {
    c = out.copy(cupyxx::Order::C);
  } else if (out.is_none()) {
    c = internal::make_array(operation, {m, n}, dtype, device);
  }
  internal::touch(c.body());
  if (!row_sums.is_none()) internal::touch(row_sums.body());
  if (m != 0 && n != 0) {
    const internal::Body &left = *a.body(), &right = *b.body();
    internal::GemmCall call{.dtype = dtype,
                            .compute = compute_precision(),
                            .accumulate = options.accumulate,
                            .relu = options.relu,
                            .m = m,
                            .n = n,
                            .k = k,
                            .a = left.data,
                            .b = right.data,
                            .c = c.elements(),
                            .ldc = n};
    const std::int64_t itemsize = dtype.itemsize();
    internal::leading_dimension(m, k, left.strides[0], left.strides[1], itemsize, &call.trans_a,
                                &call.lda);
    internal::leading_dimension(k, n, right.strides[0], right.strides[1], itemsize, &call.trans_b,
                                &call.ldb);
    if (!bias.is_none()) call.bias = bias.elements();
    if (!row_sums.is_none() && device.is_cuda() && row_sums.flags().c_contiguous &&
        internal::gpu::gemm_sums_rows(device.index, call) && !internal::may_overlap(row_sums, a) &&
        !internal::may_overlap(row_sums, b) && !internal::may_overlap(row_sums, c) &&
        (bias.is_none() || !internal::may_overlap(row_sums, bias))) {
      sums_rows = true;
      internal::touch(row_sums.body());
      call.row_sums = row_sums.body()->data;
      internal::gpu::record_use(row_sums.body()->storage,
                                internal::gpu::current_stream(device.index));
    }
    if (!overlaps && !out.is_none()) internal::touch(out.body());
    internal::run_gemm(call, device, left.storage, right.storage, c.body()->storage,
                       bias.is_none() ? nullptr : bias.body()->storage);
  }
  if (overlaps) copyto(out, c);
  if (!sums_rows && !row_sums.is_none()) {
    add(row_sums, sum(a, 1), {.out = row_sums});
  }
  return overlaps ? out : c;
}

}  // namespace

ndarray gemm(const ndarray& a, const ndarray& b, const GemmOptions& options) {
  // gelu does not go with sums, which product() says.
  if (!options.accumulate || options.gelu || options.gelu_gradient) return product(a, b, options);
  // What is added to zeros that nobody has written takes their place. They are no part of another
  // array's memory, so only the array itself can be an operand, too.
  for (const ndarray* operand : {&a, &b, &options.bias, &options.row_sums}) {
    if (operand->handle() == options.out.handle()) return product(a, b, options);
  }
  internal::OverwrittenZeros zeros(options.out.handle());
  if (!zeros.are_owed()) return product(a, b, options);
  GemmOptions overwriting = options;
  overwriting.accumulate = false;
  const ndarray c = product(a, b, overwriting);
  zeros.done();
  return c;
}

}  // namespace cupyxx
