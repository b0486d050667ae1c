// SPDX-License-Identifier: MIT
// Window functions. NumPy's chapter of that name.
#pragma once

#include <cstdint>

#include "cupyxx/ndarray.h"

namespace cupyxx {

// Weights (float64) of `m` samples, largest in the middle; an empty array for m < 1.

/// A triangle that touches zero.
CUPYXX_API ndarray bartlett(std::int64_t m);
/// Three terms of cosines.
CUPYXX_API ndarray blackman(std::int64_t m);
/// A raised cosine that does not touch zero.
CUPYXX_API ndarray hamming(std::int64_t m);
/// A raised cosine that touches zero.
CUPYXX_API ndarray hanning(std::int64_t m);
/// Ratio of Bessel functions; a larger `beta` is narrower.
CUPYXX_API ndarray kaiser(std::int64_t m, double beta);

}  // namespace cupyxx
