// SPDX-License-Identifier: MIT
// Printing of arrays of any bytes with any options, and of single numbers.
#include <cmath>
#include <cstdlib>

#include "cupyxx/creation.h"
#include "cupyxx/interop.h"
#include "cupyxx/printing.h"
#include "cupyxx/testing/fuzz/target.h"

namespace cupyxx::fuzz {
namespace {

template <class T>
std::optional<T> maybe(Input& input) {
  if (!input.flag()) return {};
  // Widths and digits are paid for by who asks for them.
  return static_cast<T>(input.flag() ? input.between(-2, 40) : input.take<std::int16_t>());
}

void print_number(Input& input) {
  const auto x = input.take<double>();
  const FloatTextOptions options = {.precision = static_cast<int>(input.between(-2, 60)),
                                    .unique = input.flag(),
                                    .fractional = input.flag(),
                                    .trim = "k.0-x"[input.between(0, 4)],
                                    .sign = input.flag(),
                                    .pad_left = static_cast<int>(input.between(-2, 60)),
                                    .pad_right = static_cast<int>(input.between(-2, 60)),
                                    .exp_digits = static_cast<int>(input.between(-2, 9)),
                                    .min_digits = static_cast<int>(input.between(-2, 60))};
  attempt([&] { format_float_positional(x, options); });
  attempt([&] { format_float_scientific(x, options); });
  attempt([&] { format_float_scientific(static_cast<float>(x), options); });
  for (const std::string& text : {format_float_positional(x), format_float_scientific(x)}) {
    const double again = std::strtod(text.c_str(), nullptr);
    if (again != x && !(std::isnan(again) && std::isnan(x))) {
      fail("printing: " + text + " reads as another number");
    }
  }
}

void run(std::string_view bytes) {
  Input input(bytes);
  print_number(input);
  PrintOptions options = {.max_line_width = maybe<int>(input),
                          .precision = maybe<int>(input),
                          .suppress_small = maybe<bool>(input),
                          .threshold = maybe<std::int64_t>(input),
                          .edgeitems = maybe<std::int64_t>(input)};
  const cupyxx::dtype dtype = input.dtype(cupyxx::dtype::kCount);
  std::vector<std::int64_t> extents(static_cast<std::size_t>(input.between(0, 3)));
  for (std::int64_t& extent : extents) extent = input.between(0, 6);
  const ArrayFrame frame = {.separator = std::string(input.until('\n')),
                            .prefix = std::string(input.until('\n')),
                            .suffix = std::string(input.until('\n'))};
  const std::string_view elements = input.rest();
  const ndarray a = zeros(Shape(extents), dtype);
  const std::size_t whole = elements.size() - elements.size() % 16;  // of every dtype
  ndarray b = frombuffer(std::span(elements.data(), whole), uint8).copy();
  if (!dtype.is_bool()) b = b.view(dtype);
  for (const ndarray& array : {a, b}) {
    for (const ndarray& shown : {array, array.reshape({-1, 1})}) {
      std::string text;
      attempt([&] { text = array2string(shown, options, frame); });
      attempt([&] { text = array_repr(shown, options); });
      attempt([&] { text = array_str(shown, options); });
      if (attempt([&] { text = array_str(shown); }) && text.empty()) fail("printing: no text");
    }
  }
}

const Target printing("printing", &run);

}  // namespace
}  // namespace cupyxx::fuzz
