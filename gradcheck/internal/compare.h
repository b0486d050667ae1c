// SPDX-License-Identifier: MIT
// Element-by-element comparison on the host.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <string>

#include "cupyxx/shape.h"
#include "gradcheck/mismatch.h"

namespace gradcheck::internal {

/// The element with the largest excess of |actual - expected| over atol + rtol * |expected|, or
/// nothing when none exceeds it. NaN equals NaN, an infinity equals itself.
std::optional<Mismatch::Element> find_worst(std::span<const double> actual,
                                            std::span<const double> expected,
                                            const cupyxx::Shape& shape, double atol, double rtol);

/// The same of complex elements, by their magnitudes.
std::optional<Mismatch::Element> find_worst(std::span<const std::complex<double>> actual,
                                            std::span<const std::complex<double>> expected,
                                            const cupyxx::Shape& shape, double atol, double rtol);

/// Throws ValueError, naming the operation, for a number in `no_grad` that no input has.
void check_input_numbers(const char* operation, std::span<const int> no_grad, std::size_t inputs);

/// The index of an element in C order.
cupyxx::Shape unravel(std::int64_t flat, const cupyxx::Shape& shape);

/// The shortest text that reads back to the number.
std::string text_of(double value);

/// "3 of 12 elements differ; at (1, 2): 0.5 and 0.25, difference 0.25, tolerance 3.5e-05"; complex
/// numbers as (1+2j).
std::string describe(const Mismatch::Element& worst, const cupyxx::Shape& shape,
                     const std::string& actual_name = "", const std::string& expected_name = "");

}  // namespace gradcheck::internal
