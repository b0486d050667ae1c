// SPDX-License-Identifier: MIT
#include "chainerxx/functions/network/inception.h"

#include <vector>

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/pooling/pooling_2d.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {

Inception::Inception(const InputSize& in_channels, std::int64_t out1, std::int64_t proj3_size,
                     std::int64_t out3, std::int64_t proj5_size, std::int64_t out5,
                     std::int64_t proj_pool)
    : conv1(add("conv1", Convolution2D(in_channels, out1, 1))),
      proj3(add("proj3", Convolution2D(in_channels, proj3_size, 1))),
      conv3(add("conv3", Convolution2D(proj3_size, out3, 3, {.pad = 1}))),
      proj5(add("proj5", Convolution2D(in_channels, proj5_size, 1))),
      conv5(add("conv5", Convolution2D(proj5_size, out5, 5, {.pad = 2}))),
      projp(add("projp", Convolution2D(in_channels, proj_pool, 1))) {}

Variable Inception::operator()(const Variable& x) const {
  const Variable out1 = conv1(x);
  const Variable out3 = conv3(relu(proj3(x)));
  const Variable out5 = conv5(relu(proj5(x)));
  const Variable pool = projp(max_pooling_2d(x, 3, {.stride = 1, .pad = 1}));
  return relu(concat({out1, out3, out5, pool}));
}

InceptionBN::Block InceptionBN::block(const std::string& name, const InputSize& in,
                                      std::int64_t out, std::int64_t ksize, std::int64_t stride) {
  Convolution2D& convolution = add(
      name, Convolution2D(in, out, ksize, {.stride = stride, .pad = ksize / 2, .nobias = true}));
  return {convolution, add(name + "n", BatchNormalization(out))};
}

Variable InceptionBN::Block::operator()(const Variable& x,
                                        const BatchNormalization::Mode& mode) const {
  return norm.relu(convolution(x), mode);
}

InceptionBN::InceptionBN(const InputSize& in_channels, std::int64_t out1, std::int64_t proj3,
                         std::int64_t out3, std::int64_t proj33, std::int64_t out33,
                         const std::string& pooltype, std::optional<std::int64_t> proj_pool,
                         std::int64_t stride)
    : max_(pooltype == "max"),
      stride_(stride),
      proj3_(block("proj3", in_channels, proj3, 1)),
      conv3_(block("conv3", proj3, out3, 3, stride)),
      proj33_(block("proj33", in_channels, proj33, 1)),
      conv33a_(block("conv33a", proj33, out33, 3)),
      conv33b_(block("conv33b", out33, out33, 3, stride)) {
  if (pooltype != "max" && pooltype != "avg") {
    throw cupyxx::ValueError(
        cupyxx::message(R"(InceptionBN: pooltype is neither "max" nor "avg"; ")", pooltype, "\""));
  }
  if (proj_pool == 0) proj_pool.reset();
  if (out1 > 0 && (stride != 1 || !proj_pool.has_value())) {
    throw cupyxx::ValueError(cupyxx::message(
        "InceptionBN: a 1x1 path needs stride 1 and a projection of the pooling; out1 is ", out1,
        ", stride ", stride));
  }
  if (out1 > 0) conv1_.emplace(block("conv1", in_channels, out1, 1));
  if (proj_pool.has_value()) poolp_.emplace(block("poolp", in_channels, *proj_pool, 1));
}

Variable InceptionBN::operator()(const Variable& x, const BatchNormalization::Mode& mode) const {
  std::vector<Variable> outputs;
  if (conv1_.has_value()) outputs.push_back((*conv1_)(x, mode));
  outputs.push_back(conv3_(proj3_(x, mode), mode));
  outputs.push_back(conv33b_(conv33a_(proj33_(x, mode), mode), mode));
  // Where covering everything would give as many windows as the convolutions, so does this, with
  // the same ones; where it would not, the results could not be joined.
  Variable pool = max_ ? max_pooling_2d(x, 3, {.stride = stride_, .pad = 1, .cover_all = false})
                       : average_pooling_2d(x, 3, {.stride = stride_, .pad = 1});
  if (poolp_.has_value()) pool = (*poolp_)(pool, mode);
  outputs.push_back(cast(pool, outputs.front().dtype()));  // of x, where nothing projects it
  return concat(outputs);
}

}  // namespace chainerxx::functions
