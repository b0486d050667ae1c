// SPDX-License-Identifier: MIT
// Device-safe. What an operation says of itself beside its loops.
#pragma once

namespace cupyxx::ops {

/// What changes no element when it is combined with one.
enum class Identity : unsigned char { none, zero, one, all_bits, minus_infinity };

/// The reduction with kernels of its own that an operation's `reduce` is.
enum class Fold : unsigned char { none, sum, prod, amax, amin, all, any };

/// The kernels of an operation that are compiled when the library is built, as bits.
enum Bundled : unsigned {
  kNotBundled = 0,
  kEveryday = 1,    // float32, float64, int32, int64: contiguous, with a number, broadcast
  kTruth = 2,       // and bool
  kBroadcasts = 4,  // and transposed operands and three axes
  kIntegers = 8,    // and integers that are computed in float64
  kPlaces = 16,     // and `at`
  kPlain = 32,      // of every floating type alone: contiguous, its parameters being numbers
};

}  // namespace cupyxx::ops
