// SPDX-License-Identifier: MIT
// What states of a cuRAND method draw from its generator.
#pragma once

#include "cupyxx/random/draw.h"

namespace cupyxx::random {

ndarray curand_uniform(RandomState& state, double low, double high, const Shape& size,
                       const DrawOptions& options);
ndarray curand_normal(RandomState& state, double loc, double scale, const Shape& size,
                      const DrawOptions& options);
ndarray curand_lognormal(RandomState& state, double mean, double sigma, const Shape& size,
                         const DrawOptions& options);
/// 64 random bits for each element, as float64 with these bits.
ndarray curand_words(RandomState& state, const Shape& shape);

}  // namespace cupyxx::random
