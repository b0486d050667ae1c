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
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::datasets {

using cupyxx::ndarray;

/// What belongs together: an image and its label, a std::vector whose places are looked at. One
/// without arrays stands for an example that cannot be read and is left out.
struct CUPYXX_API Example : std::vector<ndarray> {
  using vector::vector;
  Example(std::vector<ndarray> arrays)  // NOLINT(google-explicit-constructor)
      : vector(std::move(arrays)) {}

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
