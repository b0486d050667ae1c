// SPDX-License-Identifier: MIT
// Random numbers from a counter-based generator (Philox4x32-10). The sequence depends on the seed
// and on what was drawn before, not on the device: integers and uniforms are equal bit for bit on
// the host and on CUDA devices, normals within 4 ulp.
#pragma once

#include <cstdint>

#include "cupyxx/ndarray.h"

namespace cupyxx::random {

/// Options of normal.
struct NormalOptions {
  double loc = 0;
  double scale = 1;
  cupyxx::dtype dtype = float64;
};
/// Options of uniform.
struct UniformOptions {
  double low = 0;
  double high = 1;
  cupyxx::dtype dtype = float64;
};

/// A stream of random numbers. Copies continue from the same point.
class CUPYXX_API RandomState {
 public:
  /// Seeds from the system's entropy.
  RandomState();
  explicit RandomState(std::uint64_t seed);

  void seed(std::uint64_t seed);
  /// Where the stream stands: the next number depends on these two only.
  std::uint64_t seed() const { return seed_; }
  std::uint64_t offset() const { return offset_; }
  void set_state(std::uint64_t seed, std::uint64_t offset);

  /// Normal numbers of mean `loc` and standard deviation `scale` (float32 or float64).
  ndarray normal(const Shape& shape = {}, const NormalOptions& options = {});
  /// Uniform numbers in [low, high) (float32 or float64).
  ndarray uniform(const Shape& shape = {}, const UniformOptions& options = {});
  /// Uniform integers (int64) in [low, high).
  ndarray randint(std::int64_t low, std::int64_t high, const Shape& shape = {});
  /// The numbers 0 .. n - 1 in random order (int64).
  ndarray permutation(std::int64_t n);

 private:
  std::uint64_t seed_ = 0;
  std::uint64_t offset_ = 0;  // in blocks of four 32-bit words
};

/// The thread-safe default stream of a device; all functions below draw from the current device's.
CUPYXX_API void seed(std::uint64_t seed);
/// Where the current device's stream stands, and back to it.
CUPYXX_API RandomState get_state();
CUPYXX_API void set_state(const RandomState& state);

CUPYXX_API ndarray normal(const Shape& shape = {}, const NormalOptions& options = {});
CUPYXX_API ndarray uniform(const Shape& shape = {}, const UniformOptions& options = {});
CUPYXX_API ndarray randint(std::int64_t low, std::int64_t high, const Shape& shape = {});
CUPYXX_API ndarray permutation(std::int64_t n);
/// Uniform in [0, 1), float64.
CUPYXX_API ndarray rand(const Shape& shape);
CUPYXX_API ndarray random_sample(const Shape& shape = {});
/// Standard normal, float64.
CUPYXX_API ndarray randn(const Shape& shape);
CUPYXX_API ndarray standard_normal(const Shape& shape = {});

}  // namespace cupyxx::random
