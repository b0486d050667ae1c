// SPDX-License-Identifier: MIT
// What the chapters use to make and write arrays.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cupyxx/core/body.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {
namespace ops {
struct Clip;
struct Copy;
struct NanToNum;
struct Where;
}  // namespace ops

namespace internal {

/// A C-contiguous array with unset elements. Throws ValueError, naming `operation`, for negative
/// extents and sizes beyond 64 bits.
ndarray make_array(const char* operation, const Shape& shape, dtype type, Device device);
/// The same in an order; A and K look at the array `like`.
ndarray make_ordered(const char* operation, const Shape& shape, dtype type, Device device,
                     Order order, const ndarray& like = {});
/// Whether an array already lies in an order; one lies in its own (K) always.
bool has_order(const ndarray& a, Order order);
/// The routine full in the name of another operation.
ndarray filled(const char* operation, const Shape& shape, const Operand& value, dtype type);
/// An array over the memory of `base`, starting at `data`.
ndarray make_view(const ndarray& base, char* data, dtype type, const Shape& shape,
                  const Strides& strides);

/// The array itself. A named element becomes a place in its array again, to be written to: reads of
/// it compare nothing (element.cc).
inline const ndarray& place(const ndarray& a) {
  if (a.handle() != nullptr) make_live(a.handle());
  return a;
}

/// Throws ValueError, naming `operation`, where elements would not lie at multiples of their size
/// (of half of it for complex numbers): no loop and no kernel reads such.
void check_aligned(const char* operation, const char* data, dtype type, const Shape& shape,
                   const Strides& strides);

/// a.reduced_view() with the bytes read as another dtype, where one is given.
ndarray reduced_view(const ndarray& a, dtype type);

/// Writes `source`, broadcast and cast, into `target`, from any device; `where` may be null.
/// `operation` names the caller in messages.
void assign(const char* operation, const ndarray& target, const Operand& source,
            Casting casting = Casting::unsafe, const ndarray& where = {});

/// What is asked of an array given as `out`, before anything is written: the result's shape,
void check_out_shape(std::string_view operation, const ndarray& out, const Shape& shape);
/// a dtype that the result `fits` by a rule, which the text names where it is the caller's choice,
void check_out_cast(std::string_view operation, const ndarray& out, dtype computed, bool fits,
                    std::optional<Casting> rule = {});
/// and memory that may be written.
void check_out_writeable(std::string_view operation, const ndarray& out);
/// The same of an array `what` into which results go as they are: it has this shape, this dtype
/// (any where none is given), lies on this device and may be written.
void check_target(std::string_view operation, std::string_view what, const ndarray& target,
                  const Shape& shape, dtype type, Device device);

/// A number as an element of `type` as Python assigns it: a float becomes the integer towards zero,
/// with the low bits that a narrow type keeps. Throws ValueError for NaN and OverflowError for
/// infinities and what has more than 64 bits, where `type` is an integer; other numbers as they
/// are.
Scalar as_element(const char* operation, const Scalar& value, dtype type);

/// The common device of arrays; throws TypeError for host beside device.
Device common_device(const char* operation, const ndarray& a, const ndarray& b);
/// Throws TypeError for a null array.
void check_not_none(const char* operation, const ndarray& a);
void check_not_none(const char* operation, const Operand& x);
/// Whether the elements of two arrays share bytes.
bool may_overlap(const ndarray& a, const ndarray& b);
/// A call as text, for errors of kernels: "add((3, 4) float32, 2)".
std::string describe_call(const char* operation, std::span<const Operand* const> operands);
std::string describe_call(const char* operation, std::initializer_list<const ndarray*> arrays);
/// `a`, or a C-contiguous copy of it.
ndarray contiguous(const ndarray& a);

}  // namespace internal
}  // namespace cupyxx
