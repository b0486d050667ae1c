// SPDX-License-Identifier: MIT
// NumPy's newer interface: default_rng(seed) with `random`, `integers` and the rest.
#pragma once

#include "cupyxx/random/random_state.h"

namespace cupyxx::random {

/// Options of Generator::integers.
struct IntegersOptions {
  cupyxx::dtype dtype = {};
  bool endpoint = false;  ///< whether `high` may be drawn
};

/// All of Generator::integers by name: `integers(0, 10, {.size = 5, .endpoint = true})`.
struct NamedIntegersOptions {
  Shape size = {};
  cupyxx::dtype dtype = {};
  bool endpoint = false;
};

/// A RandomState with the newer names; all others are the same.
class Generator : public RandomState {
 public:
  using RandomState::RandomState;
  explicit Generator(RandomState state) : RandomState(std::move(state)) {}

  /// Uniform numbers in [0, 1).
  ndarray random(const Shape& size = {}, const DrawOptions& options = {}) {
    return random_sample(size, options);
  }
  /// Integers of [low, high), or of [low, high] with `endpoint`; of [0, low) for a high of `none`.
  template <ParamArgument High>
  ndarray integers(const Param& low, const High& high, const Shape& size = {},
                   const IntegersOptions& options = {}) {
    const DrawOptions draw{.dtype = options.dtype};
    return options.endpoint ? random_integers(low, high, size, draw)
                            : randint(low, high, size, draw);
  }
  template <ParamArgument High, std::same_as<NamedIntegersOptions> O = NamedIntegersOptions>
  ndarray integers(const Param& low, const High& high, const O& options) {
    return integers(low, high, options.size,
                    IntegersOptions{.dtype = options.dtype, .endpoint = options.endpoint});
  }
  template <std::same_as<NamedIntegersOptions> O = NamedIntegersOptions>
  ndarray integers(const Param& high, const O& options) {
    return integers(0, high, options);
  }
  ndarray integers(const Param& low, None, const Shape& size = {},
                   const IntegersOptions& options = {}) {
    return integers(0, low, size, options);
  }
  template <DtypeArgument D>
  ndarray random(const Shape& size, const D& dtype) {
    return random_sample(size, DrawOptions{.dtype = dtype});
  }
  void integers(const internal::ListedRow& write_array_around_the_parameters,
                const internal::ListedRow&) = delete;
  /// Integers of [0, high): integers(10), integers(10, {5}).
  ndarray integers(const Param& high) { return integers(0, high); }
  ndarray integers(const Param& high, const SizeList& size, const IntegersOptions& options = {}) {
    return integers(0, high, size, options);
  }
  template <DtypeArgument D>
  ndarray integers(const Param& high, const SizeList& size, const D& dtype) {
    return integers(0, high, size, IntegersOptions{.dtype = dtype});
  }
  template <class High, DtypeArgument D>
  ndarray integers(const Param& low, const High& high, const Shape& size, const D& dtype,
                   bool endpoint = false) {
    return integers(low, high, size, IntegersOptions{.dtype = dtype, .endpoint = endpoint});
  }
  /// A copy in which each row along an axis has an order of its own; `{}` orders the flattened
  /// array.
  CUPYXX_API ndarray permuted(const ndarray& a, const Axes& axis = {});
  template <std::same_as<AxisOptions> O = AxisOptions>
  ndarray permuted(const ndarray& a, O options) {
    return permuted(a, cupyxx::internal::take_axis(options.axis));
  }
  /// Generators unrelated to this one and to each other.
  CUPYXX_API std::vector<Generator> spawn(internal::Int count);
};

/// A generator of a seed, or of the system's entropy.
inline Generator default_rng(internal::UInt64 seed) { return Generator(seed); }
inline Generator default_rng(None = {}) { return Generator(); }

}  // namespace cupyxx::random
