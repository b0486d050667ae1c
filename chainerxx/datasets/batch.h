// SPDX-License-Identifier: MIT
// What iterators give, and arrays made of it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/datasets/dataset.h"
#include "cupyxx/device.h"

namespace chainerxx {

namespace datasets {

/// Several examples: one by one, or joined into arrays already.
class CUPYXX_API Batch {
 public:
  Batch() = default;
  explicit Batch(std::vector<Example> examples);
  /// Of arrays whose first axis is that of the examples.
  static Batch of_columns(std::vector<ndarray> columns);

  std::int64_t size() const;
  /// One example, of joined arrays the views. Throws IndexError.
  Example operator[](std::int64_t i) const;
  /// Whether there are arrays of all examples.
  bool is_joined() const { return !columns_.empty(); }
  const std::vector<ndarray>& columns() const& { return columns_; }
  const std::vector<Example>& examples() const& { return examples_; }
  /// By value of a temporary: `for (auto& a : iterator.next().columns())`.
  std::vector<ndarray> columns() && { return std::move(columns_); }
  std::vector<Example> examples() && { return std::move(examples_); }

 private:
  std::vector<Example> examples_;
  std::vector<ndarray> columns_;
};

/// These examples, joined where all have the same shapes, dtypes and devices.
CUPYXX_API Batch joined_batch(std::vector<Example> examples);

/// The examples of these numbers, with the random numbers of a seed from the draw `first_draw` on.
/// Those that cannot be read are left out. Joined as joined_batch does it.
CUPYXX_API Batch make_batch(const Dataset& dataset, std::span<const std::int64_t> numbers,
                            std::uint64_t seed, std::uint64_t first_draw);

}  // namespace datasets

namespace internal {
/// get_columns of the examples. Throws ValueError for what has not a row for each.
CUPYXX_API std::vector<cupyxx::ndarray> columns_of(const datasets::Dataset& dataset,
                                                   std::span<const std::int64_t> numbers);
}  // namespace internal

/// A device as an option: nothing, a device, or Chainer's number, of which a negative one is the
/// host and another one a CUDA device.
struct DeviceArg : std::optional<cupyxx::Device> {
  using optional::optional;
  DeviceArg(int number)  // NOLINT(google-explicit-constructor)
      : optional(number < 0 ? cupyxx::Device::cpu() : cupyxx::Device::cuda(number)) {}
};

/// What fills shorter arrays as an option: one number for all arrays of an example, or one for
/// each.
struct PaddingArg : std::vector<double> {
  using vector::vector;
  PaddingArg(std::vector<double> numbers)  // NOLINT(google-explicit-constructor)
      : vector(std::move(numbers)) {}
  template <class N>
  requires(std::is_arithmetic_v<N> && !std::is_same_v<N, bool>)
      PaddingArg(N number)  // NOLINT(google-explicit-constructor)
      : vector(1, static_cast<double>(number)) {}
};

/// Options of concat_examples.
struct ConcatOptions {
  DeviceArg device = {};  ///< where the arrays go; unless given where they are
  /// What fills arrays up to the largest extents of the batch: one number for all arrays or one for
  /// each. None: different shapes are an error.
  PaddingArg padding = {};
};

/// One array for each part of the examples, the examples along a new first axis. What is written to
/// them does not reach the dataset. Throws ValueError for no examples, examples with different
/// numbers of arrays, and numbers of padding that do not fit or that integers to be padded cannot
/// hold; ShapeError for different shapes without padding or for different ranks; DtypeError for
/// different dtypes.
CUPYXX_API std::vector<cupyxx::ndarray> concat_examples(const datasets::Batch& batch,
                                                        const ConcatOptions& options = {});
/// The same of examples.
CUPYXX_API std::vector<cupyxx::ndarray> concat_examples(
    const std::vector<datasets::Example>& examples, const ConcatOptions& options = {});
/// Of examples that are one array each, one array.
CUPYXX_API cupyxx::ndarray concat_examples(const std::vector<cupyxx::ndarray>& examples,
                                           const ConcatOptions& options = {});
inline cupyxx::ndarray concat_examples(std::initializer_list<cupyxx::ndarray> examples,
                                       const ConcatOptions& options = {}) {
  return concat_examples(std::vector<cupyxx::ndarray>(examples), options);
}

/// Chainer's place of these names.
namespace dataset {
using chainerxx::concat_examples;
}  // namespace dataset

}  // namespace chainerxx
