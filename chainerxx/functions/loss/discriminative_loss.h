// SPDX-License-Identifier: MIT
// A loss that groups pixels by their embeddings.
#pragma once

#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The three terms of De Brabandere et al., 2017, for embeddings (n, d, h, w) and labels (n, h, w)
/// of integers, of which 1 to d = `max_embedding_dim` are instances and others background. With m_i
/// the mean of the pixels of instance i in an image, 0 where it has none, and |.| the L1 or L2
/// norm:
///
///   variance        alpha mean over i of the mean over its pixels x of max(|m_i - x| - delta_v,
///   0)^2 distance        beta mean over pairs and images of max(2 delta_d - |m_i - m_j|, 0)^2
///   regularization  gamma mean over i of |m_i|, of all images together, / n
///
/// As in Chainer the first two count all d instances, whether an image has them or not. Throws
/// ValueError for a norm other than 1 and 2, and for a `max_embedding_dim` that is not positive,
/// ShapeError for other shapes, and DtypeError for labels that are no integers.
CUPYXX_API VariableArray<3> discriminative_margin_based_clustering_loss(
    const Variable& embeddings, const Variable& labels, double delta_v, double delta_d,
    int max_embedding_dim, int norm = 1, double alpha = 1, double beta = 1, double gamma = 0.001);

}  // namespace chainerxx::functions
