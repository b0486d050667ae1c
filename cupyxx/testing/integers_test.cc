// SPDX-License-Identifier: MIT
// Integers in argument lists, counts, axes, shifts and extents, are integers: floating numbers,
// which C++ would cut to them without a word, truth values and characters do not compile in any
// place of any public routine (`integer_rows.inc`, whose rows tools/checks/options.sh compares with
// the headers), and C++'s integers and enumerators do.
#include <complex>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/dependent_values.h"

namespace cupyxx {
namespace {

using namespace testing;

enum Plain { kOne = 1 };

template <class A>
Dependent<A, ndarray&> object();
template <class A>
Dependent<A, const ufunc&> operation();
template <class A>
Dependent<A, random::RandomState&> state();
// What is tried in the place of an integer.
template <class A, class T>
Dependent<A, T> tried();

template <class A>
struct Tag {};

#define ROW(...)                                       \
  static_assert(                                       \
      []<class A>(Tag<A>) {                            \
        return kCompiles == requires { __VA_ARGS__; }; \
      }(Tag<ndarray>{}),                               \
      #__VA_ARGS__);
#define W tried<A, Type>()

namespace with_int {
using Type = int;
constexpr bool kCompiles = true;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_int
namespace with_long {
using Type = long;
constexpr bool kCompiles = true;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_long
namespace with_size {
using Type = std::size_t;
constexpr bool kCompiles = true;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_size
namespace with_short {
using Type = short;
constexpr bool kCompiles = true;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_short
namespace with_enumerator {
using Type = Plain;
constexpr bool kCompiles = true;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_enumerator
namespace with_double {
using Type = double;
constexpr bool kCompiles = false;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_double
namespace with_float {
using Type = float;
constexpr bool kCompiles = false;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_float
namespace with_long_double {
using Type = long double;
constexpr bool kCompiles = false;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_long_double
namespace with_bool {
using Type = bool;
constexpr bool kCompiles = false;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_bool
namespace with_char {
using Type = char;
constexpr bool kCompiles = false;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_char
namespace with_half {
using Type = half;
constexpr bool kCompiles = false;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_half
namespace with_complex {
using Type = std::complex<double>;
constexpr bool kCompiles = false;
#include "cupyxx/testing/integer_rows.inc"
}  // namespace with_complex

}  // namespace
}  // namespace cupyxx

int main() {}
