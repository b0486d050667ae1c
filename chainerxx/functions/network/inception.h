// SPDX-License-Identifier: MIT
// The modules of GoogLeNet: several convolutions side by side, joined along the channels. They are
// function sets, to be added to others:
//
//   F::Inception& i3a = add<F::Inception>("inception_3a", 192, 64, 96, 128, 16, 32, 32);
//   Variable h = i3a(x);
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/functions/normalization/batch_normalization.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// 1x1, 3x3 and 5x5 convolutions, the larger two behind 1x1 projections, and a projection of 3x3
/// max pooling: (n, in, h, w) becomes (n, out1 + out3 + out5 + proj_pool, h, w). See "Going Deeper
/// with Convolutions".
class CUPYXX_API Inception : public FunctionSet {
 public:
  Inception(const InputSize& in_channels, std::int64_t out1, std::int64_t proj3, std::int64_t out3,
            std::int64_t proj5, std::int64_t out5, std::int64_t proj_pool);
  Variable operator()(const Variable& x) const;

  Convolution2D& conv1;
  Convolution2D& proj3;
  Convolution2D& conv3;
  Convolution2D& proj5;
  Convolution2D& conv5;
  Convolution2D& projp;
};

/// The module with batch normalisation behind each convolution, two 3x3 convolutions in a row in
/// place of the 5x5 one, and pooling of a chosen kind. `stride` is that of the last convolution of
/// each path and of the pooling. See "Batch Normalization: Accelerating Deep Network Training by
/// Reducing Internal Covariate Shift".
class CUPYXX_API InceptionBN : public FunctionSet {
 public:
  /// `pooltype` is "max" or "avg"; without `proj_pool`, or with 0, the pooled input is joined as it
  /// is. With out1 == 0 there is no 1x1 path. Throws ValueError for another pooltype, and for out1
  /// > 0 together with a stride or without a projection.
  InceptionBN(const InputSize& in_channels, std::int64_t out1, std::int64_t proj3,
              std::int64_t out3, std::int64_t proj33, std::int64_t out33,
              const std::string& pooltype, std::optional<std::int64_t> proj_pool = {},
              std::int64_t stride = 1);
  /// None is no projection.
  template <internal::NoneLike N>
  InceptionBN(const InputSize& in_channels, std::int64_t out1, std::int64_t proj3,
              std::int64_t out3, std::int64_t proj33, std::int64_t out33,
              const std::string& pooltype, N, std::int64_t stride = 1)
      : InceptionBN(in_channels, out1, proj3, out3, proj33, out33, pooltype,
                    std::optional<std::int64_t>(), stride) {}
  /// The mode of all its batch normalisations; by default that of the thread.
  Variable operator()(const Variable& x, const BatchNormalization::Mode& mode = {}) const;

 private:
  /// relu(norm(convolution(x))).
  struct Block {
    Convolution2D& convolution;
    BatchNormalization& norm;
    Variable operator()(const Variable& x, const BatchNormalization::Mode& mode) const;
  };
  Block block(const std::string& name, const InputSize& in, std::int64_t out, std::int64_t ksize,
              std::int64_t stride = 1);

  bool max_;
  std::int64_t stride_;
  Block proj3_, conv3_, proj33_, conv33a_, conv33b_;
  std::optional<Block> conv1_, poolp_;
};

}  // namespace chainerxx::functions
