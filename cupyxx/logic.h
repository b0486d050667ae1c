// SPDX-License-Identifier: MIT
// Comparing arrays as wholes and within tolerances. NumPy's chapter "Logic functions".
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "cupyxx/core/array_like.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/tolerance.h"

namespace cupyxx {

/// Whether shapes and all elements are the same. Synchronises.
CUPYXX_API bool array_equal(const ndarray& a, const ndarray& b, bool equal_nan = false);
/// Whether the arrays broadcast together and all elements are the same then. Synchronises.
CUPYXX_API bool array_equiv(const ndarray& a, const ndarray& b);
/// Of lists: `array_equal(a, {1, 2, 3})`. Synchronise.
CUPYXX_API bool array_equal(const ArrayLike& a, const ArrayLike& b, bool equal_nan = false);
CUPYXX_API bool array_equiv(const ArrayLike& a, const ArrayLike& b);
/// Options of array_equal.
struct ArrayEqualOptions {
  bool equal_nan = false;
};
template <std::same_as<ArrayEqualOptions> O = ArrayEqualOptions>
bool array_equal(const ArrayLike& a, const ArrayLike& b, const O& options) {
  return array_equal(a.beside(b), b.beside(a), options.equal_nan);
}

/// Whether elements are positive or negative infinity.
CUPYXX_API ndarray isposinf(const ndarray& x, const ndarray& out = {});
CUPYXX_API ndarray isneginf(const ndarray& x, const ndarray& out = {});
/// Of lists and numbers: `isposinf({1.0, inf})`.
inline ndarray isposinf(const Operand& x) { return isposinf(internal::as_array(x)); }
inline ndarray isneginf(const Operand& x) { return isneginf(internal::as_array(x)); }
/// Options of isposinf and isneginf.
struct InfinityOptions {
  ndarray out = {};
};
template <std::same_as<InfinityOptions> O = InfinityOptions>
ndarray isposinf(const ndarray& x, const O& options) {
  return isposinf(x, options.out);
}
template <std::same_as<InfinityOptions> O = InfinityOptions>
ndarray isneginf(const ndarray& x, const O& options) {
  return isneginf(x, options.out);
}

// ---- Eight bits to a byte and back. NumPy's chapter "Binary operations", what is not elementwise.

/// Which bit of a byte comes first.
enum class BitOrder : std::uint8_t {
  big,     ///< that of value 128
  little,  ///< that of value 1
};
namespace internal {
template <>
struct Choices<BitOrder> {
  static constexpr std::string_view kWhat = "order of bits";
  static constexpr NamedValue<BitOrder> kAll[] = {{"big", BitOrder::big},
                                                  {"little", BitOrder::little}};
};
}  // namespace internal

/// Bytes (uint8) of which each bit says whether an element along the axis is not zero; without an
/// axis, of the flattened array. The last byte is filled up with zeros. Throws TypeError for other
/// elements than integers and bools.
CUPYXX_API ndarray packbits(const ndarray& a, const Axes& axis = {},
                            Choice<BitOrder> order = BitOrder::big);
/// Options of packbits.
struct PackbitsOptions {
  Axes axis = Axes::missing();
  Choice<BitOrder> bitorder = BitOrder::big;
};
template <std::same_as<PackbitsOptions> O = PackbitsOptions>
ndarray packbits(const ndarray& a, O options) {
  return packbits(a, internal::take_axis(options.axis), options.bitorder);
}

/// Options of unpackbits.
struct UnpackbitsOptions {
  Axes axis = Axes::missing();
  /// So many bits along the axis: filled up with zeros, or cut off; a negative count is what is cut
  /// off. All of them unless given.
  std::optional<std::int64_t> count = {};
  Choice<BitOrder> bitorder = BitOrder::big;
};
/// The bits of bytes (uint8) along the axis as numbers 0 and 1; without an axis, of the flattened
/// array. Throws TypeError for other dtypes, ValueError for cutting off more than there is.
CUPYXX_API ndarray unpackbits(const ndarray& a, const Axes& axis = {},
                              const UnpackbitsOptions& options = {});
template <std::same_as<UnpackbitsOptions> O = UnpackbitsOptions>
ndarray unpackbits(const ndarray& a, O options) {
  return unpackbits(a, internal::take_axis(options.axis), options);
}

}  // namespace cupyxx
