// SPDX-License-Identifier: MIT
// What the driver test is made of: values of any dtype on the host, the reference result of an
// operation, and the comparison. Knows dtypes at run time only, so it compiles once.
#pragma once

#include <span>
#include <vector>

#include "cupyxx/ndarray.h"
#include "cupyxx/ops/case.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::ops {

struct ComplexCase;

/// One element: `real` for floating dtypes, with `imaginary` for complex ones, `integer` for the
/// others.
struct Value {
  Real real = 0;
  Real imaginary = 0;
  Integer integer = 0;
  bool is_defined = true;  // else a reference does not know it
};
using Values = std::vector<Value>;

/// All operations of the library with their rows: the ufuncs, and where, clip and copy.
struct Operation {
  const ufunc* function;
  const Case* row;
  const ComplexCase* complex_row;  // null where there are no complex loops
};
std::span<const Operation> operations();

/// `n` values of a dtype for operand `index` of an operation: special ones, then ordinary ones of
/// the rows' ranges. The values are exact in the dtype.
Values sample(const Operation& operation, int index, dtype type, std::size_t n);
/// A 1-D array of the current device with these elements, and back. Values that do not fit wrap
/// or round.
ndarray upload(const Values& values, dtype type);
Values download(const ndarray& array);

/// The reference of output `k` of one loop, before it is rounded to its dtype.
Value reference(const Operation& operation, int loop, int k, std::span<const Value> inputs);

/// Whether `actual` is an acceptable `stored` of a result that was computed as `computed`.
bool agrees(const Operation& operation, const Value& actual, const Value& expected, dtype computed,
            dtype stored, bool from_complex);

/// A value in a message.
std::string text(const Value& value, dtype type);

}  // namespace cupyxx::ops
