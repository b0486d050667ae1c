// SPDX-License-Identifier: MIT
#include "chainerxx/functions/network/black_out.h"

#include <algorithm>
#include <cmath>

#include "chainerxx/functions/loss/sampled_losses.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {
namespace {

constexpr const char* kName = "BlackOut";

std::int64_t checked(std::int64_t in_size) {
  if (in_size >= 0) return in_size;
  throw cupyxx::ValueError(cupyxx::message(kName, ": a size is negative; ", in_size));
}

initializers::Normal normal(std::int64_t in_size) {
  return initializers::Normal(
      std::sqrt(1 / static_cast<double>(std::max<std::int64_t>(in_size, 1))));
}

std::vector<double> weights(const std::vector<std::int64_t>& counts) {
  return {counts.begin(), counts.end()};
}

}  // namespace

BlackOut::BlackOut(std::int64_t in_size, const std::vector<std::int64_t>& counts,
                   std::int64_t sample_size)
    : W(add("W", Parameter(normal(in_size),
                           {static_cast<std::int64_t>(counts.size()), checked(in_size)}))),
      sample_size_(sample_size),
      sampler_(weights(counts)) {
  if (sample_size >= 1) return;
  throw cupyxx::ValueError(cupyxx::message(kName, ": sample_size is below 1; ", sample_size));
}

Variable BlackOut::operator()(const Variable& x, const Variable& t, ReduceChoice reduce) {
  internal::refuse_none(kName, {&x, &t});
  if (x.ndim() != 2)
    throw cupyxx::ShapeError(cupyxx::message(kName, ": x is not (n, in); ", x.shape()));
  ndarray words = samples;
  if (words.is_none()) {
    if (sampler_.device() != x.device()) {
      x.device().is_cpu() ? sampler_.to_cpu() : sampler_.to_gpu(x.device());
    }
    words = sampler_.sample({x.shape()[0], sample_size_});
  }
  return black_out(x, t, W(x.volatile_()), Variable(words, x.volatile_()), reduce);
}

}  // namespace chainerxx::functions
