// SPDX-License-Identifier: MIT
// The rows of benchmarks/numpy_matrix.py: each names a routine of docs/numpy.md, says what NumPy is
// given in Python's words, and does the same here.
#pragma once

#include <cstdint>
#include <span>

#include "cupyxx/cupyxx.h"

namespace benchmarks::numpy_rows {

using namespace cupyxx;  // rows read like NumPy

/// The arrays of one size, called the same on both sides; numpy_matrix.py has the same lines.
struct Data {
  std::int64_t n;  // elements
  std::int64_t r;  // rows and columns of a matrix of about n elements
  ndarray a, b;    // float64 in [0, 1)
  ndarray f, g;    // float32
  ndarray i, j;    // int64 in [1, 100)
  ndarray k;       // int64 in [0, 10)
  ndarray idx;     // int64 in [0, n)
  ndarray m;       // bool, half of them true
  ndarray c, e;    // complex128
  ndarray u;       // uint8
  ndarray s;       // float64, sorted
  ndarray z;       // float64, every tenth is NaN
  ndarray w;       // float64, to be written
  ndarray A, B;    // float64, r x r
  ndarray W;       // the same, to be written
  ndarray K;       // int64, r x r
  ndarray S;       // matrices: r x r up to 10^5 elements, then 100 x 100 of them
  ndarray P;       // symmetric, positive definite ones
  ndarray R;       // right-hand sides
  ndarray T;       // n / 3 vectors
  ndarray xp, fp;  // a thousand points of a line
  ndarray v;       // 50 weights
  ndarray p;       // 10 coefficients
  ndarray q;       // a thousand of the integers below 10,000
  ndarray l;       // int64 in [0, 10,000)
  ndarray h;       // float16
  ndarray x;       // complex64
  ndarray t;       // int8
  ndarray o;       // int32 in [1, 100)
  ndarray C;       // float64, n / 100 x 10 x 10
  ndarray M;       // bool, r x r, half of them true
  ndarray m1;      // bool, every hundredth is true

  explicit Data(std::int64_t elements);
};

struct Row {
  const char* name;
  const char* numpy;  // an expression in Python
  double most;        // elements beyond which a row would take minutes
  void (*call)(const Data&);
};

/// The rows, chapter by chapter.
std::span<const Row> array_rows();
std::span<const Row> creation_rows();
std::span<const Row> manipulation_rows();
std::span<const Row> mathematics_rows();
std::span<const Row> linear_algebra_rows();
std::span<const Row> sorting_rows();
std::span<const Row> layout_rows();

}  // namespace benchmarks::numpy_rows

#define ROW_UP_TO(most, name, numpy, ...)                                                          \
  {                                                                                                \
    name, numpy, most, [](const Data& d) { static_cast<void>(d), static_cast<void>(__VA_ARGS__); } \
  }
#define ROW(name, numpy, ...) ROW_UP_TO(1e7, name, numpy, __VA_ARGS__)
