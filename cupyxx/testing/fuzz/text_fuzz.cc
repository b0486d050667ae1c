// SPDX-License-Identifier: MIT
// Tables and lists of numbers as text. The first lines of an input are options: numbers, the
// delimiter, the mark of comments, a text that is missing, a format; the table follows.
#include <sstream>

#include "cupyxx/creation.h"
#include "cupyxx/io.h"
#include "cupyxx/logic.h"
#include "cupyxx/testing/fuzz/target.h"

namespace cupyxx::fuzz {
namespace {

/// Whether two arrays hold the same numbers, NaN being one of them.
bool same_numbers(const ndarray& a, const ndarray& b) {
  return array_equal(a, b, !a.dtype().is_integer() && !a.dtype().is_bool());
}

void round_trip(const ndarray& table) {
  if (table.dtype() != float64 || table.size() == 0 || table.ndim() < 1 || table.ndim() > 2) return;
  std::stringstream stream;
  savetxt(stream, table);
  const ndarray again = loadtxt(stream, {.ndmin = 2});
  if (!same_numbers(again.reshape(table.shape()), table)) {
    fail("text: what is written reads as other numbers");
  }
}

void run(std::string_view bytes) {
  Input input(bytes);
  Input numbers(input.until('\n'));
  const std::string delimiter(input.until('\n')), comments(input.until('\n'));
  const std::string missing(input.until('\n')), format(input.until('\n'));
  const std::string table(input.rest());

  const cupyxx::dtype dtype = numbers.flag() ? numbers.dtype() : float64;
  const std::int64_t skip = numbers.between(0, 2), count = numbers.between(0, 7) - 1;
  const bool unpack = numbers.flag(), loose = numbers.flag(), invalid_raise = numbers.flag();
  const int ndmin = static_cast<int>(numbers.between(0, 3));
  std::vector<std::int64_t> columns;
  if (numbers.flag()) columns = {numbers.number(), numbers.number()};

  ndarray a;
  attempt([&] {
    std::istringstream stream(table);
    a = loadtxt(stream, {.dtype = dtype,
                         .comments = comments,
                         .delimiter = delimiter,
                         .skiprows = skip,
                         .usecols = columns,
                         .unpack = unpack,
                         .ndmin = ndmin,
                         .max_rows = count});
  });
  if (!a.is_none()) round_trip(a);

  ndarray b;
  attempt([&] {
    std::istringstream stream(table);
    b = genfromtxt(stream, {.dtype = dtype,
                            .comments = comments,
                            .delimiter = delimiter,
                            .skip_header = skip,
                            .skip_footer = numbers.between(0, 2),
                            .missing_values = {missing},
                            .filling_values = {},
                            .usecols = columns,
                            .unpack = unpack,
                            .loose = loose,
                            .invalid_raise = invalid_raise,
                            .max_rows = count,
                            .ndmin = ndmin});
  });
  if (!b.is_none()) round_trip(b);

  attempt([&] { fromstring(table, dtype, count, delimiter); });
  attempt([&] { fromfile(write_file("a.txt", table), dtype, {.count = count, .sep = delimiter}); });

  // A format is a program of its own kind.
  attempt([&] {
    std::ostringstream stream;
    savetxt(stream, b.is_none() ? ones({2, 2}) : b, {.fmt = format, .delimiter = delimiter});
  });
}

const Target text("text", &run);

}  // namespace
}  // namespace cupyxx::fuzz
