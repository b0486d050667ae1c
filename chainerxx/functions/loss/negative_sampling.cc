// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/negative_sampling.h"

#include <cmath>
#include <utility>

#include "chainerxx/functions/loss/sampled_gradients.h"
#include "chainerxx/internal/initialize.h"
#include "chainerxx/internal/sampled_logistic.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

utils::WalkerAlias make_sampler(const std::vector<std::int64_t>& counts, double power) {
  std::vector<double> weights;
  weights.reserve(counts.size());
  for (const std::int64_t count : counts) {
    weights.push_back(std::pow(static_cast<double>(count), power));
  }
  utils::WalkerAlias sampler(weights);
  if (const cupyxx::Device device = cupyxx::current_device(); device.is_cuda()) {
    sampler.to_gpu(device.index);
  }
  return sampler;
}

}  // namespace

NegativeSampling::NegativeSampling(std::int64_t in_size, const std::vector<std::int64_t>& counts,
                                   int sample_size, double power, cupyxx::dtype dtype)
    : sample_size_(sample_size) {
  if (sample_size < 0) {
    throw cupyxx::ValueError(
        cupyxx::message("NegativeSampling: sample_size is negative; ", sample_size));
  }
  internal::check_sizes("NegativeSampling", {in_size});
  internal::check_floating("NegativeSampling", dtype);
  if (internal::skips_initialization()) return;
  sampler_ = std::make_shared<utils::WalkerAlias>(make_sampler(counts, power));
  W = cupyxx::zeros({static_cast<std::int64_t>(counts.size()), in_size}, dtype);
  gW = cupyxx::zeros_like(W);
}

std::vector<Field> NegativeSampling::fields() { return {{"W", &W, &gW, true}}; }

void NegativeSampling::move_to(cupyxx::Device device) {
  Function::move_to(device);
  auto moved = std::make_shared<utils::WalkerAlias>(*sampler_);
  device.is_cpu() ? moved->to_cpu() : moved->to_gpu(device.index);
  sampler_ = std::move(moved);
  if (!samples.is_none()) samples = samples.to(device);
}

void NegativeSampling::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto x = in[0], t = in[1];
  typecheck::expect(x.dtype() == W.dtype(), x.ndim() == 2, t.dtype().kind() == 'i', t.ndim() == 1,
                    x.shape()[0] == t.shape()[0],
                    x.shape()[1] == typecheck::Variable(W.shape()[1], "W.shape[1]"));
}

std::vector<ndarray> NegativeSampling::forward(ArraySpan in) {
  const cupyxx::Shape shape{in[0].shape()[0], std::int64_t{sample_size_} + 1};
  if (!samples.is_none() && samples.shape() != shape) {
    throw cupyxx::ShapeError(cupyxx::message("NegativeSampling: samples have the wrong shape; ",
                                             samples.shape(), " instead of ", shape));
  }
  const ndarray ids = samples.is_none() ? sampler_->sample(shape) : samples.copy();
  // A negative label must not count from the end.
  const ndarray t = in[1].astype(ids.dtype(), false);
  ids(cupyxx::slice(), 0) = cupyxx::where(t < 0, W.shape()[0], t);
  const ndarray signs = cupyxx::full(shape, -1, in[0].dtype());
  signs(cupyxx::slice(), 0) = 1;
  internal::SampledLogistic state{in[0], W, ids, signs};
  ndarray loss = state.loss();
  if (records()) {
    state_ = std::make_shared<internal::SampledLogistic>(std::move(state));
    saved_W_ = internal::SavedArray(W);
  }
  return {std::move(loss)};
}

std::vector<ndarray> NegativeSampling::backward(ArraySpan, ArraySpan gy) {
  saved_W_.get(*this);  // unchanged since forward
  return {state_->backward(gW, gy[0]), ndarray()};
}

std::vector<Variable> NegativeSampling::backward_variables(VariableSpan in, VariableSpan gy) {
  return internal::sampled_gradients(*state_, saved_W_.get(*this), gW, in[0], gy);
}

}  // namespace chainerxx::functions
