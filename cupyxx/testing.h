// SPDX-License-Identifier: MIT
// Checks for programs and tests, with the texts of numpy.testing (1.24). Arrays of devices are
// copied to the host. Not part of cupyxx.h: the library is //cupyxx:testing.
//
//   cupyxx::testing::assert_allclose(actual, desired, 1e-5);
#pragma once

#include <string>
#include <string_view>
#include <typeinfo>

#include "cupyxx/error.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::testing {

/// What the checks throw.
class CUPYXX_API AssertionError : public Error {
 public:
  using Error::Error;
  ~AssertionError() override;
};

/// Options of most checks.
struct AssertOptions {
  std::string err_msg = {};  ///< stands in the text, too
  bool verbose = true;       ///< false: without the arrays
};
/// Options of assert_array_equal.
struct AssertEqualOptions {
  std::string err_msg = {};
  bool verbose = true;
  bool strict = false;  ///< dtypes agree, and a number is no array of its equals
};
/// Options of assert_allclose.
struct AssertAllcloseOptions {
  double rtol = 1e-7;
  double atol = 0;
  bool equal_nan = true;
  std::string err_msg = {};
  bool verbose = true;
};

/// Shapes agree, or one is a number, and all elements are equal; NaN where NaN is.
CUPYXX_API void assert_array_equal(const Operand& x, const Operand& y,
                                   const AssertEqualOptions& options = {});
/// The same; two numbers are named ACTUAL and DESIRED.
CUPYXX_API void assert_equal(const Operand& actual, const Operand& desired,
                             const AssertOptions& options = {});
/// |actual - desired| <= atol + rtol * |desired| everywhere.
CUPYXX_API void assert_allclose(const Operand& actual, const Operand& desired, double rtol = 1e-7,
                                double atol = 0, const AssertOptions& options = {});
template <class = void>
void assert_allclose(const Operand& actual, const Operand& desired,
                     const AssertAllcloseOptions& options);
/// |x - y| < 1.5 * 10 ** -decimal everywhere.
CUPYXX_API void assert_array_almost_equal(const Operand& x, const Operand& y, int decimal = 6,
                                          const AssertOptions& options = {});
/// The same; two numbers are named ACTUAL and DESIRED.
CUPYXX_API void assert_almost_equal(const Operand& actual, const Operand& desired, int decimal = 7,
                                    const AssertOptions& options = {});
/// Two numbers agree in so many significant digits.
CUPYXX_API void assert_approx_equal(double actual, double desired, int significant = 7,
                                    const AssertOptions& options = {});
/// x < y everywhere.
CUPYXX_API void assert_array_less(const Operand& x, const Operand& y,
                                  const AssertOptions& options = {});
/// No two elements are further apart than so many neighbouring floating numbers; returns the
/// distances (float64). Throws TypeError for other dtypes than float16, float32 and float64.
CUPYXX_API ndarray assert_array_max_ulp(const ndarray& a, const ndarray& b, double maxulp = 1);
/// |x - y| <= nulp * spacing(max(|x|, |y|)) everywhere.
CUPYXX_API void assert_array_almost_equal_nulp(const ndarray& x, const ndarray& y, int nulp = 1);
/// Two texts are equal.
CUPYXX_API void assert_string_equal(std::string_view actual, std::string_view desired);
/// A condition holds. (NumPy's `assert_`.)
CUPYXX_API void assert_(bool condition, const std::string& msg = {});

namespace internal {
CUPYXX_API std::string readable_name(const char* mangled);
[[noreturn]] CUPYXX_API void throw_not_raised(const char* expected);
CUPYXX_API void check_match(const std::string& text, const std::string& expected_regex);
CUPYXX_API void assert_allclose_with(const Operand& actual, const Operand& desired,
                                     const AssertAllcloseOptions& options);
}  // namespace internal

/// `call()` throws an E, which is returned. Other exceptions pass.
template <class E, class Call>
E assert_raises(Call&& call) {
  try {
    call();
  } catch (const E& error) {
    return error;
  }
  internal::throw_not_raised(typeid(E).name());
}
/// The same, with a text in which a regular expression (ECMAScript) is found.
template <class E, class Call>
E assert_raises_regex(const std::string& expected_regex, Call&& call) {
  try {
    call();
  } catch (const E& error) {
    internal::check_match(error.what(), expected_regex);
    return error;
  }
  internal::throw_not_raised(typeid(E).name());
}

template <class>
void assert_allclose(const Operand& actual, const Operand& desired,
                     const AssertAllcloseOptions& options) {
  internal::assert_allclose_with(actual, desired, options);
}

}  // namespace cupyxx::testing

namespace cupyxx {
using testing::AssertionError;
}  // namespace cupyxx
