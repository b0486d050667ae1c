// SPDX-License-Identifier: MIT
// Values for calls that may not compile, in the rows of options_test and integers_test.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "cupyxx/cupyxx.h"

namespace cupyxx::testing {

/// Values whose types depend on a template parameter: then a call that does not compile is an
/// answer, and no error.
template <class A, class T>
using Dependent = std::conditional_t<sizeof(A) != 0, T, A>;
template <class A>
Dependent<A, const ndarray&> arr();
template <class A>
Dependent<A, const std::vector<ndarray>&> list();
template <class A>
Dependent<A, const Shape&> extents();
template <class A>
Dependent<A, int> num();
template <class A>
Dependent<A, double> real();
template <class A>
Dependent<A, bool> flag();
template <class A>
Dependent<A, dtype> type();
template <class A>
Dependent<A, std::string> text();
template <class A>
Dependent<A, slice> range();
template <class A>
Dependent<A, std::vector<std::int64_t>> numbers();

}  // namespace cupyxx::testing
