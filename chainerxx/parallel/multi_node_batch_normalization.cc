// SPDX-License-Identifier: MIT
#include "chainerxx/parallel/multi_node_batch_normalization.h"

#include <algorithm>

#include "cupyxx/core/index.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx {
namespace {

/// In which numbers are added up: float16 has none for the sums of a batch, nor for its size.
cupyxx::dtype computed_in(cupyxx::dtype type) {
  return type.itemsize() < 4 ? cupyxx::float32 : type;
}

}  // namespace

MultiNodeBatchNormalization::MultiNodeBatchNormalization(
    std::int64_t size, const cupyxx::comm::Communicator& communicator, const Options& options)
    : communicator_(communicator), decay_(options.decay), eps_(options.eps) {
  if (size < 1 || eps_ < 0 || decay_ < 0 || decay_ > 1) {
    throw cupyxx::ValueError(
        cupyxx::message("MultiNodeBatchNormalization: a number is out of range; size ", size,
                        ", eps ", cupyxx::Scalar(eps_), ", decay ", cupyxx::Scalar(decay_)));
  }
  gamma = cupyxx::ones({size}, options.dtype);
  ggamma = cupyxx::zeros({size}, options.dtype);
  beta = cupyxx::zeros({size}, options.dtype);
  gbeta = cupyxx::zeros({size}, options.dtype);
  avg_mean = cupyxx::zeros({size}, options.dtype);
  avg_var = cupyxx::ones({size}, options.dtype);
}

std::vector<Field> MultiNodeBatchNormalization::fields() {
  return {{"gamma", &gamma, &ggamma, true},
          {"beta", &beta, &gbeta, true},
          {"avg_mean", &avg_mean, nullptr, true},
          {"avg_var", &avg_var, nullptr, true}};
}

Variable MultiNodeBatchNormalization::operator()(const Variable& x) const {
  MultiNodeBatchNormalization application(*this);
  application.is_test_ = !is_training();
  return static_cast<const FunctionOf<MultiNodeBatchNormalization>&>(application)(x);
}

void MultiNodeBatchNormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  typecheck::expect(in[0].dtype().kind() == 'f', in[0].ndim() >= 2,
                    in[0].shape()[1] == gamma.shape(0));
}

/// An array per channel as it stands beside x.
ndarray MultiNodeBatchNormalization::beside(const ndarray& channels, const ndarray& x) const {
  cupyxx::Shape shape = x.shape();
  for (int i = 0; i < shape.ndim(); ++i) shape[i] = i == 1 ? channels.size() : 1;
  return channels.reshape(shape);
}

ndarray MultiNodeBatchNormalization::sum_over_batch(const ndarray& x) const {
  std::vector<std::int64_t> axes;
  for (int i = 0; i < x.ndim(); ++i) {
    if (i != 1) axes.push_back(i);
  }
  return cupyxx::sum(x, cupyxx::Axes(axes));
}

/// Joins the moments of all ranks, each about its own mean, so that a large mean does not cancel
/// the variance: Chan et al., 1979.
void MultiNodeBatchNormalization::find_moments(const ndarray& x) {
  const std::int64_t channels = gamma.size(), own_count = x.size() / channels;
  const ndarray own_mean =
      sum_over_batch(x) / static_cast<double>(std::max<std::int64_t>(own_count, 1));
  const ndarray distance = x - beside(own_mean, x);
  const ndarray own_squares = sum_over_batch(distance * distance);
  const ndarray own_counts = cupyxx::full({channels}, static_cast<double>(own_count), x.dtype());
  const ndarray all = communicator_.all_gather(
      cupyxx::stack(std::vector<ndarray>{own_counts, own_mean, own_squares}));
  const ndarray counts = all(cupyxx::slice(), 0), means = all(cupyxx::slice(), 1);
  count_ = cupyxx::sum(counts, 0);
  mean_ = cupyxx::sum(counts * means, 0) / count_;
  const ndarray away = means - mean_;
  const ndarray squares = cupyxx::sum(all(cupyxx::slice(), 2) + counts * away * away, 0);
  inv_std_ = 1 / cupyxx::sqrt(squares / count_ + eps_);
  if (decay_ == 1) return;
  const auto follow = [&](const ndarray& average, const ndarray& now) {
    const ndarray before = average.astype(x.dtype(), /*copy=*/false);
    average.set((before * decay_ + now * (1 - decay_)).astype(average.dtype(), /*copy=*/false));
  };
  follow(avg_mean, mean_);
  follow(avg_var, squares / cupyxx::maximum(count_ - 1, 1));
}

std::vector<ndarray> MultiNodeBatchNormalization::forward(ArraySpan in) {
  const ndarray x = in[0].astype(computed_in(gamma.dtype()), /*copy=*/false);
  if (is_test_) {
    mean_ = avg_mean.astype(x.dtype());
    inv_std_ = 1 / cupyxx::sqrt(avg_var.astype(x.dtype(), /*copy=*/false) + eps_);
  } else {
    find_moments(x);
  }
  const ndarray y = (x - beside(mean_, x)) * beside(inv_std_ * gamma, x) + beside(beta, x);
  return {y.astype(in[0].dtype(), /*copy=*/false)};
}

std::vector<ndarray> MultiNodeBatchNormalization::backward(ArraySpan in, ArraySpan gys) {
  const ndarray x = in[0].astype(computed_in(gamma.dtype()), /*copy=*/false);
  const ndarray gy = gys[0].astype(x.dtype(), /*copy=*/false);
  const ndarray normal = (x - beside(mean_, x)) * beside(inv_std_, x);
  const ndarray own_gbeta = sum_over_batch(gy), own_ggamma = sum_over_batch(gy * normal);
  ggamma += own_ggamma;
  gbeta += own_gbeta;
  ndarray rest = gy;
  if (!is_test_) {
    // The moments are those of all ranks: what each of them says of these counts.
    const ndarray totals =
        communicator_.all_reduce(cupyxx::stack(std::vector<ndarray>{own_gbeta, own_ggamma}));
    const ndarray mean_gbeta = totals(0) / count_, mean_ggamma = totals(1) / count_;
    rest = gy - beside(mean_gbeta, x) - normal * beside(mean_ggamma, x);
  }
  const ndarray gx = rest * beside(gamma * inv_std_, x);
  return {gx.astype(in[0].dtype(), /*copy=*/false)};
}

}  // namespace chainerxx
