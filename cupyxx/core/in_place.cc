// SPDX-License-Identifier: MIT
// Operations whose result replaces their first operand.
#include "cupyxx/core/body.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

namespace {
// What is written to is a place in its array, not a value (element.cc): reads of it compare
// nothing.
const ndarray& place(const ndarray& a) {
  if (a.handle() != nullptr) internal::make_live(a.handle());
  return a;
}
}  // namespace

const ndarray& ndarray::operator+=(const Operand& x) const {
  add(place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator-=(const Operand& x) const {
  subtract(place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator*=(const Operand& x) const {
  multiply(place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator/=(const Operand& x) const {
  true_divide(place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator%=(const Operand& x) const {
  remainder(place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator<<=(const Operand& x) const {
  left_shift(place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator>>=(const Operand& x) const {
  right_shift(place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator&=(const Operand& x) const {
  bitwise_and(place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator|=(const Operand& x) const {
  bitwise_or(place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator^=(const Operand& x) const {
  bitwise_xor(place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::ifloordiv(const Operand& x) const {
  floor_divide(place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::ipow(const Operand& x) const {
  power(place(*this), x, {.out = *this});
  return *this;
}

}  // namespace cupyxx
