// SPDX-License-Identifier: MIT
// Batch normalisation that whitens: channels with mean 0, variance 1 and no correlation.
#pragma once

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of decorrelated_batch_normalization.
struct DecorrelatedBatchNormalizationOptions {
  int groups = 16;                  ///< channels of which are whitened together
  double eps = 2e-5;                ///< added to the variances
  ndarray running_mean = {};        ///< (groups, c / groups), updated in place
  ndarray running_projection = {};  ///< (groups, c / groups, c / groups), updated in place
  double decay = 0.9;               ///< weight of the old statistics
};

/// P (x - mean) for each group of channels of x (n, c, ...), with the means over the other axes and
/// P = (covariance + eps)^(-1/2), the symmetric root: ZCA whitening (Huang et al., 2018). Computed
/// in float32 at least; gradients of any order, equal variances included. As in Chainer the running
/// projection takes m / (m - 1) P, for m elements of a channel. Throws ShapeError for x of one
/// axis, channels that `groups` does not divide and statistics of other shapes, ValueError for an
/// eps that is not positive and for no elements.
CUPYXX_API Variable decorrelated_batch_normalization(
    const Variable& x, const DecorrelatedBatchNormalizationOptions& options = {});

/// The same with given means (groups, c / groups) and projections (groups, c / groups, c / groups),
/// as running statistics are. It has gradients by all three.
CUPYXX_API Variable fixed_decorrelated_batch_normalization(const Variable& x, const Variable& mean,
                                                           const Variable& projection,
                                                           int groups = 16);

}  // namespace chainerxx::functions
