// SPDX-License-Identifier: MIT
// Drawn shapes, and what a device makes of them beside the host in float64.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <random>
#include <string>

#include "cupyxx/device.h"
#include "cupyxx/ndarray.h"

namespace conformance {

/// Draws arguments on the host and judges results. Kernels are chosen by shape and kept, so that
/// shapes far apart come one after the other.
class Beside {
 public:
  Beside(cupyxx::Device device, std::uint64_t seed, std::ostream& out);

  cupyxx::Device device() const { return device_; }
  std::int64_t compared() const { return compared_; }
  std::int64_t differing() const { return differing_; }

  /// From 0 to `last`, all as often.
  std::int64_t number(std::int64_t last);
  bool chance(std::int64_t one_in) { return number(one_in - 1) == 0; }
  /// From `first` to `last`, small ones as often as large ones; many are multiples of 32.
  std::int64_t extent(std::int64_t first, std::int64_t last);
  /// Normal numbers on the host; of an integer dtype their tenfold, of bool which are positive.
  cupyxx::ndarray normal(const cupyxx::Shape& shape, cupyxx::dtype type = cupyxx::float32);

  /// Whether shapes are equal and no element differs by more than `bound` times the largest
  /// expected one, or `usual` where that is larger: single sums may nearly vanish. Prints a line if
  /// not.
  void compare(const std::string& what, const cupyxx::ndarray& found,
               const cupyxx::ndarray& expected, double bound, double usual = 0);

 private:
  cupyxx::Device device_;
  std::mt19937_64 bits_;
  std::ostream& out_;
  std::int64_t compared_ = 0, differing_ = 0;
};

/// One turn of each.
void compare_products(Beside& beside);
void compare_routines(Beside& beside);
void compare_layers(Beside& beside);

/// So many turns of all. Returns how many results differ.
std::int64_t compare_shapes(Beside& beside, std::int64_t turns);

}  // namespace conformance
