// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/highway.h"

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {
namespace {

std::int64_t pooled(std::int64_t out_size, std::int64_t pool_size) {
  if (pool_size >= 1 && pool_size <= 1 << 20) return internal::times("Maxout", out_size, pool_size);
  throw cupyxx::ValueError(
      cupyxx::message("Maxout: the size of a pool is not in [1, 2 ** 20]; ", pool_size));
}

}  // namespace

Highway::Highway(std::int64_t in_out_size, const HighwayOptions& options)
    : plain(add("plain", Linear(in_out_size, in_out_size,
                                {.nobias = options.nobias,
                                 .initialW = options.init_Wh,
                                 .initial_bias = options.init_bh}))),
      transform(add("transform", Linear(in_out_size, in_out_size,
                                        {.nobias = options.nobias,
                                         .initialW = options.init_Wt,
                                         .initial_bias = options.init_bt}))),
      activate_(options.activate) {}

Variable Highway::operator()(const Variable& x) {
  internal::refuse_none("Highway", {&x});
  const Variable product = plain(x);
  const Variable changed = activate_.is_none() ? relu(product) : activate_(product),
                 share = sigmoid(transform(x));
  const Variable passed = cast(x, changed.dtype());
  if (passed.shape() != changed.shape()) {
    throw cupyxx::ShapeError(cupyxx::message("Highway: x is not (n, size); ", x.shape()));
  }
  return passed + share * (changed - passed);
}

Maxout::Maxout(const InputSize& in_size, std::int64_t out_size, std::int64_t pool_size)
    : linear(add("linear", Linear(in_size, pooled(out_size, pool_size)))),
      pool_size_(static_cast<int>(pool_size)) {}

Variable Maxout::operator()(const Variable& x) { return maxout(linear(x), pool_size_); }

}  // namespace chainerxx::functions
