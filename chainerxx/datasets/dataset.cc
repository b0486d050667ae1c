// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/dataset.h"

#include <cmath>
#include <numbers>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {

cupyxx::ndarray example_number(const cupyxx::Scalar& number, cupyxx::dtype dtype) {
  return cupyxx::array(number, dtype);
}

}  // namespace chainerxx::internal

namespace chainerxx::datasets {
namespace {

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

thread_local ExampleRandom random_of_thread(0, 0);

}  // namespace

Dataset::~Dataset() = default;

std::vector<ndarray> Dataset::get_columns(std::span<const std::int64_t> /*numbers*/) const {
  return {};
}

Example Dataset::operator[](std::int64_t i) const {
  const std::int64_t count = size(), at = i < 0 ? i + count : i;
  if (at < 0 || at >= count) {
    throw cupyxx::IndexError(
        cupyxx::message("dataset: example ", i, " is out of bounds for ", count, " examples"));
  }
  return get_example(at);
}

std::shared_ptr<const Dataset> DatasetRef::check(std::shared_ptr<const Dataset> dataset) {
  if (dataset == nullptr) throw cupyxx::ValueError("dataset: the pointer is null");
  return dataset;
}

void Example::refuse(std::size_t i) const {
  if (empty()) {
    throw cupyxx::IndexError(cupyxx::message("example: there is no array ", i,
                                             "; the example has none, since it could not be read"));
  }
  throw cupyxx::IndexError(cupyxx::message("example: there is no array ", i, " of ", size()));
}

ExampleRandom::ExampleRandom(std::uint64_t seed, std::uint64_t draw)
    : state_(mixed(mixed(seed) + draw * 0x9e3779b97f4a7c15u)) {}

std::uint64_t ExampleRandom::next() { return mixed(state_ += 0x9e3779b97f4a7c15u); }

double ExampleRandom::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));  // Box and Muller
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

double ExampleRandom::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::int64_t ExampleRandom::below(std::int64_t n) {
  if (n < 1) throw cupyxx::ValueError(cupyxx::message("ExampleRandom: no integers below ", n));
  // The upper part of a product; what would make some integers likelier is drawn again (Lemire).
  const auto bound = static_cast<std::uint64_t>(n);
  for (;;) {
    const auto product = static_cast<unsigned __int128>(next()) * bound;
    const auto low = static_cast<std::uint64_t>(product);
    if (low >= bound || low >= -bound % bound) return static_cast<std::int64_t>(product >> 64);
  }
}

ExampleRandom& example_random() { return random_of_thread; }

ExampleRandomScope::ExampleRandomScope(std::uint64_t seed, std::uint64_t draw)
    : previous_(random_of_thread) {
  random_of_thread = ExampleRandom(seed, draw);
}

ExampleRandomScope::~ExampleRandomScope() { random_of_thread = previous_; }

}  // namespace chainerxx::datasets
