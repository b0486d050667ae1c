// SPDX-License-Identifier: MIT
// Data that a network learns from: examples by their numbers. A dataset of one's own:
//
//   struct Squares final : chainerxx::datasets::Dataset {
//     std::int64_t size() const override { return 100; }
//     Example get_example(std::int64_t i) const override { return {cp::array(i), cp::array(i * i)};
//     }
//   };
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/scalar.h"

namespace chainerxx::internal {
/// A variable, which this library does not know.
template <class T>
concept VariableLike = !std::derived_from<T, cupyxx::ndarray> && requires(const T& x) {
  { x.data() } -> std::convertible_to<const cupyxx::ndarray&>;
  x.creator();
};
/// What an example may be made of.
template <class T>
concept ExamplePart = std::derived_from<T, cupyxx::ndarray> || std::is_arithmetic_v<T> ||
    cupyxx::internal::HostNumbers<T>;
template <class...>
inline constexpr bool kNoExample = false;

CUPYXX_API cupyxx::ndarray example_number(const cupyxx::Scalar& number, cupyxx::dtype dtype);
template <ExamplePart T>
cupyxx::ndarray example_array(const T& part) {
  if constexpr (std::is_arithmetic_v<T>) {
    return example_number(part, cupyxx::dtype_of<T>());
  } else if constexpr (cupyxx::internal::HostNumbers<T>) {
    return cupyxx::Operand(part).array();
  } else {
    return part;
  }
}
}  // namespace chainerxx::internal

namespace chainerxx::datasets {

using cupyxx::ndarray;

/// What belongs together: an image and its label, a std::vector whose places are looked at. One
/// without arrays stands for an example that cannot be read and is left out. Numbers become arrays
/// without axes, std::vectors of numbers such of one axis, of their C++ types: `return {image,
/// label};`, and so do those of pairs and tuples.
struct CUPYXX_API Example : std::vector<ndarray> {
  Example() = default;
  Example(std::initializer_list<ndarray> arrays) : vector(arrays) {}
  Example(std::vector<ndarray> arrays)  // NOLINT(google-explicit-constructor)
      : vector(std::move(arrays)) {}
  template <std::input_iterator I>
  Example(I first, I last) : vector(first, last) {}
  template <internal::ExamplePart A>
  Example(const A& part) : vector{internal::example_array(part)} {}  // NOLINT
  /// `return {image, label};` of arrays and numbers.
  template <internal::ExamplePart A, internal::ExamplePart B, internal::ExamplePart... More>
  Example(const A& first, const B& second, const More&... more)
      : vector{internal::example_array(first), internal::example_array(second),
               internal::example_array(more)...} {}
  template <internal::ExamplePart A, internal::ExamplePart B>
  Example(const std::pair<A, B>& parts)  // NOLINT(google-explicit-constructor)
      : Example(parts.first, parts.second) {}
  template <internal::ExamplePart... A>
  Example(const std::tuple<A...>& parts)  // NOLINT(google-explicit-constructor)
      : vector(std::apply(
            [](const A&... part) { return std::vector<ndarray>{internal::example_array(part)...}; },
            parts)) {}
  /// Variables are no examples: nothing keeps their graph.
  template <class... V>
  requires(internal::VariableLike<V> || ...)
      Example(const V&...) {  // NOLINT(google-explicit-constructor)
    static_assert(internal::kNoExample<V...>,
                  "examples are arrays, without gradients: write x.data() for a variable");
  }
  template <internal::VariableLike V>
  Example(const std::vector<V>&) {  // NOLINT(google-explicit-constructor)
    static_assert(internal::kNoExample<V>,
                  "examples are arrays, without gradients: write x.data() for a variable");
  }

  /// The array at a place. Throws IndexError where there is none.
  const ndarray& operator[](std::size_t i) const& {
    if (i >= size()) refuse(i);
    return vector::operator[](i);
  }
  ndarray& operator[](std::size_t i) & {
    if (i >= size()) refuse(i);
    return vector::operator[](i);
  }
  /// By value of a temporary: `for (auto row : dataset[0][0])`.
  ndarray operator[](std::size_t i) && {
    if (i >= size()) refuse(i);
    return std::move(vector::operator[](i));
  }

 private:
  [[noreturn]] void refuse(std::size_t i) const;
};

/// Base of all datasets. Iterators that work in threads call get_example from several at once.
class CUPYXX_API Dataset {
 public:
  virtual ~Dataset();
  /// How many examples there are.
  virtual std::int64_t size() const = 0;
  /// The example of a number that is at least 0 and below size().
  virtual Example get_example(std::int64_t i) const = 0;
  /// Arrays of several examples at once, each with the examples along its first axis, where that is
  /// faster than one by one; else nothing.
  virtual std::vector<ndarray> get_columns(std::span<const std::int64_t> numbers) const;

  /// An example; -1 is the last one. Throws IndexError.
  Example operator[](std::int64_t i) const;
};

/// A dataset as an argument: any dataset is taken by value, and shared by what is made of it.
class CUPYXX_API DatasetRef {
 public:
  template <std::derived_from<Dataset> D>
  DatasetRef(D dataset)  // NOLINT(google-explicit-constructor)
      : dataset_(std::make_shared<D>(std::move(dataset))) {}
  /// Throws ValueError for a null pointer.
  template <std::derived_from<Dataset> D>
  DatasetRef(std::shared_ptr<D> dataset)  // NOLINT(google-explicit-constructor)
      : dataset_(check(std::move(dataset))) {}

  const Dataset& operator*() const { return *dataset_; }
  const Dataset* operator->() const { return dataset_.get(); }

 private:
  static std::shared_ptr<const Dataset> check(std::shared_ptr<const Dataset> dataset);

  std::shared_ptr<const Dataset> dataset_;
};

/// Random numbers of one example in one pass over the data: what an iterator draws depends on its
/// seed and on how many examples came before, not on the thread that makes the example.
class CUPYXX_API ExampleRandom {
 public:
  ExampleRandom(std::uint64_t seed, std::uint64_t draw);
  /// 64 random bits.
  std::uint64_t next();
  /// A number of [0, 1).
  double uniform();
  /// A number of the normal distribution of mean 0 and deviation 1.
  double normal();
  /// An integer of [0, n); ValueError for an n below 1.
  std::int64_t below(std::int64_t n);

 private:
  std::uint64_t state_;
};

/// Those of the example that this thread makes at present; outside of an iterator, of seed 0.
CUPYXX_API ExampleRandom& example_random();

/// Lets example_random() start anew, until the scope ends. Iterators open one for each example.
class CUPYXX_API ExampleRandomScope {
 public:
  ExampleRandomScope(std::uint64_t seed, std::uint64_t draw);
  ~ExampleRandomScope();
  ExampleRandomScope(const ExampleRandomScope&) = delete;
  ExampleRandomScope& operator=(const ExampleRandomScope&) = delete;

 private:
  ExampleRandom previous_;
};

}  // namespace chainerxx::datasets
