// SPDX-License-Identifier: MIT
// Losses of samples as one number.
#pragma once

#include <algorithm>
#include <cstdint>

#include "chainerxx/functions/loss/reduce.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/variable.h"

namespace chainerxx::internal {

/// The mean or the sum of all elements, or the elements; a mean of nothing is 0.
inline Variable reduced(const Variable& losses, functions::Reduce reduce) {
  if (reduce == functions::Reduce::no) return losses;
  const Variable total = functions::sum(losses);
  if (reduce == functions::Reduce::sum) return total;
  return total * (1 / static_cast<double>(std::max<std::int64_t>(losses.size(), 1)));
}

}  // namespace chainerxx::internal
