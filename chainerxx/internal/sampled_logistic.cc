// SPDX-License-Identifier: MIT
#include "chainerxx/internal/sampled_logistic.h"

#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace chainerxx::internal {

ndarray SampledLogistic::loss() {
  const ndarray rows = cupyxx::take(W, ids, 0);  // (n, k, in)
  products = cupyxx::matmul(rows, cupyxx::expand_dims(x, 2)).squeeze(2);
  const ndarray z = -signs * products;
  const ndarray losses = cupyxx::maximum(z, 0) + cupyxx::log1p(cupyxx::exp(-cupyxx::absolute(z)));
  return (losses * cupyxx::absolute(signs)).sum();
}

ndarray SampledLogistic::backward(const ndarray& gW, const ndarray& gy) const {
  // -sign sigmoid(-sign z), through tanh.
  const ndarray sigmoid = cupyxx::tanh(signs * products * -0.5) * 0.5 + 0.5;
  const ndarray g = -signs * sigmoid * gy;
  cupyxx::add.at(gW, ids, cupyxx::expand_dims(g, 2) * cupyxx::expand_dims(x, 1));
  const ndarray rows = cupyxx::take(W, ids, 0);
  return cupyxx::matmul(cupyxx::expand_dims(g, 1), rows).squeeze(1);
}

}  // namespace chainerxx::internal
